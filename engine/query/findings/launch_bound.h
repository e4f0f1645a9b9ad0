// The GPU waits for the host: idle time by the cause "waiting for the host"
// (engine/query/activity/gpu_idle.h), a tenth of the step or more. Below that count the waits at a step's
// beginning and end, which every execution has.
//
// Try: the step as a CUDA graph, expected to take the GPU's busy time and its other idle time. Limits: what
// the host itself computes in a step stays, and a graph's gaps between kernels may be shorter than these.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findLaunchBound(const RunFacts& facts);

/// Ends a remedy that makes kernels shorter, or fewer, in a run that is launch-bound.
inline constexpr std::string_view kOnlyFewerLaunches =
    " While the GPU waits for the host, this shortens the step only by the launches that it saves.";

/// "launch-bound (the GPU waits for the host 41% of the step)" or "GPU-bound (the GPU is busy for 97% of
/// the step)"; "bound by neither (...)" where the GPU is idle for a tenth or more for other reasons. A
/// single measured step lets it say no more than "launch-bound in the one measured step (... 41% of it)". ""
/// where the run's data do not tell: no GPU, no complete step, or records that are missing.
std::string boundInWords(const RunFacts& facts);

}  // namespace warpglass
