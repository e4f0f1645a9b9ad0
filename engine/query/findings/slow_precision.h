// Matrix products in fp32 where the device has a faster arithmetic for them: they take three tenths of the
// step or more, and the ceilings (measured, or else the data sheet's) differ by a half or more.
//
// Try: tf32 on a GPU, which changes no tensor and makes no casts; bf16 on the CPU. The products' arithmetic
// (engine/plan/flops.h) is expected to run at half the other ceiling: products of context 512 reach 35 to
// 70 % of it on an H200. The step can get shorter by no more than the products do, and no shorter than the
// host takes to launch it. Limits: of a step that waits for launches nothing is said.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findSlowPrecision(const RunFacts& facts);

}  // namespace warpglass
