#include "engine/plan/parts.h"

namespace warpglass {

template <>
const OptimizerPlan& plan<OptimizerVariant::kTorchFused>() {
    static constexpr std::string_view kNames[] = {"adamw"};
    static constexpr OptimizerPlan kPlan{
        .is = {.choice = {"torch-fused",
                          "PyTorch's fused AdamW: one pass over parameters, gradients, moments"},
               .names = kNames},
        .moments = 2,
        .work = {14},  // decay 1; first moment 3; second 4; √, bias correction, + ε, ÷, × rate, subtract 6
        .moved = Bytes(28),         // p, g, m and v read, p, m and v written, 4 bytes each
        .movedForCopy = Bytes(6)};  // p read once more, its copy written
    return kPlan;
}

}  // namespace warpglass
