#include "ui/compare/memory_difference_plot.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/query/spans/work_times.h"
#include "ui/charts/byte_ticks.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// For labels under each other; in less height they are closer, so that there are some, and in much height
/// they are no more than are read.
constexpr int kPixelsPerTick = 24, kLeastTicks = 3, kMostTicks = 10;
constexpr double kZoomPerNotch = 0.8;
constexpr double kDragDistance = 4;
/// Under 0, for its label where no times follow.
constexpr double kRoomForZero = 7;

}  // namespace

MemoryDifferencePlot::MemoryDifferencePlot(RunDocument& a, RunDocument& b, TimeAxis& axis, QWidget* parent)
    : QWidget(parent), m_documentA(a), m_axis(axis), m_memory(a, b, axis), m_legend(m_memory, axis) {
    setObjectName(QStringLiteral("memoryDifference"));
    setAccessibleName(tr("Memory of both runs over time"));
    setMouseTracking(true);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, repaint);
    connect(&m_axis, &TimeAxis::clockChanged, this, repaint);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(&m_memory, &MemoryDifference::changed, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, repaint);
}

void MemoryDifferencePlot::setShowsTimes(bool shown) {
    m_showsTimes = shown;
    update();
}

QRectF MemoryDifferencePlot::plotRect() const {
    return QRectF(rect()).adjusted(m_labelWidth, MemoryDifferenceLegend::kHeight, 0,
                                   showsTimes() ? -kTimesHeight : -kRoomForZero);
}

Nanoseconds MemoryDifferencePlot::timeAt(double x) const {
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const double share = plot.width() > 0 ? std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0) : 0;
    return visible.begin + Nanoseconds(std::llround(share * static_cast<double>(visible.duration().value)));
}

double MemoryDifferencePlot::yOf(std::int64_t bytes, const MemoryDifference::Curves& shown) const {
    const QRectF plot = plotRect();
    return plot.bottom() - static_cast<double>(bytes) * std::max(1.0, plot.height() - kRoomForPeaks) /
                               static_cast<double>(shown.top);
}

void MemoryDifferencePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.background);
    const auto& shown = m_memory.curves(static_cast<int>(plotRect().width()));
    paintTicks(painter, shown);
    paintDifference(painter, shown);
    paintSums(painter, shown.a, shown, MemoryDifferenceLegend::linePen(true));
    paintSums(painter, shown.b, shown, MemoryDifferenceLegend::linePen(false));
    paintPeaks(painter, shown);
    paintCursor(painter);
    const auto& a = m_documentA.snapshot();
    m_legend.paint(painter, m_labelWidth, width(), a && hasKernels(*a));
    if (showsTimes())
        paintTimes(painter);
}

void MemoryDifferencePlot::setTitles(const QString& a, const QString& b) {
    m_legend.setTitles(a, b);
    update();
}

bool MemoryDifferencePlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    if (plotRect().contains(help.pos()))
        QToolTip::showText(help.globalPos(), m_memory.exactText(timeAt(help.pos().x())), this);
    else
        QToolTip::hideText();
    return true;
}

std::vector<std::int64_t> MemoryDifferencePlot::ticksOf(std::int64_t top) const {
    return byteTicks(
        top, std::clamp(static_cast<int>(plotRect().height()) / kPixelsPerTick, kLeastTicks, kMostTicks));
}

void MemoryDifferencePlot::wheelEvent(QWheelEvent* event) {
    const int notches = event->angleDelta().y();
    if (notches != 0)
        m_axis.zoomAt(timeAt(event->position().x()), std::pow(kZoomPerNotch, notches / 120.0));
    event->accept();
}

void MemoryDifferencePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressedAt = event->position();
    m_pressedRange = m_axis.visibleRange();
    m_dragged = false;
}

void MemoryDifferencePlot::mouseMoveEvent(QMouseEvent* event) {
    const QRectF plot = plotRect();
    if (m_pressedAt && plot.width() > 0) {
        const double moved = event->position().x() - m_pressedAt->x();
        m_dragged = m_dragged || std::abs(moved) > kDragDistance;
        if (m_dragged) {
            const double perPixel = static_cast<double>(m_pressedRange.duration().value) / plot.width();
            const Nanoseconds by(std::llround(-moved * perPixel));
            m_axis.panBy(m_pressedRange.begin + by - m_axis.visibleRange().begin);
            return;
        }
    }
    m_axis.setCursor(plot.contains(event->position()) ? std::optional(timeAt(event->position().x()))
                                                      : std::nullopt);
}

void MemoryDifferencePlot::mouseReleaseEvent(QMouseEvent* event) {
    if (m_pressedAt && !m_dragged)
        m_axis.setPinnedCursor(timeAt(event->position().x()));
    m_pressedAt.reset();
}

void MemoryDifferencePlot::leaveEvent(QEvent*) {
    m_axis.setCursor(std::nullopt);
}

}  // namespace warpglass::ui
