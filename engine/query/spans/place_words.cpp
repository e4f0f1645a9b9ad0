#include "engine/query/spans/place_words.h"

namespace warpglass {

std::string placeInWords(Phase phase, std::int32_t step) {
    const std::string ofStep = step == kNoStep ? std::string() : " of step " + std::to_string(step);
    switch (phase) {
        case Phase::kNone:
            return step == kNoStep ? "outside any step" : "in step " + std::to_string(step);
        case Phase::kForward:
            return "in the forward pass" + ofStep;
        case Phase::kBackward:
            return "in the backward pass" + ofStep;
        case Phase::kSetup:
        case Phase::kTeardown:
            return "in " + std::string(phaseName(phase));
        default:
            return "in the " + std::string(phaseName(phase)) + " phase" + ofStep;
    }
}

}  // namespace warpglass
