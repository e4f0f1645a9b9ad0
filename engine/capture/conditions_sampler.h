// Samples the conditions of a run (how busy the host is, how fast the GPU's clocks are) into its trace as
// counters (engine/trace/condition_counters.h).
//
// It runs on a thread of its own, ten times a second. After 100 s the interval becomes a hundredth of the
// elapsed time, up to one second, so a run of a day has some 86,000 samples. A sample takes 50 µs to 1 ms of
// that thread's time for the host, and the same for a GPU, at most 2% of one core; nothing of it runs on the
// thread that runs the model. Samples at the beginning and at the end bound the run, whatever its length.
//
// Made, started and stopped by the thread that runs the model, within a recording.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/gpu_state.h"
#include "engine/base/host_load.h"

namespace warpglass {

class ConditionsSampler {
public:
    /// `gpu`: null for none. The host's reader watches the thread that runs the model.
    explicit ConditionsSampler(HostLoadReader host, std::unique_ptr<GpuMonitor> gpu = nullptr);
    /// Stops if stop() was not called.
    ~ConditionsSampler();
    ConditionsSampler(const ConditionsSampler&) = delete;
    ConditionsSampler& operator=(const ConditionsSampler&) = delete;

    /// What the run states about itself, by condition_key's keys; what is not known is left out.
    std::vector<std::pair<std::string, std::string>> information() const;

    /// Precondition: the capture stream is open. Where there can be no thread, nothing is sampled.
    void start();
    /// Takes the last sample; before the recording ends.
    void stop();

private:
    void run();
    void sample();

    HostLoadReader m_host;
    std::unique_ptr<GpuMonitor> m_gpu;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;  // guarded by m_mutex
    std::thread m_thread;
};

}  // namespace warpglass
