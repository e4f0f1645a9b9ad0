#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

/// Numbers in each weight.
Saturating wide(const PaperOps& ops) {
    return Saturating(ops.config().shape.dModel) * ops.config().shape.dFf;
}

PaperTensor hidden(PaperOps& ops, const PaperTensor& y, PaperLinear& saved) {
    const PaperSizes& s = ops.sizes();
    return ops.linear(y, s.stream, ops.normNarrows(), wide(ops), ops.keeps() ? kFeedForward : kScratch,
                      s.hiddenHalf, saved);
}

PaperTensor forward(PaperOps& ops, PaperTensor y, PaperFeedForward& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor gate = hidden(ops, y, saved.w1);
    PaperTensor active = ops.kept(kFeedForward, s.hiddenHalf);
    if (ops.keeps())
        saved.gate = gate;
    gate.reset();
    PaperTensor value = hidden(ops, y, saved.w3);
    PaperTensor product = ops.kept(kFeedForward, s.hiddenHalf);
    saved.hidden = product;
    if (ops.keeps()) {
        saved.gateActivation = active;
        saved.value = value;
    }
    active.reset();
    value.reset();
    y.reset();
    return ops.linear(product, s.tokens * ops.config().shape.dFf * 4, true, wide(ops), kScratch, s.streamHalf,
                      saved.w2);
}

PaperTensor backward(PaperOps& ops, PaperTensor gradient, PaperFeedForward& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor product = ops.linearBackward(std::move(gradient), saved.w2);
    PaperTensor value = ops.make(kFlow, s.hiddenHalf);
    PaperTensor active = ops.make(kFlow, s.hiddenHalf);
    product.reset();
    saved.gateActivation.reset();
    saved.value.reset();
    PaperTensor sum = ops.linearBackward(std::move(value), saved.w3);
    PaperTensor gate = ops.make(kFlow, s.hiddenHalf);
    active.reset();
    saved.gate.reset();
    PaperTensor second = ops.linearBackward(std::move(gate), saved.w1, true);
    return ops.addGradients(std::move(sum), std::move(second));
}

constexpr std::string_view kNames[] = {"silu"};

}  // namespace

template <>
const FeedForwardPlan& plan<FeedForwardVariant::kEager>() {
    static constexpr FeedForwardPlan kPlan{
        .is = {.choice = {"eager", "Three products, silu and the gate's product, op by op"}, .names = kNames},
        .forwardWork = {6},    // sigmoid (−, exp, +, ÷), × x, × gate
        .backwardWork = {11},  // two products of the gate, sigmoid again, silu' (5)
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
