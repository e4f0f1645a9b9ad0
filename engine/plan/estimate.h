// All that can be said about a run before it runs: the run panel shows it live, the command line prints it.
#pragma once

#include <cstdint>

#include "engine/base/units.h"
#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/parameters.h"
#include "engine/plan/valid_config.h"

namespace warpglass {

struct Estimate {
    ValidConfig config;
    /// None in the attention workload.
    std::int64_t parameters = 0;
    /// For one step.
    FlopsEstimate flops;
    MemoryPrediction memory;
};

/// Microseconds of work; any thread.
Estimate estimateRun(const ValidConfig& config);

}  // namespace warpglass
