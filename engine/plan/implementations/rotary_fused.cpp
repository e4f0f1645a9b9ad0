// engine/kernels/step_kernels.h, rotary().
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

PaperTensor forward(PaperOps&, const PaperTensor& projected, const MemoryWalk::Kind&) {
    return projected;
}

PaperTensor backward(PaperOps& ops, PaperTensor gradient) {
    if (!attentionPlan(ops.config()).keepsLayout)
        gradient = ops.make(kFlow, ops.sizes().streamHalf);  // from (B, H, S, d) to what the projection made
    return ops.make(kFlow, ops.sizes().streamHalf);
}

constexpr std::string_view kNames[] = {"rotary"};

}  // namespace

template <>
const RotaryPlan& plan<RotaryVariant::kFused>() {
    static constexpr RotaryPlan kPlan{
        .is = {.choice = {"rope", "Queries and keys are rotated in place by one kernel each", Devices::kGpu},
               .names = kNames},
        .forward = &forward,
        .backward = &backward,
        .inPlace = true};
    return kPlan;
}

}  // namespace warpglass
