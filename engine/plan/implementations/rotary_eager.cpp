#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

/// In fp32.
PaperTensor forward(PaperOps& ops, const PaperTensor& /*projected*/, const MemoryWalk::Kind& kind) {
    const PaperSizes& s = ops.sizes();
    if (!s.mixed)
        return ops.make(kind, s.stream);
    const PaperTensor widened = ops.make(kScratch, s.stream);
    const PaperTensor turned = ops.make(kScratch, s.stream);
    return ops.make(kind, s.streamHalf);
}

PaperTensor backward(PaperOps& ops, PaperTensor gradient) {
    const PaperSizes& s = ops.sizes();
    if (s.mixed)
        gradient = ops.make(kFlow, s.stream);
    if (!attentionPlan(ops.config()).keepsLayout)
        gradient = ops.make(kFlow, s.stream);  // contiguous, to be seen as complex
    {
        const PaperTensor conjugate = ops.make(kBackwardScratch, s.rotations);
        gradient = ops.make(kFlow, s.stream);
    }
    if (s.mixed)
        gradient = ops.make(kFlow, s.streamHalf);
    return gradient;
}

}  // namespace

template <>
const RotaryPlan& plan<RotaryVariant::kEager>() {
    static constexpr RotaryPlan kPlan{
        .is = {.choice = {"eager", "PyTorch's complex product, with casts to fp32 and back"}},
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
