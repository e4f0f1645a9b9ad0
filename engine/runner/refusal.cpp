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

Status refuseImpossible(const RunConfig& config, const DeviceInfo& cpu) {
    // Before validate(), which need not know the devices of this build.
    if (config.device != "cpu") {
        return Error{"The device \"" + config.device +
                     "\" is not there: this version of Warpglass runs models on the CPU (device \"cpu\")."};
    }
    if (const auto problems = validate(config); !problems.empty())
        return Error{problems.front().sentence};
    const MemoryPrediction prediction = predictMemory(config);
    if (fitOf(prediction, cpu.available) == Fit::kTooLarge && !overcommitAllowed())
        return Error{fitSentence(prediction, cpu.available)};
    return {};
}

}  // namespace warpglass
