#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

PaperTensor forward(PaperOps& ops, PaperTensor& x, PaperTensor /*branch: it adds none*/, PaperNorm& saved) {
    const PaperSizes& s = ops.sizes();
    if (s.gpu) {  // one fused kernel, which keeps its input and 1/rms of each row
        PaperTensor result = ops.kept(kNorm, s.stream);
        const PaperTensor reciprocal = ops.kept(kNorm, s.rows);
        if (ops.keeps())
            saved = {x, reciprocal, {}};
        return result;
    }
    PaperTensor statistics;
    {
        const PaperTensor squares = ops.make(kScratch, s.stream);
        const PaperTensor mean = ops.make(kScratch, s.rows);
        statistics = ops.kept(kNorm, s.rows);
    }
    const PaperTensor normalized = ops.kept(kNorm, s.stream);
    PaperTensor result = ops.kept(kNorm, s.stream);
    if (ops.keeps())
        saved = {x, statistics, normalized};
    return result;
}

PaperStreamGradient backward(PaperOps& ops, PaperTensor gradient, PaperTensor through, PaperNorm& saved) {
    const PaperSizes& s = ops.sizes();
    const Saturating width(ops.config().shape.dModel);
    if (s.gpu) {
        const PaperTensor inputGradient = ops.make(kFlow, s.stream);
        ops.keepGradient(width);
        gradient.reset();
        saved = {};
        // Where there is one, the input's is added to it in place.
        return {through.holds() ? through : inputGradient, {}};
    }
    // y = x̂ ∘ gain
    PaperTensor normalizedGradient = ops.make(kFlow, s.stream);
    {
        const PaperTensor product = ops.make(kBackwardScratch, s.stream);
        ops.keepGradient(width);
    }
    gradient.reset();
    saved.normalized.reset();
    // x̂ = x · r, with r = 1/rms(x); this part of x's gradient is added to `through` in place.
    PaperTensor sum = ops.make(kFlow, s.stream);
    PaperTensor rowGradient;
    {
        const PaperTensor product = ops.make(kBackwardScratch, s.stream);
        rowGradient = ops.make(kFlow, s.rows);
    }
    normalizedGradient.reset();
    through.reset();
    {
        const PaperTensor power = ops.make(kBackwardScratch, s.rows);
        const PaperTensor product = ops.make(kBackwardScratch, s.rows);
        rowGradient = ops.make(kFlow, s.rows);
    }
    saved.statistics.reset();
    // r through the mean of x²: the mean's gradient spread over the row, times 2x; again added in place.
    const PaperTensor spread = ops.make(kFlow, s.stream);
    rowGradient.reset();
    {
        const PaperTensor power = ops.make(kBackwardScratch, s.stream);
        const PaperTensor doubled = ops.make(kBackwardScratch, s.stream);
        const PaperTensor product = ops.make(kBackwardScratch, s.stream);
    }
    saved.input.reset();
    return {sum, {}};
}

constexpr std::string_view kNames[] = {"rmsnorm"};

}  // namespace

template <>
const NormPlan& plan<NormVariant::kEager>() {
    static constexpr NormPlan kPlan{
        .is = {.choice = {"eager", "PyTorch's rms_norm: one kernel on a GPU, op by op on the CPU"},
               .names = kNames},
        .forwardWork = {4, 3},  // x², sum, × 1/rms, × gain; of a row mean, + ε, 1/√
        .backwardWork = {8},  // gain's product and sum, dy·g, its dot product with x̂, − x̂·c, × 1/rms
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
