// Samples the conditions that a run runs under, how busy the host is and how fast the GPU's clocks are, into
// its trace as counters (engine/trace/condition_counters.h).
//
// On a thread of its own, ten times a second, and after 100 s once a hundredth of what has passed, at most
// once a second: so that a run of a day has some 86,000 samples. One takes 50 µs to 1 ms of that thread's
// time for the host, and as much for a GPU, at most 2 % of one core; nothing of it runs on the thread that
// runs the model. Samples at the beginning and at the end bound the run, whatever its length.
//
// Made, started and stopped by the thread that runs the model, within a recording.
#pragma once

#include <condition_variable>
#include <cstdint>
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
