// The optimizer takes a tenth of the step or more (what its phase launched, kernels and the driver's copies);
// or its moments are a tenth of the peak or more: with only fp32 weights and gradients beside them they would
// be half.
//
// Try, of time: our own kernel over all parameters (fusion_gain.h, optimizer), where PyTorch's does not come
// near the bandwidth.
//
// For the fused AdamW on a GPU the memory rate is stated: four numbers read and three written per parameter,
// 28 bytes. Limits: if other work ran beside it on the GPU, its time would count twice; there is none here.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findOptimizerTime(const RunFacts& facts);
std::optional<Finding> findOptimizerMemory(const RunFacts& facts);

}  // namespace warpglass
