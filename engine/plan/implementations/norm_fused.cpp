// engine/kernels/step_kernels.h, normForward() and normBackward().
#include <algorithm>

#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

PaperTensor forward(PaperOps& ops, PaperTensor& x, PaperTensor branch, PaperNorm& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor sum = branch.holds() ? ops.kept(kResidual, s.stream) : x;
    PaperTensor result = ops.kept(kNorm, s.streamHalf);
    const PaperTensor reciprocal = ops.kept(kNorm, s.rows);
    if (ops.keeps())
        saved = {sum, reciprocal, {}, branch.holds()};
    x = std::move(sum);
    return result;
}

PaperStreamGradient backward(PaperOps& ops, PaperTensor gradient, PaperTensor through, PaperNorm& saved) {
    const PaperSizes& s = ops.sizes();
    const Saturating width(ops.config().shape.dModel);
    PaperStreamGradient result;
    result.stream = ops.make(kFlow, s.stream);
    if (saved.added)
        result.branch = s.mixed ? ops.make(kFlow, s.streamHalf) : result.stream;
    ops.keepGradient(width);
    {
        const std::int64_t rows = std::min(s.tokens.value(), planOf(NormVariant::kFused).mostPartialRows);
        const PaperTensor partials = ops.make(kBackwardScratch, width * rows * 4);
    }
    gradient.reset();
    // The first norm has nothing to add: autograd adds its input's gradient to the one that is there.
    if (!saved.added && through.holds())
        result.stream = std::move(through);
    saved = {};
    return result;
}

constexpr std::string_view kNames[] = {"fusednorm"};

}  // namespace

template <>
const NormPlan& plan<NormVariant::kFused>() {
    static constexpr NormPlan kPlan{
        .is = {.choice = {"norm", "RMSNorm with the addition to the residual stream before it, in one kernel",
                          Devices::kGpu},
               .names = kNames},
        .forwardWork = {4, 3},  // x², sum, × 1/rms, × gain; of a row mean, + ε, 1/√
        .backwardWork = {8},  // gain's product and sum, dy·g, its dot product with x̂, − x̂·c, × 1/rms
        .addsAndNarrows = true,
        .mostPartialRows = 512,  // some for each multiprocessor, and few to add up
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
