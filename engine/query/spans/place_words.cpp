#include "engine/query/spans/place_words.h"

#include <algorithm>

namespace warpglass {

std::string placeInWords(Phase phase, std::int32_t step, bool inCapture) {
    const std::string whole = inCapture         ? "the graph's capture"
                              : step == kNoStep ? std::string()
                                                : "step " + std::to_string(step);
    const std::string ofStep = whole.empty() ? std::string() : " of " + whole;
    switch (phase) {
        case Phase::kNone:
            return whole.empty() ? "outside any step" : "in " + whole;
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

std::string placeInWords(std::string_view phase, std::int32_t step) {
    return placeInWords(phaseNamed(phase), step);
}

}  // namespace warpglass
