// The run failed for want of memory (engine/query/summary/out_of_memory.h): where, and what its first step
// and every later one are predicted to need: AdamW's moments are there from the second step on.
//
// Try: the first of these single changes with which what the allocator is predicted to reserve leaves a tenth
// of what the run may take, also for a second step where the run was to have one alone: fused attention, half
// the batch and halves of that, half the context and halves of that. The cost is what it was predicted to
// need beyond what it may take. Limits: what was alive is told where memory was recorded and none of it is
// lost.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findRanOutOfMemory(const RunFacts& facts);

}  // namespace warpglass
