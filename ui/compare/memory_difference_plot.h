// The memory of two runs on one axis: a line for each run's total, dashed for A, with the area between them
// filled in one color where B uses less and in another where it uses more. The legend above names both and,
// at the cursor, states the totals and the difference.
//
// The axis of bytes begins at 0, and the highest of each run in view is marked with its bytes. Mouse and keys
// work as on the memory chart (time_gestures.h); a click pins.
#pragma once

#include <optional>
#include <vector>

#include "ui/compare/memory_difference.h"
#include "ui/compare/memory_difference_legend.h"
#include "ui/controls/canvas.h"
#include "ui/timeline/time_gestures.h"

class QPainter;

namespace warpglass::ui {

class StackedAreas;

class MemoryDifferencePlot : public Canvas {
    Q_OBJECT
public:
    /// All outlive this. The time axis is A's; `offset` is added to a time of A for the time of B under it.
    MemoryDifferencePlot(RunDocument& a, RunDocument& b, TimeAxis& axis, QWidget* parent = nullptr);

    void setOffset(Nanoseconds offset) { m_memory.setOffset(offset); }
    /// The steps to which the plot is confined, each in its run's time; nothing for all of both.
    void setSteps(std::optional<TimeRange> ofA, std::optional<TimeRange> ofB) { m_memory.setSteps(ofA, ofB); }
    void setLabelWidth(int width);
    /// Shows times below the plot if it is not below a timeline, whose ruler would show them.
    void setShowsTimes(bool shown);
    void setTitles(const QString& a, const QString& b);
    /// Restricts the plot to this category; nothing for all memory.
    void setCategory(std::optional<Category> category) { m_memory.setCategory(category); }
    const MemoryDifference& memory() const { return m_memory; }
    /// What the legend says, and what of it has room.
    QStringList legend() const { return m_legend.text(); }
    QStringList shownLegend() const { return m_legend.shownText(width() - m_labelWidth); }

    /// Where the axis of bytes has its marks, when `top` is the highest that is shown.
    std::vector<std::int64_t> ticksOf(std::int64_t top) const;

    QSize sizeHint() const override { return {800, 170}; }
    QSize minimumSizeHint() const override { return {320, 70}; }

protected:
    void paintPicture(QPainter& painter) override;
    void paintOver(QPainter& painter) override;
    QString toolTipAt(QPointF point) const override;
    bool takeKey(const QKeyEvent& event) override { return m_gestures.key(event); }
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override { m_gestures.press(*event); }
    void mouseMoveEvent(QMouseEvent* event) override { m_gestures.move(*event); }
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override { mousePressEvent(event); }
    void leaveEvent(QEvent* event) override;

private:
    void paintCurves(QPainter& painter, const MemoryDifference::Curves& shown) const;
    void paintTicks(QPainter& painter, const StackedAreas& areas,
                    const MemoryDifference::Curves& shown) const;
    void paintPeaks(QPainter& painter, const StackedAreas& areas,
                    const MemoryDifference::Curves& shown) const;
    void paintCursor(QPainter& painter) const;
    void paintTimes(QPainter& painter) const;
    /// A line of the ruler's font under the plot.
    static constexpr int kTimesHeight = 18;
    static constexpr int kLeastWithTimes = 100;
    bool showsTimes() const { return m_showsTimes && height() >= kLeastWithTimes; }
    QRectF plotRect() const;
    Nanoseconds timeAt(double x) const;
    double xOf(Nanoseconds t) const;

    const RunDocument& m_documentA;
    TimeAxis& m_axis;
    MemoryDifference m_memory;
    MemoryDifferenceLegend m_legend;
    int m_labelWidth = 96;
    bool m_showsTimes = false;  // where there is room for them
    TimeGestures m_gestures;
};

}  // namespace warpglass::ui
