#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

void forward(PaperOps& ops, PaperTensor logits, PaperLoss& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor widened;
    if (s.mixed)
        widened = ops.make(kScratch, s.logits * 4);
    const PaperTensor logProbabilities = ops.kept(kLogProbabilities, s.logits * 4);
    if (ops.keeps())
        saved.logProbabilities = logProbabilities;
    logits.reset();
}

PaperTensor backward(PaperOps& ops, PaperLoss& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor picked = ops.make(kFlow, s.logits * 4);
    PaperTensor gradient = ops.make(kFlow, s.logits * 4);
    picked.reset();
    saved.logProbabilities.reset();
    if (s.mixed)
        gradient = ops.make(kFlow, s.logits * 2);
    return gradient;
}

constexpr std::string_view kNames[] = {"crossentropy", "nllloss"};

}  // namespace

template <>
const LossPlan& plan<LossVariant::kEager>() {
    static constexpr LossPlan kPlan{
        .is = {.choice = {"eager", "PyTorch's cross_entropy_loss: log-softmax in fp32, then the target's"},
               .names = kNames},
        .forwardWork = {5},   // max, subtract, exp, sum, subtract the logarithm
        .backwardWork = {3},  // exp, − 1 at the target, ÷ tokens
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
