#include "ui/compare/memory_difference_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/spans/work_times.h"
#include "ui/charts/byte_ticks.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/stacked_areas.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/time_ruler.h"

namespace warpglass::ui {

namespace {

/// For labels under each other; in less height they are closer, so that there are some, and in much height
/// they are no more than are read.
constexpr int kPixelsPerTick = 24, kLeastTicks = 3, kMostTicks = 10;
/// Under 0, for its label where no times follow.
constexpr double kRoomForZero = 7;
/// Over the highest, for the words that mark it.
constexpr double kRoomForPeaks = 20;
constexpr double kPeakRadius = 3;
/// The height of a tick of time, beside which its label stands.
constexpr int kTimeTick = 5;

}  // namespace

MemoryDifferencePlot::MemoryDifferencePlot(RunDocument& a, RunDocument& b, TimeAxis& axis, QWidget* parent)
    : Canvas(parent),
      m_documentA(a),
      m_axis(axis),
      m_memory(a, b, axis),
      m_legend(m_memory, axis),
      m_gestures(
          axis,
          [this] {
              return TimeGestures::Span{plotRect().left(), plotRect().width()};
          },
          [this](double x) { return timeAt(x); }) {
    setNames(this, "memoryDifference", tr("Memory of both runs over time"));
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, &MemoryDifferencePlot::redraw);
    connect(&m_axis, &TimeAxis::clockChanged, this, &MemoryDifferencePlot::redraw);
    connect(&m_axis, &TimeAxis::selectionChanged, this, &MemoryDifferencePlot::redraw);
    connect(&m_memory, &MemoryDifference::changed, this, &MemoryDifferencePlot::redraw);
    const auto repaintOverlay = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaintOverlay);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaintOverlay);
}

void MemoryDifferencePlot::setLabelWidth(int width) {
    m_labelWidth = width;
    redraw();
}

void MemoryDifferencePlot::setShowsTimes(bool shown) {
    m_showsTimes = shown;
    redraw();
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

double MemoryDifferencePlot::xOf(Nanoseconds t) const {
    const QRectF plot = plotRect();
    const TimeRange visible = m_axis.visibleRange();
    return plot.left() + static_cast<double>((t - visible.begin).value) /
                             static_cast<double>(visible.duration().value) * plot.width();
}

void MemoryDifferencePlot::paintPicture(QPainter& painter) {
    if (const auto range = m_axis.selectedRange()) {
        const QRectF plot = plotRect();
        const QRectF selected(QPointF(xOf(range->begin), plot.top()),
                              QPointF(xOf(range->end), plot.bottom()));
        painter.fillRect(selected & plot, Theme::instance().selectedGround());
    }
    paintCurves(painter, m_memory.curves(static_cast<int>(plotRect().width())));
    if (showsTimes())
        paintTimes(painter);
}

/// The legend has the figures at the cursor.
void MemoryDifferencePlot::paintOver(QPainter& painter) {
    paintCursor(painter);
    const auto& a = m_documentA.snapshot();
    m_legend.paint(painter, m_labelWidth, width(), a && hasKernels(*a));
    if (hasFocus() && !FigureMode::holds(*this))
        paintFocus(painter);
}

/// As on the ruler over the timelines.
void MemoryDifferencePlot::paintTimes(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    const TimeRange visible = m_axis.visibleRange();
    const Ruler ruler = makeRuler(visible, plot.width(), m_axis.clock());
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(Theme::tableFont());
    const auto text = [&](double left, double width, Qt::AlignmentFlag align, const QString& said) {
        painter.setPen(colors.secondaryText);
        painter.drawText(QRectF(left, plot.bottom(), width, kTimesHeight), align | Qt::AlignVCenter, said);
    };
    painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), colors.hairline);
    const QString from = toQString(ruler.base.empty() ? ruler.origin : ruler.base);
    // Without an alignment they are A's. At the left, since 0 has the right.
    text(Metrics::kSpace3, m_labelWidth - Metrics::kSpace3, Qt::AlignLeft,
         m_axis.clock().alignment() ? tr("host time")
         : from.isEmpty()           ? tr("A")
                                    : tr("A, %1").arg(from));
    for (const RulerTick& tick : ruler.ticks) {
        if (tick.label.empty())
            continue;
        const double x = std::floor(xOf(tick.time));
        painter.fillRect(QRectF(x, plot.bottom(), 1, kTimeTick), colors.hairline);
        const QString label = toQString(tick.label);
        const int width = metrics.horizontalAdvance(label);
        if (x + Metrics::kSpace1 + width <= plot.right())
            text(x + Metrics::kSpace1, width + 1, Qt::AlignLeft, label);
    }
}

void MemoryDifferencePlot::paintTicks(QPainter& painter, const StackedAreas& areas,
                                      const MemoryDifference::Curves& shown) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    painter.setFont(Theme::tableFont());
    // The lanes above are of the GPU, which runs what the host has long allocated for.
    painter.setPen(colors.secondaryText);
    painter.drawText(QRectF(Metrics::kSpace3, 2, m_labelWidth - Metrics::kSpace3, 16),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("Memory"));
    if (!showsTimes()) {
        painter.setFont(sized(Theme::tableFont(), 11));
        painter.drawText(QRectF(Metrics::kSpace3, 17, m_labelWidth - Metrics::kSpace3, 14),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("host time"));
        painter.setFont(Theme::tableFont());
    }
    std::vector<std::int64_t> ticks = ticksOf(shown.top);
    if (ticks.empty())
        return;
    if (ticks.front() != 0)
        ticks.insert(ticks.begin(), 0);
    for (const std::int64_t tick : ticks) {
        const double y = std::round(areas.yOf(static_cast<double>(tick))) + 0.5;
        painter.setPen(withAlpha(colors.text, 0.12F));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.secondaryText);
        painter.drawText(
            QRectF(0, y - 8, m_labelWidth - Metrics::kSpace2, 16), Qt::AlignRight | Qt::AlignVCenter,
            tick == 0 ? QStringLiteral("0") : toQString(byteTickLabel(tick, ticks[1], ticks.back())));
    }
}

