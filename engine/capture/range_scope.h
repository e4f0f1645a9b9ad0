// Ranges: what the run is doing, opened and closed by scopes on the thread that runs the model. They nest as
// step › phase › module › part, go to the recording if there is one, and are the same as NVTX ranges, so that
// Nsight Systems shows them too (without a tool attached an NVTX call is one branch).
//
// Not copyable; ends in its destructor, so that an exception that unwinds through it leaves nothing open.
#pragma once

#include "engine/capture/name_registry.h"
#include "engine/capture/open_ranges.h"
#include "engine/trace/ids.h"

namespace warpglass {

class RangeScope {
public:
    RangeScope(const RangeScope&) = delete;
    RangeScope& operator=(const RangeScope&) = delete;

protected:
    RangeScope(RangeKind kind, const char* text, std::uint32_t name, std::int64_t value, std::uint8_t detail);
    ~RangeScope();

private:
    RangeKind m_kind;
    bool m_recorded, m_kept;
    int m_exceptions;  // that were under way when it began
};

class StepScope : public RangeScope {
public:
    explicit StepScope(std::int64_t step);
};

class PhaseScope : public RangeScope {
public:
    /// `keepsForBackward`: what is computed in it is kept for a backward pass (forward with gradients).
    explicit PhaseScope(Phase phase, bool keepsForBackward = false);
};

class ModuleScope : public RangeScope {
public:
    explicit ModuleScope(ModulePath path);
};

/// A named piece of the enclosing module's work.
class PartScope : public RangeScope {
public:
    explicit PartScope(RegisteredName part);
};

/// While it lives a step is captured as a CUDA graph and not run.
class CaptureScope : public RangeScope {
public:
    CaptureScope();
};
/// The captured graph is about to be launched, by this thread's next call into CUDA.
void recordGraphLaunch();
/// A GPU went through a phase of a step from `begin` to `end`, ns on the run's clock.
void recordGpuPhase(Phase phase, std::int64_t step, std::int64_t begin, std::int64_t end);

/// Tells the recording, if there is one, what the memory at this address is for. An allocation can be marked
/// until the phase that made it ends.
void markMemory(const void* address, Category category);
/// A value that changes over time.
void recordCounter(RegisteredName counter, double value);

}  // namespace warpglass
