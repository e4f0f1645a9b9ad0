#include "engine/plan/paper_attention.h"

namespace warpglass {
namespace {

using namespace paper_kind;

/// A GPU's autocast computes softmax in fp32 whatever the scores are, and the product after it in 16 bits.
bool softmaxWidens(const PaperSizes& sizes) {
    return sizes.mixed && sizes.gpu;
}

PaperTensor forward(PaperOps& ops, PaperTensor& q, PaperTensor& k, const PaperTensor&,
                    PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor scores;
    {
        q = ops.make(kScratch, s.streamHalf);  // scaled
        // A batched product wants its operands contiguous by head: copies, which autograd keeps.
        const PaperTensor q2 = ops.kept(kHeads, s.streamHalf);
        const PaperTensor k2 = ops.kept(kHeads, s.streamHalf);
        scores = ops.make(kScratch, s.scores * s.half);
        if (ops.keeps()) {
            saved.q = q2;
            saved.k = k2;
        }
    }
    q.reset();
    k.reset();
    PaperTensor widened;
    if (softmaxWidens(s) && !softmaxReadsHalf(ops))
        widened = ops.make(kScratch, s.scores * 4);
    const PaperTensor probabilities =
        ops.kept(kProbabilities, s.scores * (softmaxWidens(s) ? Saturating(4) : s.half));
    widened.reset();
    scores.reset();
    PaperTensor narrowed;
    if (softmaxWidens(s))
        narrowed = ops.kept(kProbabilities, s.scores * 2);
    const PaperTensor v2 = ops.kept(kHeads, s.streamHalf);
    if (ops.keeps()) {
        saved.probabilities = probabilities;
        saved.narrowed = narrowed;
        saved.v = v2;
    }
    return ops.make(kScratch, s.streamHalf);
}

PaperHeadGradients backward(PaperOps& ops, PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    PaperHeadGradients result =
        productsBackward(ops, std::move(gradient), s.streamHalf, s.scores * s.half, saved);
    result.q = ops.make(kFlow, s.streamHalf);  // unscaled
    return result;
}

}  // namespace

template <>
const AttentionPlan& plan<AttentionVariant::kNaive>() {
    static constexpr AttentionPlan kPlan{
        .is = {{"naive", "Scores, softmax and values as three separate steps"}},
        .record = AttentionRecord::kRanges,
        .storesScores = true,
        .hasMaskTable = true,
        .note = "The scale and the mask run within scores; the plan counts their arithmetic with softmax.",
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
