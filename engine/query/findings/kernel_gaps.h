// The GPU is idle although the next kernel had been launched: idle time by the cause "kernel gap"
// (engine/query/activity/gpu_idle.h), a twentieth of the step or more, because steps differ by that much from
// one to the next. The figure per kernel divides that time by the kernels of a step, although some gaps are
// before copies.
//
// Limits: the recording itself lengthens gaps a little (docs/performance.md).
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findKernelGaps(const RunFacts& facts);

}  // namespace warpglass
