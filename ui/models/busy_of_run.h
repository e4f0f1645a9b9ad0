// The busy and idle time of a run's GPUs, read once for all views that ask.
//
// Any thread: whoever asks while another thread reads waits for it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "engine/query/activity/gpu_busy.h"

namespace warpglass::ui {

class BusyOfRun {
public:
    /// `gpu` as for GpuBusy. Null for a run without work on a GPU.
    std::shared_ptr<const GpuBusy> of(const std::shared_ptr<const Snapshot>& snapshot,
                                      const std::string& gpu = {});

private:
    std::mutex m_mutex;
    std::weak_ptr<const Snapshot> m_snapshot;  // that the others are of
    std::map<std::string, std::shared_ptr<const GpuBusy>> m_busy;
};

}  // namespace warpglass::ui
