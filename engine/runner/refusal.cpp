#include "engine/runner/refusal.h"

#include "engine/plan/memory_prediction.h"

namespace warpglass {

Status refuseImpossible(const ValidConfig& config, const DeviceInfo& device, bool overcommit) {
    // The prediction takes milliseconds for a GPU, of whose run nothing is refused.
    if (config->onGpu() || overcommit)
        return {};
    const MemoryPrediction prediction = predictMemory(config);
    if (needsOvercommit(prediction, device.available))
        return Error{fitSentence(prediction, device.available)};
    return {};
}

}  // namespace warpglass
