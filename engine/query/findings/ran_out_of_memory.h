// The run failed for want of memory (engine/query/summary/out_of_memory.h): where, and what its first step
// and every later one are predicted to need: AdamW's moments are there from the second step on.
//
// Try: the first of these single changes with which the predicted reservation leaves a tenth of the available
// memory free, also for a second step if the run was to have only one: fused attention, half the batch and
// halves of that, half the context and halves of that. The cost is what it was predicted to need beyond what
// it may take. Limits: what was live is stated only if memory was recorded and none of it is lost.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findRanOutOfMemory(const RunFacts& facts);

}  // namespace warpglass
