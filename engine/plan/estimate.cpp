#include "engine/plan/estimate.h"

namespace warpglass {

Estimate estimateRun(const RunConfig& config) {
    Estimate estimate;
    estimate.config = config;
    estimate.problems = validate(config);
    if (!estimate.valid())
        return estimate;
    estimate.parameters = parameterCount(config.shape);
    estimate.flops = countFlops(config);
    estimate.memory = predictMemory(config);
    return estimate;
}

}  // namespace warpglass
