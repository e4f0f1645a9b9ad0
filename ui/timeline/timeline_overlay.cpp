#include "ui/timeline/timeline_overlay.h"

#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/models/deferred_query.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_document.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/span_outline.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::ui {

void TimelineOverlay::paint(QPainter& painter) {
    const ThemeColors& colors = Theme::instance().colors();
    const PainterScope undone(painter);
    if (const auto range = m_axis.selectedRange())
        paintRange(painter, *range);
    painter.setClipRect(m_viewport.plotArea());
    updateLinks(m_selectionLinks, m_axis.selectedSpan());
    updateLinks(m_hoverLinks, m_axis.hoveredSpan());
    if (m_selectionLinks.span)
        paintLinks(painter, m_selectionLinks.links, colors.accent);
    if (m_hoverLinks.span && m_hoverLinks.span != m_selectionLinks.span)
        paintLinks(painter, m_hoverLinks.links, colors.text);
    if (const auto& hit = m_viewport.pointed().hit) {
        const TimelineRect& rect = hit->rect;
        paintSpanOutline(painter, hit->row, {Nanoseconds(rect.begin), Nanoseconds(rect.end)},
                         colors.secondaryText, 1);
    }
    if (const auto selected = m_axis.selectedSpan())
        paintSpan(painter, *selected, colors.accent, 2);
    if (const auto idle = m_axis.selectedIdle()) {
        if (const auto index = m_viewport.rows().busyRow(idle->gpu))
            paintSpanOutline(painter, m_viewport.rows().rows()[*index], idle->range(), colors.accent, 2);
    }
    const auto pinned = m_axis.pinnedCursor(), cursor = m_axis.cursor();
    if (pinned)
        paintCursor(painter, *pinned, colors.accent);
    if (cursor && cursor != pinned)
        paintCursor(painter, *cursor, colors.text);
    paintTicks(painter);
}

void TimelineOverlay::forgetLinks() {
    if (m_hoverLinks.span || m_selectionLinks.span)
        m_view.update();
    m_hoverLinks.span.reset();
    m_selectionLinks.span.reset();
}

void TimelineOverlay::updateLinks(Linked& linked, std::optional<SpanRef> span) {
    if (span && span != linked.span)
        linked.links = m_document.links().links(*span);
    linked.span = span;  // not before: the index may be made by that
}

void TimelineOverlay::paintLinks(QPainter& painter, const SpanLinks& links, const QColor& color) {
    const auto light = [&](SpanRef ref) { paintSpan(painter, ref, color, 1); };
    for (const std::vector<SpanRef>& spans : {links.modules, links.work})
        std::for_each(spans.begin(), spans.end(), light);
    for (const std::optional<SpanRef>& span : {links.op, links.captured, links.launch, links.wait}) {
        if (span)
            light(*span);
    }
    if (links.launch && !links.work.empty())
        paintLaunchLine(painter, *links.launch, links.work.front(), color);
}

void TimelineOverlay::paintLaunchLine(QPainter& painter, SpanRef launch, SpanRef work, const QColor& color) {
    const Snapshot& snapshot = *m_document.snapshot();
    const QRect plot = m_viewport.plotArea();
    const TimeRange visible = m_axis.visibleRange();
    const auto place = [&](SpanRef ref) -> std::optional<QRectF> {
        const auto index = m_viewport.rows().rowOf(ref.lane);
        const auto span = index ? spanRow(snapshot, ref) : std::nullopt;
        if (!span || span->end() < visible.begin.value || span->start > visible.end.value)
            return std::nullopt;
        const TimelineRow& row = m_viewport.rows().rows()[*index];
        const double top = plot.top() + m_viewport.shownTop(row.top);
        const bool pinned = *index < m_viewport.pinnedRows();
        if (top + row.height < plot.top() + (pinned ? 0 : m_viewport.pinnedHeight()) || top > plot.bottom())
            return std::nullopt;
        const double x = plot.left() + timeToPixel(Nanoseconds(span->start), visible, plot.width());
        return QRectF(x, top, 0, row.height);
    };
    const auto from = place(launch), to = place(work);
    if (!from || !to)
        return;
    // Between the edges that face each other.
    const bool down = to->top() > from->top();
    QColor line = color;
    line.setAlphaF(0.7f);
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, 1));
    painter.drawLine(down ? from->bottomLeft() : from->topLeft(), down ? to->topLeft() : to->bottomLeft());
}

void TimelineOverlay::setTicks(TimeRange range, const std::vector<bool>& columns) {
    m_tickRange = range;
    m_ticks = columns;
    m_view.update();
}

/// In the time that they were looked up for: until the next ones come, they move with it.
void TimelineOverlay::paintTicks(QPainter& painter) {
    constexpr int kTickHeight = 3, kLeastWidth = 2;
    if (m_ticks.empty())
        return;
    const QRect plot = m_viewport.plotArea();
    painter.setClipRect(QRect(plot.left(), 0, plot.width(), kRulerHeight));
    const double part =
        static_cast<double>(m_tickRange.duration().value) / static_cast<double>(m_ticks.size());
    const auto pixelOf = [&](std::size_t column) {
        const Nanoseconds t =
            m_tickRange.begin + Nanoseconds(std::llround(part * static_cast<double>(column)));
        return timeToPixel(t, m_axis.visibleRange(), plot.width());
    };
    for (std::size_t begin = 0; begin < m_ticks.size(); ++begin) {
        if (!m_ticks[begin])
            continue;
        std::size_t end = begin;
        while (end < m_ticks.size() && m_ticks[end])
            ++end;
        const double left = std::max(pixelOf(begin), -10.0);
        const double right = std::min(pixelOf(end), plot.width() + 10.0);
        if (right >= 0 && left <= plot.width())
            painter.fillRect(QRectF(plot.left() + left, kRulerHeight - kTickHeight,
                                    std::max<double>(kLeastWidth, right - left), kTickHeight),
                             Theme::instance().colors().accent);
        begin = end;
    }
}

