// Attention over explicit S × S matrices takes a tenth of the step or more: the time of what naive attention
// launched in its parts "scores", "softmax" and "values", forward and backward.
//
// Try, in 16 bits: flash attention, whose arithmetic F (recomputation included, engine/plan/flops.h) is
// expected to run at a fifth of the peak rate; on an H200 its kernels reach 22% of the data sheet at context
// 512 and head dimension 64. The step can get no shorter than the host takes to launch it, so there is
// nothing to try in time where that is the limit. In fp32 and tf32: scale, mask and softmax in one kernel
// (fusion_gain.h, softmax). Limits: casts within the parts count as theirs; of
// sdpa-math the parts are not recorded, and without ops those of a backward pass are not known; in fp32 no
// fused variant is known to be faster.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findScoreMatrixTime(const RunFacts& facts);

}  // namespace warpglass
