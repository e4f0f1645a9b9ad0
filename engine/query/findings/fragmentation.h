// At the peak, a twentieth or more of what the GPU's allocator has reserved cannot be given out in one piece:
// free − largest free block (engine/query/memory/memory_segments.h).
//
// The cost is that amount, rather than all free memory, which `info` and the segments state: the largest
// piece can still be given out whole.
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
