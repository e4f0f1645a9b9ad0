#include "engine/query/step_caution.h"

namespace warpglass {

std::string stepCaution(const RunSummary& run) {
    if (run.measuredSteps != 1 || run.state == run_state::kRecording)
        return {};
    return "Only one step was measured: how much steps differ is not known, and a small difference from "
           "another run may be chance.";
}

}  // namespace warpglass
