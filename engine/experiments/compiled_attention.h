// A part of the experiment `compiled`: attention alone over its lengths, op by op, as a CUDA graph, and by
// Warpglass's own kernels.
#pragma once

#include "engine/experiments/experiment.h"

namespace warpglass::experiment {

/// The sweep "attention", with what was given of the attention workload's settings.
NamedSweep compiledAttentionSweep(const ExperimentOptions& options);
/// What it says: a sentence for each variant, a table, a chart. Nothing of an empty sweep, as a folder of an
/// earlier version has.
void evaluateCompiledAttention(const Sweep& sweep, ExperimentResult& result);

}  // namespace warpglass::experiment
