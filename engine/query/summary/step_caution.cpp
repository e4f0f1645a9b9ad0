#include "engine/query/summary/step_caution.h"

namespace warpglass {

std::string stepCaution(const RunSummary& run) {
    if (run.state == run_state::kRecording)
        return {};
    if (run.averagesWarmup)
        return "No measured step was completed: what is said of a step is of the warm-up, which takes "
               "longer.";
    if (run.measuredSteps != 1)
        return {};
    return "Only one step was measured: the variation from step to step is unknown, and a small "
           "difference from another run may be noise.";
}

}  // namespace warpglass
