// How close one kernel or op came to what its device can do: GEMMs and fused attention to the roofline, by
// the plan of their place (span_work.h) or, of attention's own kernels, by themselves; any other kernel of
// ours (own_kernel_work.h), and casts and elementwise kernels of the library (library_work.h), to the
// memory's roof. For anything else neither FLOPs nor bytes are known.
//
// Pure; any thread. Linear in the run's kernels (on the CPU its ops).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

struct SpanRoof {
    /// Operations or, where memory is the roof, bytes per second: what was reached, and the roof.
    double reached = 0, roof = 0;
    /// Memory allows less than arithmetic does.
    bool memory = false;
    /// Whose peak the roof is (RunCeilings::origin()).
    std::string_view origin = "measured";
    /// M×N×K of the product that the span computes, or, in the backward pass, of the forward one that it
    /// belongs to; "" where that is not known.
    std::string shape = {};

    /// 0.61 for 61%; never above 1, as a device does no more than it can.
    double share() const;
    /// What is left of a duration at the roof.
    Nanoseconds bestCase(Nanoseconds duration) const;
    /// "measured compute peak of 777 TFLOP/s".
    std::string peakInWords() const;
    /// "It reaches 733 TFLOP/s, 94% of the measured compute peak of 777 TFLOP/s."
    std::string sentence() const;
};

/// For a span on a GPU's stream, or for an op of a run on the CPU by its self time. Nothing where its work or
/// the roof is not known.
std::optional<SpanRoof> spanRoof(const Snapshot& snapshot, SpanRef span);

}  // namespace warpglass
