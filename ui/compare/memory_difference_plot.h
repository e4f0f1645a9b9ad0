// The memory of two runs on one axis: a line for each run's total, dashed for A, with the area between them
// filled in one color where B uses less and in another where it uses more. The legend above names both and,
// at the cursor, states the totals and the difference.
//
// Columns come from MemoryTimeline::columns(), so that a frame's cost follows the width, and are kept until
// what is visible changes: hovering reads nothing anew. The axis of bytes begins at 0, and the highest of
// each run in view is marked with its bytes. Where two steps are compared, nothing but these is shown: what
// another step holds is no difference between them. The mouse works as on the memory chart: the wheel zooms
// at the cursor, a drag pans, a click pins. After a run has run out of memory nothing more of it is shown:
// what its failure freed is no saving.
//
// GUI thread only.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

class QPainter;

namespace warpglass::ui {

class MemoryDifferencePlot : public QWidget {
    Q_OBJECT
public:
    /// All outlive this. The time axis is A's; `offset` is added to a time of A for the time of B under it.
    MemoryDifferencePlot(RunDocument& a, RunDocument& b, TimeAxis& axis, QWidget* parent = nullptr);

    void setOffset(Nanoseconds offset);
    /// The steps to which the plot is confined, each in its run's time; nothing for all of both.
    void setSteps(std::optional<TimeRange> ofA, std::optional<TimeRange> ofB);
    void setLabelWidth(int width) { m_labelWidth = width; }
    /// Shows times below the plot if it is not below a timeline, whose ruler would show them.
    void setShowsTimes(bool shown);
    void setTitles(const QString& a, const QString& b);
    /// Restricts the plot to this category; nothing for all memory.
    void setCategory(std::optional<Category> category);
    std::optional<Category> category() const { return m_category; }
    /// The legend's text: A and B (and the category), and the difference or, without a cursor, less and more.
    QStringList legend() const { return legend(Legend::kTitles, false); }
    /// The longest form of the legend that fits, never cut: with the runs' names, with their letters only, or
    /// just the difference as a figure.
    QStringList shownLegend() const;
    /// The exact bytes of both at a time of A.
    QString exactText(Nanoseconds time) const;
    /// The sums of both at a time of A; nothing for a run that had not begun or was over.
    std::optional<std::int64_t> ofA(Nanoseconds time) const;
    std::optional<std::int64_t> ofB(Nanoseconds time) const;

    /// Where the axis of bytes has its marks, when `top` is the highest that is shown.
    std::vector<std::int64_t> ticksOf(std::int64_t top) const;

    QSize sizeHint() const override { return {800, 170}; }
    QSize minimumSizeHint() const override { return {320, 70}; }

    /// Where a run has nothing to show.
    static constexpr std::int64_t kNone = -1;
    /// The greatest sum of each of `width` columns of the visible range. For tests.
    std::vector<std::int64_t> columnsOfA(int width) const { return columns(m_a, Nanoseconds(0), width); }
    std::vector<std::int64_t> columnsOfB(int width) const { return columns(m_b, m_offset, width); }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::vector<std::int64_t> columns(const RunDocument& document, Nanoseconds offset, int width) const;
    std::optional<std::int64_t> at(const RunDocument& document, Nanoseconds time) const;
    enum class Legend { kTitles, kLetters, kFigures };
    /// `widest`: with figures as wide as any, so that what is shown does not change with the cursor.
    QStringList legend(Legend form, bool widest) const;
    void takeEnd(const RunDocument& document);
    /// What is shown of a run.
    TimeRange shownOf(const RunDocument& document) const;
    std::int64_t shownOf(const CategoryBytes& bytes) const;
    /// What the picture is made of, one value a pixel column.
    struct Curves {
        TimeRange visible;
        Nanoseconds offset;
        std::optional<TimeRange> stepOfA, stepOfB;
        int width = 0;
        std::vector<std::int64_t> a, b;
        std::int64_t top = 1;
    };
    const Curves& curves();
    double yOf(std::int64_t bytes, const Curves& shown) const;
    void paintTicks(QPainter& painter, const Curves& shown) const;
    void paintDifference(QPainter& painter, const Curves& shown) const;
    void paintSums(QPainter& painter, const std::vector<std::int64_t>& sums, const Curves& shown,
                   const QPen& pen) const;
    void paintPeaks(QPainter& painter, const Curves& shown) const;
    void paintCursor(QPainter& painter) const;
    void paintTimes(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    /// Over the highest, for the words that mark it; and a line of the ruler's font under the plot.
    static constexpr double kRoomForPeaks = 20;
    static constexpr int kTimesHeight = 18;
    static constexpr float kFillAlpha = 0.28F;
    static constexpr int kLeastWithTimes = 100;
    bool showsTimes() const { return m_showsTimes && height() >= kLeastWithTimes; }
    QRectF plotRect() const;
    Nanoseconds timeAt(double x) const;

    RunDocument& m_a;
    RunDocument& m_b;
    TimeAxis& m_axis;
    Nanoseconds m_offset;
    QString m_titleA, m_titleB;
    std::optional<Category> m_category;
    Nanoseconds m_endOfA, m_endOfB;  // where it ran out of memory, or ended
    std::optional<TimeRange> m_stepOfA, m_stepOfB;
    int m_labelWidth = 96;
    bool m_showsTimes = false;  // where there is room for them
    std::optional<Curves> m_curves;
    std::optional<QPointF> m_pressedAt;
    TimeRange m_pressedRange;
    bool m_dragged = false;
};

}  // namespace warpglass::ui
