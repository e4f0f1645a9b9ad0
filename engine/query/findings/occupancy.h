// Kernels leave much of the GPU unused, for a twentieth of the step or more:
//
//   too few blocks  a grid of b blocks on m multiprocessors leaves 1 − b / m of them without work; the cost
//   is
//                   that part of the kernel's time (CUDA C++ Best Practices Guide, "Thread and Block
//                   Heuristics")
//   low occupancy   fewer than a quarter of the threads that a multiprocessor holds fit at once; the cost is
//                   the kernel's time. Matrix products and fused attention are left out: they hide latency by
//                   instructions in flight and run well at an eighth (Volkov 2010).
//
// The larger of the two is told. Limits: blocks of other streams that run at the same time are not seen.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findOccupancy(const RunFacts& facts);

}  // namespace warpglass
