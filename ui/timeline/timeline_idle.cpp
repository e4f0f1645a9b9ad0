// TimelineView's Busy lanes under the hands: picking a stretch in which a GPU is idle and stepping from one
// to the next.
#include "ui/models/run_filter.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

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

}  // namespace warpglass::ui
