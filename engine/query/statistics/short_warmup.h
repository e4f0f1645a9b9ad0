// Whether the warm-up was too short: the first measured step is then slower than all after it, and the mean
// has a share of what the warm-up should have taken.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "engine/query/statistics/phase_samples.h"

namespace warpglass {

/// "Step 1 took 12 % longer than the steps after it: one warm-up step was too short."; "" where the first
/// measured step is not longer than every later one, or by a tenth of their median at most. Two later steps
/// are needed, since of two steps that differ either may be the odd one. `steps`: the last of phaseSamples();
/// `warmup`: how many warm-up steps the run has, since a selection may have left them out.
std::string shortWarmup(const PhaseSamples& steps, std::int32_t warmup);

}  // namespace warpglass
