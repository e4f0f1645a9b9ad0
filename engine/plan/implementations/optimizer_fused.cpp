// engine/kernels/step_kernels.h, adamw().
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (config.mode == Mode::kStep)
        return std::nullopt;
    return "The mode \"" + std::string(modeName(config.mode)) +
           "\" runs no optimizer: choose the mode step, or leave \"optimizer\" out of the kernels.";
}

}  // namespace

template <>
const OptimizerPlan& plan<OptimizerVariant::kFused>() {
    static constexpr std::string_view kNames[] = {"adamw"};
    static constexpr OptimizerPlan kPlan{
        .is = {.choice = {"optimizer", "AdamW over all parameters in one kernel", Devices::kGpu},
               .names = kNames,
               .idle = &idle},
        .moments = 2,
        .work = {14},  // decay 1; first moment 3; second 4; √, bias correction, + ε, ÷, × rate, subtract 6
        .moved = Bytes(28)};  // p, g, m and v read, p, m and v written, 4 bytes each
    return kPlan;
}

}  // namespace warpglass
