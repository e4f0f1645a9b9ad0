// How the memory of two runs is painted: its axes, its curves, what lies between them, their peaks.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/theme/veil.h"
#include "ui/timeline/time_ruler.h"

namespace warpglass::ui {

namespace {

/// The height of a tick of time, beside which its label stands.
constexpr int kTimeTick = 5;
constexpr double kPeakRadius = 3;

}  // namespace

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
        const double share = static_cast<double>((tick.time - visible.begin).value) /
                             static_cast<double>(visible.duration().value);
        const double x = std::floor(plot.left() + share * plot.width());
        painter.fillRect(QRectF(x, plot.bottom(), 1, kTimeTick), colors.hairline);
        const QString label = toQString(tick.label);
        const int width = metrics.horizontalAdvance(label);
        if (x + Metrics::kSpace1 + width <= plot.right())
            text(x + Metrics::kSpace1, width + 1, Qt::AlignLeft, label);
    }
}

void MemoryDifferencePlot::paintTicks(QPainter& painter, const MemoryDifference::Curves& shown) const {
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
        const double y = std::round(yOf(tick, shown)) + 0.5;
        painter.setPen(withAlpha(colors.text, 0.12F));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.secondaryText);
        painter.drawText(
            QRectF(0, y - 8, m_labelWidth - Metrics::kSpace2, 16), Qt::AlignRight | Qt::AlignVCenter,
            tick == 0 ? QStringLiteral("0") : toQString(byteTickLabel(tick, ticks[1], ticks.back())));
    }
}

/// What lies between where both have something: one shape for each stretch in which the same run has more.
void MemoryDifferencePlot::paintDifference(QPainter& painter, const MemoryDifference::Curves& shown) const {
    const double left = plotRect().left();
    const auto signAt = [&shown](std::size_t x) {
        const std::int64_t first = shown.a[x], second = shown.b[x];
        return first == MemoryDifference::kNone || second == MemoryDifference::kNone || first == second ? 0
               : second < first                                                                         ? -1
                                                                                                        : 1;
    };
    painter.setPen(Qt::NoPen);
    for (std::size_t x = 0; x < shown.a.size();) {
        const int sign = signAt(x);
        std::size_t end = x + 1;
        while (end < shown.a.size() && signAt(end) == sign)
            ++end;
        if (sign != 0) {
            QPolygonF shape;
            for (std::size_t i = x; i < end; ++i) {
                const double y = yOf(shown.a[i], shown);
                shape << QPointF(left + static_cast<double>(i), y)
                      << QPointF(left + static_cast<double>(i + 1), y);
            }
            for (std::size_t i = end; i > x; --i) {
                const double y = yOf(shown.b[i - 1], shown);
                shape << QPointF(left + static_cast<double>(i), y)
                      << QPointF(left + static_cast<double>(i - 1), y);
            }
            painter.setBrush(MemoryDifferenceLegend::fill(sign < 0));
            painter.drawPolygon(shape);
        }
        x = end;
    }
    painter.setBrush(Qt::NoBrush);
}

void MemoryDifferencePlot::paintSums(QPainter& painter, const std::vector<std::int64_t>& sums,
                                     const MemoryDifference::Curves& shown, const QPen& pen) const {
    const double left = plotRect().left();
    QPainterPath path;
    bool open = false;
    for (std::size_t x = 0; x < sums.size(); ++x) {
        if (sums[x] == MemoryDifference::kNone) {
            open = false;
            continue;
        }
        const QPointF point(left + static_cast<double>(x) + 0.5, yOf(sums[x], shown));
        if (open)
            path.lineTo(point);
        else
            path.moveTo(point);
        open = true;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.drawPath(path);
    painter.restore();
}

/// "A 4.00 GiB · forward" over the highest of each in view, with the host's phase then; the earlier one's
/// words end at it, so that both have room.
void MemoryDifferencePlot::paintPeaks(QPainter& painter, const MemoryDifference::Curves& shown) const {
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
        peaks.push_back(
            {text, color,
             QPointF(plot.left() + static_cast<double>(highest - sums.begin()) + 0.5, yOf(*highest, shown))});
    };
    add(shown.a, true, colors.secondaryText);
    add(shown.b, false, colors.accent);
    std::stable_sort(peaks.begin(), peaks.end(),
                     [](const Peak& first, const Peak& second) { return first.at.x() < second.at.x(); });
    painter.save();
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
    painter.restore();
}

void MemoryDifferencePlot::paintCursor(QPainter& painter) const {
    const TimeRange visible = m_axis.visibleRange();
    const auto cursor = m_axis.effectiveCursor();
    if (!cursor || !visible.contains(*cursor))
        return;
    const QRectF plot = plotRect();
    const double share =
        static_cast<double>((*cursor - visible.begin).value) / static_cast<double>(visible.duration().value);
    const double x = plot.left() + std::floor(share * plot.width()) + 0.5;
    painter.setPen(withAlpha(Theme::instance().colors().text, 0.6F));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

}  // namespace warpglass::ui
