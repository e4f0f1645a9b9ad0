#include "engine/runner/refusal.h"

#include <cstdlib>
#include <string_view>

#include "engine/plan/memory_prediction.h"

namespace warpglass {
namespace {

bool overcommitAllowed() {
    const char* value = std::getenv("WARPGLASS_ALLOW_OVERCOMMIT");
    return value && std::string_view(value) == "1";
}

}  // namespace

Status refuseImpossible(const RunConfig& config, const DeviceInfo& device, bool overcommit) {
    if (const auto problems = validate(config); !problems.empty())
        return Error{problems.front().sentence};
    // Out of a GPU's memory is a result; out of the machine's, the end of this process and perhaps of others.
    if (config.onGpu() || overcommit || overcommitAllowed())
        return {};
    const MemoryPrediction prediction = predictMemory(config);
    if (fitOf(prediction, device.available) == Fit::kTooLarge)
        return Error{fitSentence(prediction, device.available)};
    return {};
}

}  // namespace warpglass
