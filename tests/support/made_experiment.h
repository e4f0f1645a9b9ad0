// An experiment's result as if it had been run, with every kind of chart, and its folder with a sweep and a
// run beside it.
#pragma once

#include <filesystem>

#include "engine/base/result.h"
#include "engine/experiments/experiment.h"

namespace warpglass::test {

/// Charts "made-lines", "made-bars" and "made-heat", tables "made-times" (24 rows) and "made-types", two
/// answers, a note, one run "runs/0.wgrun".
ExperimentResult madeExperiment();
/// Its folder, with the sweep "times.wgsweep"; the run is a copy of `run`, or missing where that is empty.
Status writeMadeExperiment(const std::filesystem::path& folder, const std::filesystem::path& run = {});

}  // namespace warpglass::test
