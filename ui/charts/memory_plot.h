// The plot of memory over time: categories stacked, one value a pixel column.
//
// QCustomPlot draws the stack and the grid, from MemoryTimeline::columns(), so that the cost follows the
// width and not the events. Each category is a graph of the sum up to it, filled down to zero; the topmost is
// painted first and the bottommost last, which leaves no seam between neighbours. What a GPU's allocator has
// reserved is a line above them. The picture is kept until
// the range, the size or the run changes; cursor, selection and the peak's label are painted over it, so that
// hovering costs next to nothing. On a device that is not the screen (a figure) everything is drawn directly,
// at that device's resolution.
//
// GUI thread only.
#pragma once

#include <qcustomplot.h>

#include <QPixmap>
#include <optional>

#include "engine/query/memory_timeline.h"
#include "engine/query/reserved_curve.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class MemoryPlot : public QCustomPlot {
    Q_OBJECT
public:
    MemoryPlot(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);

    /// The run has grown or is another one.
    void invalidate();
    /// The moment at x (logical pixels of the widget), within the visible range.
    Nanoseconds timeAt(double x) const;
    double xOf(Nanoseconds t) const;
    /// Logical pixels from the top, for so many bytes.
    double yOf(std::int64_t bytes) const;
    /// The highest moment in the visible range.
    std::optional<MemoryPoint> visiblePeak();
    /// The stack as drawn: the graph of category i holds the sum of categories 0…i. For tests.
    const QCPGraph& graphOf(Category category) const { return *m_graphs[static_cast<std::size_t>(category)]; }

    /// What is reserved, a line over the stack. For tests.
    const QCPGraph& reservedGraph() const { return *m_reservedGraph; }
    bool showsReserved() const { return !m_reserved.empty(); }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Drag { kNone, kPressed, kPan, kSelect };

    void makeGraphs();
    void applyTheme();
    /// Rebuilds the graphs for so many columns, if they are not those already.
    void ensureData(int columns);
    void ensureScale();
    QRectF plotRect() const;
    void paintTicks(QPainter& painter) const;
    void paintSelection(QPainter& painter) const;
    void paintPeak(QPainter& painter);
    void paintCursors(QPainter& painter) const;
    QString toolTipAt(Nanoseconds t) const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    std::array<QCPGraph*, kCategoryCount> m_graphs{};
    QCPGraph* m_reservedGraph = nullptr;
    ReservedCurve m_reserved;
    QSharedPointer<QCPAxisTickerText> m_ticker;
    int m_labelWidth = 96;

    // What the graphs and the picture were made for.
    bool m_dataValid = false;
    TimeRange m_dataRange;
    int m_dataColumns = 0;
    QPixmap m_picture;
    bool m_pictureValid = false;
    std::int64_t m_top = 1;
    std::vector<std::int64_t> m_ticks;
    std::optional<MemoryPoint> m_peak;
    QString m_peakLabel;

    Drag m_drag = Drag::kNone;
    QPointF m_pressedAt;
    TimeRange m_pressedRange;
    Nanoseconds m_anchor;
};

}  // namespace warpglass::ui
