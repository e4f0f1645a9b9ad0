#include "ui/compare/memory_difference_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/charts/byte_ticks.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

constexpr int kPixelsPerTick = 36;
constexpr double kHeadroom = 1.08;
constexpr double kZoomPerNotch = 0.8;
constexpr double kDragDistance = 4;

QColor withAlpha(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
}

}  // namespace

MemoryDifferencePlot::MemoryDifferencePlot(RunDocument& a, RunDocument& b, TimeAxis& axis, QWidget* parent)
    : QWidget(parent), m_a(a), m_b(b), m_axis(axis) {
    setObjectName(QStringLiteral("memoryDifference"));
    setAccessibleName(tr("Memory of both runs over time"));
    setMouseTracking(true);
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, repaint);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    for (RunDocument* document : {&m_a, &m_b})
        connect(document, &RunDocument::snapshotChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, repaint);
}

void MemoryDifferencePlot::setOffset(Nanoseconds offset) {
    m_offset = offset;
    update();
}

std::optional<std::int64_t> MemoryDifferencePlot::at(const RunDocument& document, Nanoseconds time) const {
    const auto& snapshot = document.snapshot();
    if (!snapshot || time < Nanoseconds(0) || time > snapshot->range().end)
        return std::nullopt;
    return sumOf(document.memory().at(time));
}

std::optional<std::int64_t> MemoryDifferencePlot::ofA(Nanoseconds time) const {
    return at(m_a, time);
}

std::optional<std::int64_t> MemoryDifferencePlot::ofB(Nanoseconds time) const {
    return at(m_b, time + m_offset);
}

std::vector<std::int64_t> MemoryDifferencePlot::columns(const RunDocument& document, Nanoseconds offset,
                                                        int width) const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(std::max(0, width)), kNone);
    const auto& snapshot = document.snapshot();
    if (!snapshot || width <= 0)
        return sums;
    const TimeRange visible = m_axis.visibleRange();
    const TimeRange shown{visible.begin + offset, visible.end + offset};
    const double perColumn = static_cast<double>(shown.duration().value) / width;
    // The part of it in which the run has something to show, in whole columns.
    const auto columnOf = [&](Nanoseconds t) {
        return static_cast<int>(
            std::clamp(std::floor(static_cast<double>((t - shown.begin).value) / perColumn), 0.0,
                       static_cast<double>(width)));
    };
    const int first = columnOf(Nanoseconds(0)), last = columnOf(snapshot->range().end);
    if (last <= first)
        return sums;
    const auto timeOf = [&](int column) {
        return shown.begin + Nanoseconds(std::llround(perColumn * column));
    };
    const std::vector<MemoryColumn> found =
        document.memory().columns({timeOf(first), timeOf(last)}, static_cast<std::size_t>(last - first));
    for (std::size_t i = 0; i < found.size(); ++i)
        sums[static_cast<std::size_t>(first) + i] = found[i].maxTotal;
    return sums;
}

QRectF MemoryDifferencePlot::plotRect() const {
    return QRectF(rect()).adjusted(m_labelWidth, 0, 0, 0);
}

Nanoseconds MemoryDifferencePlot::timeAt(double x) const {
    const TimeRange visible = m_axis.visibleRange();
    const QRectF plot = plotRect();
    const double share = plot.width() > 0 ? std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0) : 0;
    return visible.begin + Nanoseconds(std::llround(share * static_cast<double>(visible.duration().value)));
}

void MemoryDifferencePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(rect(), colors.background);
    const QRectF plot = plotRect();
    const int width = static_cast<int>(plot.width());
    const std::vector<std::int64_t> a = columnsOfA(width), b = columnsOfB(width);
    std::int64_t top = 1;
    for (const auto* sums : {&a, &b}) {
        for (const std::int64_t sum : *sums)
            top = std::max(top, sum);
    }
    const double scale = plot.height() / (static_cast<double>(top) * kHeadroom);
    const auto yOf = [&](std::int64_t bytes) { return plot.bottom() - static_cast<double>(bytes) * scale; };

    painter.setFont(Theme::tableFont());
    const int most = std::max(1, static_cast<int>(plot.height()) / kPixelsPerTick);
    for (const std::int64_t tick : byteTicks(top, most)) {
        const double y = std::round(yOf(tick)) + 0.5;
        painter.setPen(withAlpha(colors.text, 0.12F));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(0, y - 8, m_labelWidth - Metrics::kSpace2, 16),
                         Qt::AlignRight | Qt::AlignVCenter, toQString(byteTickLabel(tick)));
    }
    // What lies between, one column at a time where both have something.
    for (int x = 0; x < width; ++x) {
        const std::int64_t first = a[static_cast<std::size_t>(x)], second = b[static_cast<std::size_t>(x)];
        if (first < 0 || second < 0 || first == second)
            continue;
        const double upper = yOf(std::max(first, second)), lower = yOf(std::min(first, second));
        painter.fillRect(QRectF(plot.left() + x, upper, 1, lower - upper),
                         withAlpha(second < first ? colors.less : colors.more, 0.28F));
    }
    const auto drawLine = [&](const std::vector<std::int64_t>& sums, const QColor& color,
                              Qt::PenStyle style) {
        QPainterPath path;
        bool open = false;
        for (int x = 0; x < width; ++x) {
            const std::int64_t sum = sums[static_cast<std::size_t>(x)];
            const QPointF point(plot.left() + x + 0.5, yOf(std::max<std::int64_t>(sum, 0)));
            if (sum < 0)
                open = false;
            else if (!open)
                path.moveTo(point), open = true;
            else
                path.lineTo(point);
        }
        painter.setPen(QPen(color, 1.5, style));
        painter.drawPath(path);
    };
    painter.setRenderHint(QPainter::Antialiasing);
    drawLine(a, colors.secondaryText, Qt::SolidLine);
    drawLine(b, colors.accent, Qt::SolidLine);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const TimeRange visible = m_axis.visibleRange();
    if (const auto cursor = m_axis.effectiveCursor(); cursor && visible.contains(*cursor)) {
        const double share = static_cast<double>((*cursor - visible.begin).value) /
                             static_cast<double>(visible.duration().value);
        const double x = plot.left() + std::floor(share * plot.width()) + 0.5;
        painter.setPen(withAlpha(colors.text, 0.6F));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
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
