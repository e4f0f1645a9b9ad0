// Kernels leave much of the GPU unused, for a twentieth of the step or more, in one of two ways:
//
// Too few blocks: a grid of b blocks on m multiprocessors leaves 1 − b / m of them without work; the cost is
// that part of the kernel's time (CUDA C++ Best Practices Guide, "Thread and Block Heuristics").
//
// Low occupancy: fewer than a quarter of the threads that a multiprocessor holds fit at once; the cost is the
// kernel's time. GEMMs and fused attention are left out: they hide latency by instructions in flight and run
// well at an eighth (Volkov 2010). They are recognized by their op, or by the kernel's own name if no op is
// known.
//
// The larger of the two is reported. A kernel may run with other grids too: the table shows all calls of the
// kernels, and if that is more than what is reported, the sentence has both times. Limits: blocks of other
// streams that run at the same time are not seen; without the count of multiprocessors no grid is too small.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findOccupancy(const RunFacts& facts);

}  // namespace warpglass
