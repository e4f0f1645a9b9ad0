#include "ui/memory/caused_allocations.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/memory/label_place.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/link_indexer.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

std::vector<CausedAllocation> causedAllocations(RunDocument& document, const TimeAxis& axis) {
    const auto& snapshot = document.snapshot();
    const auto span = axis.hoveredSpan() ? axis.hoveredSpan() : axis.selectedSpan();
    if (!snapshot || !span || !span->lane.valid() || span->lane.index() >= snapshot->laneCount())
        return {};
    // A module's allocations are the chart's own subject.
    if (snapshot->track(snapshot->lane(span->lane).track()).kind == TrackKind::kModule)
        return {};
    return allocationsCausedBy(*snapshot, document.links().links(*span), kMostCausedAllocations);
}

const std::vector<CausedAllocation>& CausedAllocations::of(RunDocument& document, const TimeAxis& axis) {
    const auto span = axis.hoveredSpan() ? axis.hoveredSpan() : axis.selectedSpan();
    // A run that has grown is another snapshot.
    if (span != m_span || !document.snapshot() || m_snapshot.lock() != document.snapshot()) {
        m_found = causedAllocations(document, axis);
        m_span = span;
        m_snapshot = document.snapshot();
    }
    return m_found;
}

void paintCausedAllocations(QPainter& painter, const MemoryPlot& plot, RunDocument& document,
                            const TimeAxis& axis, const std::vector<CausedAllocation>& caused,
                            LabelPlace& place) {
    const TimeRange visible = axis.visibleRange();
    const ThemeColors& colors = Theme::instance().colors();
    std::int64_t sum = 0;
    std::optional<QPointF> first;
    double lastX = -1;
    const double top = plot.scale().plotRect().top();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.background, 1));
    painter.setBrush(colors.text);
    for (const CausedAllocation& allocation : caused) {
        sum += allocation.bytes;
        const Nanoseconds time(allocation.time);
        if (time < visible.begin || time > visible.end)
            continue;
        const double x = plot.xOf(time);
        if (x - lastX < 1)
            continue;  // one triangle a pixel
        lastX = x;
        const double y = std::max(top + 8, plot.yOf(sumOf(document.memory().at(time))));
        painter.drawPolygon(QPolygonF({{x - 4, y - 7}, {x + 4, y - 7}, {x, y}}));
        if (!first)
            first = QPointF(x, y);
    }
    if (first) {
        const QString text =
            (axis.hoveredSpan() ? MemoryPlot::tr("hovered: +%1%2") : MemoryPlot::tr("selected: +%1%2"))
                .arg(caused.size() == kMostCausedAllocations ? QStringLiteral("≥ ") : QString(),
                     toQString(formatBytes(Bytes(sum))));
        painter.setFont(Theme::tableFont());
        const int width = painter.fontMetrics().horizontalAdvance(text) + 2 * Metrics::kSpace1;
        // Below the curve: above it the peak's label may be.
        const QRectF right(first->x() + 6, first->y() + 5, width, 16);
        const QRectF box = place.place({right, right.translated(-12.0 - width, 0), right.translated(0, 18)});
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.raised);
        painter.drawRoundedRect(box, 3, 3);
        painter.setPen(colors.text);
        painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, text);
    }
    painter.restore();
}

}  // namespace warpglass::ui
