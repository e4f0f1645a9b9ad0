#include "ui/memory/caused_allocations.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/memory/label_place.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/link_indexer.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// A mark is a triangle that stands on its tip.
constexpr double kHalfWidth = 4, kHeight = 7;

QRectF markRect(QPointF tip) {
    return {tip.x() - kHalfWidth, tip.y() - kHeight, 2 * kHalfWidth, kHeight};
}

}  // namespace

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

CausedMarks::CausedMarks(const MemoryPlot& plot, RunDocument& document, const TimeAxis& axis,
                         const std::vector<CausedAllocation>& caused, LabelPlace& place) {
    const TimeRange visible = axis.visibleRange();
    const double top = plot.scale().plotRect().top();
    std::int64_t sum = 0;
    for (const CausedAllocation& allocation : caused) {
        sum += allocation.bytes;
        const Nanoseconds time(allocation.time);
        if (time < visible.begin || time > visible.end)
            continue;
        const double x = plot.xOf(time);
        if (!m_tips.empty() && x - m_tips.back().x() < 1)
            continue;
        m_tips.emplace_back(x, std::max(top + kHeight, plot.yOf(sumOf(document.memory().at(time)))));
        place.keepFree(markRect(m_tips.back()));
    }
    m_text = (axis.hoveredSpan() ? MemoryPlot::tr("hovered: +%1%2") : MemoryPlot::tr("selected: +%1%2"))
                 .arg(caused.size() == kMostCausedAllocations ? QStringLiteral("≥ ") : QString(),
                      toQString(formatBytes(Bytes(sum))));
}

/// The words stand at the first mark: over it, beside it, or else under the curve.
void CausedMarks::paint(QPainter& painter, LabelPlace& place) const {
    if (m_tips.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(chartFont());
    const QRectF mark = markRect(m_tips.front());
    const QSizeF size = chipSize(painter, m_text);
    const double middle = mark.center().x() - size.width() / 2, over = mark.top() - 1 - size.height();
    const double right = mark.right() + 1, left = mark.left() - 1 - size.width();
    const double beside = mark.bottom() - size.height(), under = mark.bottom() + 3;
    const auto at = [&](double x, double y) { return QRectF(QPointF(x, y), size); };
    const QRectF chip = place.place({at(middle, over), at(mark.left(), over), at(left + mark.width(), over),
                                     at(right, beside), at(left, beside), at(middle, under)});
    paintChip(painter, chip, m_text);
    painter.setPen(QPen(colors.background, 1));
    painter.setBrush(colors.text);
    for (const QPointF& tip : m_tips) {
        const QRectF rect = markRect(tip);
        painter.drawPolygon(QPolygonF({rect.topLeft(), rect.topRight(), tip}));
    }
    painter.restore();
}

}  // namespace warpglass::ui
