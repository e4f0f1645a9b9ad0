// LibTorch's memory snapshots that a sweep of an experiment has kept.
#pragma once

#include "engine/experiments/experiment.h"

namespace warpglass {

/// Lists them in the result, with a note how they are opened, and one of runs that should have left one and
/// have not. Nothing where the sweep keeps none.
void listMemorySnapshots(const Sweep& sweep, ExperimentResult& result);

}  // namespace warpglass
