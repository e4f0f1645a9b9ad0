#include "engine/plan/estimate.h"

namespace warpglass {

Estimate estimateRun(const ValidConfig& config) {
    return {config, config->isAttention() ? 0 : parameterCount(config->shape), countFlops(config),
            predictMemory(config)};
}

}  // namespace warpglass
