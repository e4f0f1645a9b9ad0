// The extent in time, on the host and on the GPU, of what a filter counts: a view on the time axis need not
// look beyond it.
//
// Bounds, and not exact: all that counts begins within them; what lies within them may be left out by place
// or name.
#pragma once

#include <optional>

#include "engine/base/units.h"
#include "engine/query/spans/span_filter.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct FilterExtent {
    /// Nothing if the filter does not bound time. An extent up to kOpenEnd belongs to a step that is still
    /// running.
    std::optional<TimeRange> host, gpu;
    bool operator==(const FilterExtent&) const = default;
};
inline constexpr Nanoseconds kOpenEnd{INT64_MAX};
/// The GPU's extent is wider by this much: its phases are timed by CUDA events, which are accurate to some
/// tens of µs (engine/cuda/phase_clock.h).
inline constexpr Nanoseconds kGpuPhaseEdge{50'000};

/// By the filter's ranges, step and measuredOnly. What is launched in a range of the host (byLaunch) runs in
/// the GPU's phases of the same steps and phases, and of a step's replay as a graph in all of that step.
/// Where one of those steps or phases has none on the GPU (kGpuPhase), as where it was lost or is yet to
/// come, the GPU's extent is not known and nothing. Linear in the steps and phases of the run. Pure; any
/// thread.
FilterExtent filterExtent(const Snapshot& snapshot, const SpanFilter& filter);

}  // namespace warpglass
