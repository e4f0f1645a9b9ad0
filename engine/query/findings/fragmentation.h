// At the peak, a twentieth or more of what the GPU's allocator has reserved is lost to holes, not counting
// the largest of them (engine/query/memory/free_memory.h): that is the cost, too. Segments that are free as a
// whole are none of it, since the allocator can give them back.
//
// Limits: only if segments were recorded (on a GPU, in run files from version 3 on) and none of them are
// lost, and only at the peak of allocated memory.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findFragmentation(const RunFacts& facts);

}  // namespace warpglass
