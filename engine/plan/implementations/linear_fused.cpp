#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (isMixed(config.precision))
        return std::nullopt;
    return "There are no casts in " + std::string(precisionName(config.precision)) +
           ": choose bf16 or fp16, or leave \"casts\" out of the kernels.";
}

}  // namespace

template <>
const LinearPlan& plan<LinearVariant::kFused>() {
    static constexpr LinearPlan kPlan{
        .is =
            {.choice = {"casts",
                        "16-bit copies of weights are kept by the optimizer, and gradients of weights leave "
                        "their products in fp32: no weight is cast",
                        Devices::kGpu},
             .idle = &idle},
        .keepsCopies = true};
    return kPlan;
}

}  // namespace warpglass
