// A kernel from inside, all multiprocessors together: how many of the warpgroups that they hold at once are
// in each phase over time, stacked, up to how many there are places for. What is empty on top is idle; the
// last wave's tail is where that begins to grow.
//
// A mark is one of many equal parts of the time. GUI thread only but for loadOf().
#pragma once

#include <array>
#include <vector>

#include "engine/query/model/clocked_kernel.h"
#include "ui/controls/canvas.h"

namespace warpglass::ui {

class ClockLoadChart : public Canvas {
    Q_OBJECT
public:
    explicit ClockLoadChart(QWidget* parent = nullptr);

    /// By part of the time, and phase.
    using Load = std::vector<std::array<double, kClockPhaseCount>>;
    /// Walks all rounds of the kernel. Pure; any thread.
    static Load loadOf(const ClockedKernel& kernel);
    /// `load`: loadOf() the kernel.
    void setKernel(const ClockedKernel& kernel, Load load);

    int markCount() const override { return static_cast<int>(m_load.size()); }
    QRectF markRect(int mark) const override;
    int markAt(QPointF point) const override;
    QString toolTipOf(int mark) const override;

    QSize sizeHint() const override { return {800, 420}; }
    QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void paintPicture(QPainter& painter) override;

private:
    QRectF plot() const;
    double xOf(double nanoseconds) const;
    double yOf(double warpgroups) const;
    /// Up to which height a phase is stacked in a part.
    double stackedTo(std::size_t part, std::size_t place) const;
    void paintAreas(QPainter& painter) const;
    void paintScales(QPainter& painter) const;
    QString scaleWords() const;
    void paintNames(QPainter& painter) const;
    void paintTail(QPainter& painter) const;

    Load m_load;
    double m_duration = 0, m_room = 0, m_halfIdle = 0;
    std::int64_t m_processors = 0;
    std::array<double, kClockPhaseCount> m_shares{};
};

/// The phases' colors and names with their shares of the tiles' time, from left to right over a chart, in its
/// order: as they follow one another, or lie on one another from the bottom up.
void paintClockKey(QPainter& painter, QPointF at, double right,
                   const std::array<double, kClockPhaseCount>& shares,
                   const std::array<ClockPhase, kClockPhaseCount>& order);
/// The scale of µs under a plot of so many ns.
void paintClockTicks(QPainter& painter, const QRectF& plot, double duration);

}  // namespace warpglass::ui
