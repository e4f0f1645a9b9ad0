// TimelineView's legends: under the first Busy lane that of causes, under the first lane of kernels that of
// families.
#include <QPainter>
#include <algorithm>

#include "ui/theme/family_legend.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

QFont legendFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

}  // namespace

std::vector<LegendEntry> TimelineView::busyLegend() const {
    std::vector<LegendEntry> entries;
    for (const GpuBusy::Part part : kShownGpuParts) {
        const bool occurs = m_gpuTimes && std::any_of(m_gpuTimes->busy.begin(), m_gpuTimes->busy.end(),
                                                      [part](const GpuBusy& busy) { return busy.has(part); });
        if (occurs)
            entries.push_back({gpuPartColor(part), gpuPartName(part)});
    }
    return entries;
}

int TimelineView::busyLegendHeight() const {
    // Before it is known what occurs there is room for a line: rows do not move when it is, but in a view so
    // narrow that it takes two.
    return std::max(static_cast<int>(kLegendRow),
                    static_cast<int>(legendHeight(busyLegend(), legendFont(), legendWidth())));
}

double TimelineView::legendWidth() const {
    return std::max(1, plotArea().width() - kScrollBarWidth);
}

std::vector<LegendEntry> TimelineView::familiesLegend() {
    // What is drawn, so that every color in sight is named and no other; its rows are built already.
    std::array<double, kOpFamilyCount> amounts{};
    const auto add = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            if (m_rows.rows()[i].gpu)
                continue;
            const std::vector<TimelineRect>& rects = m_geometry.rects(i);
            for (const TimelineRect& rect : rects) {
                if (const auto family = rect.color.family(); family && !rect.stacked)
                    amounts[static_cast<std::size_t>(*family)] += rect.x1 - rect.x0;
            }
            for (const ColumnStack& stack : m_geometry.stacks(i)) {
                for (std::size_t family = 0; family < kOpFamilyCount; ++family)
                    amounts[family] += static_cast<double>(stack.share[family]) * (stack.x1 - stack.x0);
            }
        }
    };
    const auto [first, last] = shownRows();
    add(0, pinnedRows());
    add(first, last);
    FamilyLegend legend = familyLegend(amounts);
    return inOneRow(std::move(legend.entries), std::move(legend.weights), legendFont(), legendWidth());
}

void TimelineView::paintLegends(QPainter& painter, double scale) {
    const int pinned = pinnedHeight(), height = plotArea().height();
    painter.save();
    painter.scale(scale, scale);
    painter.setFont(legendFont());
    for (const TimelineTrack& track : m_rows.tracks()) {
        const int top = shownTop(track.legendTop());
        if (track.legendHeight == 0 || top >= height || top + track.legendHeight <= 0)
            continue;
        painter.save();
        if (pinned > 0 && track.top >= pinned)
            painter.setClipRect(QRect(0, pinned, plotArea().width(), height - pinned), Qt::IntersectClip);
        paintLegend(painter, QRectF(0, top, legendWidth(), track.legendHeight),
                    track.gpu ? busyLegend() : familiesLegend());
        painter.restore();
    }
    painter.restore();
}

}  // namespace warpglass::ui
