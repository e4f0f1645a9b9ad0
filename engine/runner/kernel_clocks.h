// The clocks inside attention's kernels during a run (--record kernel-clocks, engine/kernels/kernel_clock.h).
// In one step the first forward and the first backward call are made by the kernels' twins; every other call,
// and every call of a run that does not ask for this, is made by the plain kernels. Executed eagerly that is
// the first measured step; captured as a graph, both are part of every replay, and the last one is kept.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/kernels/kernel_clock.h"
#include "engine/plan/run_config.h"
#include "engine/trace/kernel_clocks.h"

namespace warpglass {

enum class AttentionPass : std::uint8_t { kForward, kBackward };

/// The clocks of one run; while it lives takeKernelClock() knows it. Without kernel-clocks among what is
/// recorded it does nothing.
class RunClocks {
public:
    explicit RunClocks(const RunConfig& config);
    ~RunClocks();
    RunClocks(const RunClocks&) = delete;
    RunClocks& operator=(const RunClocks&) = delete;

    /// Takes their memory from the driver, on the calling thread's device. An error where there is not
    /// enough.
    Status make();
    Bytes bytes() const { return m_bytes; }
    /// What the kernels of the last complete step that had them wrote. Waits for the device; an error where
    /// it cannot be read.
    Result<KernelClocksList> read() const;

    struct Clock {
        kernels::KernelClock memory;
        kernels::ClockedWork work;
        /// The next call is the twin's.
        std::atomic<bool> wanted{false};
        bool taken = false;
    };

private:
    friend void wantKernelClocks();
    friend void keepKernelClocks(std::int64_t step);
    friend Clock* takeKernelClock(AttentionPass pass);

    const RunConfig& m_config;
    Clock m_clocks[2];
    Bytes m_bytes;
    std::int64_t m_step = kNoStep;
};

/// The next call of each pass is to be clocked. The run's thread.
void wantKernelClocks();
/// What has been clocked so far is that of this step, which the device has done.
void keepKernelClocks(std::int64_t step);
/// Whether a call is to be made by the twin: with what. Null: it is not. Any thread.
RunClocks::Clock* takeKernelClock(AttentionPass pass);

}  // namespace warpglass
