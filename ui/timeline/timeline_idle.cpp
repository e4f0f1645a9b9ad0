// TimelineView's Busy lanes under the hands: picking a stretch in which a GPU is idle and stepping from one
// to the next; and the legend under the first of them.
#include <QPainter>
#include <algorithm>

#include "ui/models/run_filter.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/legend.h"
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

std::optional<SelectedIdle> TimelineView::idleAt(const Hit& hit) const {
    const GpuBusy* const busy = m_geometry.busyOf(hit.row);
    const auto stretch = busy ? busy->at(hit.rect.begin) : std::nullopt;
    if (!stretch || stretch->part == GpuBusy::Part::kBusy || stretch->part == GpuBusy::Part::kOutside)
        return std::nullopt;
    return SelectedIdle{*hit.row.gpu, *stretch};
}

void TimelineView::selectIdle(const SelectedIdle& idle) {
    if (m_filter)
        return m_filter->look(idle);
    m_axis->setSelectedRange(std::nullopt);
    m_axis->setSelectedIdle(idle);
}

bool TimelineView::selectIdleBeside(int by) {
    const auto selected = m_axis->selectedIdle();
    const auto chosen = m_rows.trackOf(m_labels.current);
    std::uint32_t gpu = 0;
    if (selected)
        gpu = selected->gpu;
    else if (!m_axis->selectedSpan() && chosen && m_rows.tracks()[*chosen].gpu)
        gpu = *m_rows.tracks()[*chosen].gpu;
    else
        return false;
    if (!m_gpuTimes || gpu >= m_gpuTimes->busy.size())
        return true;
    const GpuBusy& busy = m_gpuTimes->busy[gpu];
    const auto stretch = !selected ? busy.nextIdle(m_axis->visibleRange().begin.value)
                         : by > 0  ? busy.nextIdle(selected->stretch.end)
                                   : busy.previousIdle(selected->stretch.begin);
    if (!stretch)
        return true;
    const SelectedIdle idle{gpu, *stretch};
    selectIdle(idle);
    m_axis->setPinnedCursor(idle.range().begin);
    ensureVisible(idle.range());
    if (const auto row = m_rows.busyRow(gpu))
        scrollTo(m_rows.rows()[*row].top, m_rows.rows()[*row].height);
    return true;
}

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

void TimelineView::paintBusyLegend(QPainter& painter, double scale) {
    const std::vector<TimelineTrack>& tracks = m_rows.tracks();
    const auto track = std::find_if(tracks.begin(), tracks.end(),
                                    [](const TimelineTrack& one) { return one.legendHeight > 0; });
    if (track == tracks.end())
        return;
    const int pinned = pinnedHeight();
    painter.save();
    painter.scale(scale, scale);
    if (pinned > 0 && track->top >= pinned)
        painter.setClipRect(QRect(0, pinned, plotArea().width(), plotArea().height() - pinned),
                            Qt::IntersectClip);
    painter.setFont(legendFont());
    paintLegend(painter, QRectF(0, shownTop(track->legendTop()), legendWidth(), track->legendHeight),
                busyLegend());
    painter.restore();
}

}  // namespace warpglass::ui
