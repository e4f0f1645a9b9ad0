// Everything that can be said about a run before it runs: the run panel shows it live, the command line
// prints it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/parameters.h"
#include "engine/plan/run_config.h"

namespace warpglass {

struct Estimate {
    RunConfig config;
    /// What validate() found. When this is not empty, nothing below is filled in.
    std::vector<ConfigProblem> problems;
    std::int64_t parameters = 0;
    /// Of one step.
    FlopsEstimate flops;
    MemoryPrediction memory;

    bool valid() const { return problems.empty(); }
};

/// Microseconds of work; any thread; any configuration.
Estimate estimateRun(const RunConfig& config);

}  // namespace warpglass
