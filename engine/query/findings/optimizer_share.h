// The optimizer takes a tenth of the step or more (what its phase launched, kernels and the driver's copies);
// and its moments are a tenth of the peak or more: beside fp32 weights and gradients alone they would be
// half.
//
// Of the fused AdamW on a GPU the memory rate is stated: four numbers read and three written a parameter,
// 28 bytes. Limits: with other work beside it on the GPU its time would count double; there is none here.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findOptimizerTime(const RunFacts& facts);
std::optional<Finding> findOptimizerMemory(const RunFacts& facts);

}  // namespace warpglass
