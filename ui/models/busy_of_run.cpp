#include "ui/models/busy_of_run.h"

#include "engine/query/activity/gpu_idle.h"

namespace warpglass::ui {

std::shared_ptr<const GpuBusy> BusyOfRun::of(const std::shared_ptr<const Snapshot>& snapshot,
                                             const std::string& gpu) {
    const std::lock_guard lock(m_mutex);
    if (m_snapshot.lock() != snapshot) {
        m_busy.clear();
        m_snapshot = snapshot;
    }
    auto& busy = m_busy[gpu];
    if (!busy && !gpusOf(*snapshot).empty())
        busy = std::make_shared<const GpuBusy>(*snapshot, gpu);
    return busy;
}

}  // namespace warpglass::ui