/// What lies between the runs where both have something, and over it a line for each.
void MemoryDifferencePlot::paintCurves(QPainter& painter, const MemoryDifference::Curves& shown) const {
    const QRectF plot = plotRect();
    if (plot.height() <= 0)
        return;
    StackedAreas areas(
        plot, static_cast<double>(shown.top) * plot.height() / std::max(1.0, plot.height() - kRoomForPeaks));
    StackedAreas::Values lower, less, more;
    for (std::size_t x = 0; x < shown.a.size(); ++x) {
        const std::int64_t a = shown.a[x], b = shown.b[x];
        const bool both = a != MemoryDifference::kNone && b != MemoryDifference::kNone;
        lower.push_back(both ? static_cast<double>(std::min(a, b)) : 0);
        more.push_back(both ? static_cast<double>(std::max(a, b)) : 0);
        less.push_back(b < a ? more.back() : lower.back());
    }
    areas.setBase(std::move(lower));
    areas.add(std::move(less), MemoryDifferenceLegend::fill(true));
    areas.add(std::move(more), MemoryDifferenceLegend::fill(false));
    areas.paint(painter);
    paintTicks(painter, areas, shown);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool ofA : {true, false}) {
        const std::vector<std::int64_t>& sums = ofA ? shown.a : shown.b;
        areas.paintLine(painter, {sums.begin(), sums.end()}, MemoryDifferenceLegend::linePen(ofA),
                        StackedAreas::Shape::kSlopes);
    }
    painter.restore();
    paintPeaks(painter, areas, shown);
}

/// "A 4.00 GiB · forward" over the highest of each in view, with the host's phase then; the earlier one's
/// words end at it, so that both have room.
void MemoryDifferencePlot::paintPeaks(QPainter& painter, const StackedAreas& areas,
                                      const MemoryDifference::Curves& shown) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF plot = plotRect();
    struct Peak {
        QString text;
        QColor color;
        QPointF at;
    };
    std::vector<Peak> peaks;
    const auto add = [&](const std::vector<std::int64_t>& sums, bool ofA, const QColor& color) {
        const auto highest = std::max_element(sums.begin(), sums.end());
        if (highest == sums.end() || *highest <= 0)
            return;
        QString text =
            QStringLiteral("%1 %2").arg(ofA ? tr("A") : tr("B"), toQString(formatBytes(Bytes(*highest))));
        if (const QString phase = m_memory.phaseAtPeak(ofA, *highest); !phase.isEmpty())
            text += QStringLiteral(" · ") + phase;
        peaks.push_back({text, color,
                         QPointF(plot.left() + static_cast<double>(highest - sums.begin()) + 0.5,
                                 areas.yOf(static_cast<double>(*highest)))});
    };
    add(shown.a, true, colors.secondaryText);
    add(shown.b, false, colors.accent);
    std::stable_sort(peaks.begin(), peaks.end(),
                     [](const Peak& first, const Peak& second) { return first.at.x() < second.at.x(); });
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(Theme::tableFont());
    double free = plot.left();
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        const Peak& peak = peaks[i];
        const double width = metrics.horizontalAdvance(peak.text) + 1;
        const bool endsThere = i == 0 && peaks.size() > 1;
        const double wanted = endsThere ? peak.at.x() + kPeakRadius - width : peak.at.x() - kPeakRadius;
        const double left = std::clamp(wanted, free, std::max(free, plot.right() - width));
        painter.setPen(Qt::NoPen);
        painter.setBrush(peak.color);
        painter.drawEllipse(peak.at, kPeakRadius, kPeakRadius);
        painter.setPen(Theme::readableOn(peak.color, colors.background));
        painter.drawText(QRectF(left, peak.at.y() - kRoomForPeaks, width, kRoomForPeaks - kPeakRadius - 1),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, peak.text);
        free = left + width + Metrics::kSpace2;
    }
}

void MemoryDifferencePlot::paintCursor(QPainter& painter) const {
    const TimeRange visible = m_axis.visibleRange();
    const auto cursor = m_axis.effectiveCursor();
    if (!cursor || !visible.contains(*cursor))
        return;
    const QRectF plot = plotRect();
    const double x = std::floor(xOf(*cursor)) + 0.5;
    painter.setPen(withAlpha(Theme::instance().colors().text, 0.6F));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

void MemoryDifferencePlot::setTitles(const QString& a, const QString& b) {
    m_legend.setTitles(a, b);
    update();
}

QString MemoryDifferencePlot::toolTipAt(QPointF point) const {
    return plotRect().contains(point) ? m_memory.exactText(timeAt(point.x())) : QString();
}

std::vector<std::int64_t> MemoryDifferencePlot::ticksOf(std::int64_t top) const {
    return byteTicks(
        top, std::clamp(static_cast<int>(plotRect().height()) / kPixelsPerTick, kLeastTicks, kMostTicks));
}

void MemoryDifferencePlot::wheelEvent(QWheelEvent* event) {
    m_gestures.wheel(*event);
    event->accept();
}

void MemoryDifferencePlot::mouseReleaseEvent(QMouseEvent* event) {
    if (m_gestures.release(*event))
        m_axis.setPinnedCursor(timeAt(event->position().x()));
}

void MemoryDifferencePlot::leaveEvent(QEvent* event) {
    m_gestures.leave();
    Canvas::leaveEvent(event);
}

}  // namespace warpglass::ui