void TimelineOverlay::paintSpan(QPainter& painter, SpanRef ref, const QColor& color, int width) {
    const auto index = m_viewport.rows().rowOf(ref.lane);
    const auto span = index ? spanRow(*m_document.snapshot(), ref) : std::nullopt;
    if (span)
        paintSpanOutline(painter, m_viewport.rows().rows()[*index],
                         {Nanoseconds(span->start), Nanoseconds(span->end())}, color, width);
}

void TimelineOverlay::paintSpanOutline(QPainter& painter, const TimelineRow& row, TimeRange span,
                                       const QColor& color, int width) {
    const QRect plot = m_viewport.plotArea();
    const TimeRange visible = m_axis.visibleRange();
    if (span.end < visible.begin || span.begin > visible.end)
        return;
    QRect box = outlineBox(span, visible, plot);
    box.moveTop(plot.top() + m_viewport.shownTop(row.top));
    box.setHeight(row.height);
    // What scrolls goes under what is pinned.
    const bool scrolls = m_viewport.pinnedHeight() > 0 && row.top >= m_viewport.pinnedHeight();
    if (scrolls && box.top() < plot.top() + m_viewport.pinnedHeight())
        return;
    paintOutline(painter, box, color, width);
}

QRect TimelineOverlay::rangeLabelBox() const {
    const auto range = m_axis.selectedRange();
    const QRect plot = m_viewport.plotArea();
    const TimeRange visible = m_axis.visibleRange();
    // Without a ruler it would cover bars.
    if (!range || !range->overlaps(visible) || plot.top() < kRulerHeight)
        return {};
    const QString text = QString::fromStdString(formatDuration(range->duration()));
    const int textWidth = QFontMetrics(Theme::tableFont()).horizontalAdvance(text) + 2 * Metrics::kSpace2;
    // Over the middle of what is seen of the range.
    const double x0 = std::max(0.0, timeToPixel(range->begin, visible, plot.width()));
    const double x1 = std::min<double>(plot.width(), timeToPixel(range->end, visible, plot.width()));
    const int leftmost = plot.left() + textWidth / 2;
    const int middle = std::clamp(plot.left() + static_cast<int>((x0 + x1) / 2), leftmost,
                                  std::max(leftmost, m_view.width() - textWidth / 2));
    return {middle - textWidth / 2, 3, textWidth, kRulerHeight - 7};
}

void TimelineOverlay::paintRange(QPainter& painter, TimeRange range) {
    const ThemeColors& colors = Theme::instance().colors();
    const QRect plot = m_viewport.plotArea();
    const TimeRange visible = m_axis.visibleRange();
    const double x0 = timeToPixel(range.begin, visible, plot.width());
    const double x1 = timeToPixel(range.end, visible, plot.width());
    if (x1 < 0 || x0 > plot.width())
        return;
    const int left = plot.left() + static_cast<int>(std::max(x0, -1.0));
    const int right = plot.left() + static_cast<int>(std::min(x1, plot.width() + 1.0));
    painter.save();
    painter.setClipRect(m_view.rect().adjusted(kTrackLabelWidth, 0, 0, 0));
    painter.fillRect(QRect(left, 0, 1, m_view.height()), colors.accent);
    painter.fillRect(QRect(right, 0, 1, m_view.height()), colors.accent);

    const QRect pill = rangeLabelBox();
    if (pill.isEmpty())
        return painter.restore();
    painter.setFont(Theme::tableFont());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    painter.drawRoundedRect(pill, Metrics::kSpace1, Metrics::kSpace1);
    painter.setPen(colors.onAccent);
    painter.drawText(pill, Qt::AlignCenter | Qt::TextSingleLine,
                     QString::fromStdString(formatDuration(range.duration())));
    painter.restore();
}

void TimelineOverlay::paintCursor(QPainter& painter, Nanoseconds time, const QColor& color) {
    const QRect plot = m_viewport.plotArea();
    const double x = timeToPixel(time, m_axis.visibleRange(), plot.width());
    if (x < 0 || x > plot.width())
        return;
    painter.fillRect(
        QRect(plot.left() + std::min(static_cast<int>(x), plot.width() - 1), plot.top(), 1, plot.height()),
        Theme::instance().lineOver(color));
}

QString TimelineOverlay::rangeToolTip() const {
    const auto range = m_axis.selectedRange();
    const auto& snapshot = m_document.snapshot();
    if (!range || !snapshot)
        return {};
    std::uint64_t spans = 0;
    for (std::size_t i = 0; i < snapshot->laneCount(); ++i) {
        const SpanLane lane = snapshot->lane(LaneId(i));
        spans += lane.firstStartingAt(range->end) - lane.firstStartingAt(range->begin);
    }
    // A tool tip does not wait: the inspector adds up many on a worker.
    return spans <= DeferredQuery::kHeavySpans ? rangeText(*range, rangeActivity(*snapshot, *range))
                                               : QObject::tr("The inspector says what happens in these %1")
                                                     .arg(toQString(formatDuration(range->duration())));
}

}  // namespace warpglass::ui
