#include "engine/plan/estimate.h"

namespace warpglass {

Estimate estimateRun(const ValidConfig& config) {
    return {config, parameterCount(config->shape), countFlops(config), predictMemory(config)};
}

}  // namespace warpglass
