// GEMMs in fp32 although the device has a faster precision for them: they take three tenths of the step or
// more, and the ceilings (measured, or else the data sheet's) differ by a half or more.
//
// The ceilings say what another precision would save: of a GEMM time T, up to T · (1 − ceiling of fp32 /
// ceiling of the other), for tf32 and for bf16 where the device has them.
//
// Try: tf32 on a GPU, which changes no tensor and makes no casts, but bf16 if that is expected to save a
// tenth of the step more; bf16 on the CPU. The expectation is more careful than the stated bound: the GEMMs'
// FLOPs (engine/plan/flops.h) at half the other ceiling, since GEMMs of context 512 reach 35 to 70% of it on
// an H200. The step can get shorter by no more than the GEMMs do, and no shorter than the host takes to
// launch it. Limits: nothing is reported for a step that waits for launches; what bf16's casts add is not
// expected, nor what it saves in kernels that move memory.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findSlowPrecision(const RunFacts& facts);

}  // namespace warpglass
