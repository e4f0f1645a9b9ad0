// One run of the model on paper: set-up, a step's phases, layer by layer (paper_ops.h). Gives the moments at
// which memory may peak.
#pragma once

#include <vector>

#include "engine/plan/memory_walk.h"
#include "engine/plan/run_config.h"

namespace warpglass {

/// In the order of a run: set-up, then the phases of the fullest step. Any configuration.
std::vector<MemoryMoment> walkStep(const RunConfig& config);

/// A whole run over the allocator, every tensor of every layer by itself, as many steps as change what it has
/// given or taken at most; all is freed again when it returns. False when the allocator's limit left no room.
/// Precondition: validate() finds nothing wrong. O(layers).
bool walkRun(const RunConfig& config, CachingAllocator& allocator);

}  // namespace warpglass
