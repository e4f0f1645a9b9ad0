// engine/kernels/step_kernels.h, crossEntropyForward() and crossEntropyBackward().
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

void forward(PaperOps& ops, PaperTensor logits, PaperLoss& saved) {
    const PaperSizes& s = ops.sizes();
    const PaperTensor logSumExp = ops.kept(kLogProbabilities, s.rows);
    const PaperTensor rowLosses = ops.make(kScratch, s.rows);
    if (ops.keeps()) {
        saved.logits = std::move(logits);
        saved.logSumExp = logSumExp;
    }
}

PaperTensor backward(PaperOps&, PaperLoss& saved) {
    saved.logSumExp.reset();
    return std::move(saved.logits);
}

constexpr std::string_view kNames[] = {"crossentropy"};

}  // namespace

template <>
const LossPlan& plan<LossVariant::kFused>() {
    static constexpr LossPlan kPlan{
        .is = {.choice = {"loss",
                          "Cross-entropy in one pass over the logits, whose gradient takes their place",
                          Devices::kGpu},
               .names = kNames},
        .forwardWork = {5},   // max, subtract, exp, sum, subtract the logarithm
        .backwardWork = {3},  // exp, − 1 at the target, ÷ tokens
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
