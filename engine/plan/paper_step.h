// One run of the model on paper: set-up, a step's phases, layer by layer (paper_ops.h). Gives the moments at
// which memory may peak.
#pragma once

#include <vector>

#include "engine/plan/memory_walk.h"
#include "engine/plan/run_config.h"

namespace warpglass {

/// In the order of a run: set-up, then the phases of the fullest step. Any configuration.
std::vector<MemoryMoment> walkStep(const RunConfig& config);

}  // namespace warpglass
