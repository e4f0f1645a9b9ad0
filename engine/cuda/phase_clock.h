// Times the phases of a step on the device with CUDA events, which do not need CUPTI.
//
// The first event of a step is taken while the device has nothing to do, so that the host's clock at that
// moment is its time, to some 10 µs; the others follow by the differences that the device measured, to 1 µs.
// Events that are recorded while a graph is captured become nodes of it and are recorded anew at each replay.
//
// Used by the run's thread.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "engine/runner/gpu.h"

namespace warpglass {

class PhaseClock {
public:
    PhaseClock() = default;
    ~PhaseClock() { clear(); }
    PhaseClock(const PhaseClock&) = delete;
    PhaseClock& operator=(const PhaseClock&) = delete;

    void begin(cudaStream_t stream);
    void mark(Phase phase, cudaStream_t stream);
    void end(cudaStream_t stream) { mark(Phase::kNone, stream); }
    /// Phases without an end, and those whose events failed, are left out. The device must have done it all.
    std::vector<GpuPhaseTime> times() const;
    /// Frees every event.
    void clear();

private:
    struct Mark {
        Phase phase = Phase::kNone;  // that begins; kNone at the end of the last
        cudaEvent_t event = nullptr;
    };

    cudaEvent_t m_base = nullptr;
    std::int64_t m_baseTime = 0;   // ns on the run's clock
    std::vector<Mark> m_marks;     // the events stay from step to step
    std::size_t m_used = 0;        // of this step
    std::vector<Mark> m_captured;  // of the graph
};

}  // namespace warpglass
