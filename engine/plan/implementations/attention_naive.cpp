#include "engine/plan/paper_attention.h"

namespace warpglass {
namespace {

using namespace paper_kind;

/// A GPU's autocast computes softmax in fp32 whatever the scores are, and the product after it in 16 bits.
bool softmaxWidens(const PaperSizes& sizes) {
    return sizes.mixed && sizes.gpu;
}

/// q kᵀ as the Transformer computes it.
PaperTensor scoresOfProjections(PaperOps& ops, PaperTensor& q, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    q = ops.make(kScratch, s.streamHalf);  // scaled
    // A batched product wants its operands contiguous by head: copies, which autograd keeps.
    const PaperTensor q2 = ops.kept(kHeads, s.streamHalf);
    const PaperTensor k2 = ops.kept(kHeads, s.streamHalf);
    if (ops.keeps()) {
        saved.q = q2;
        saved.k = k2;
    }
    return ops.make(kScratch, s.scores * s.half);
}

/// Alone the scores are scaled, after the product.
PaperTensor scoresAlone(PaperOps& ops, const PaperTensor& q, const PaperTensor& k, PaperAttention& saved) {
    const Saturating bytes = ops.sizes().scores * ops.sizes().half;
    const PaperTensor unscaled = ops.make(kScratch, bytes);
    if (ops.keeps()) {
        saved.q = q;
        saved.k = k;
    }
    return ops.make(kScratch, bytes);
}

PaperTensor forward(PaperOps& ops, PaperTensor& q, PaperTensor& k, const PaperTensor& v,
                    PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor scores = s.alone ? scoresAlone(ops, q, k, saved) : scoresOfProjections(ops, q, saved);
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
    const PaperTensor v2 = s.alone ? v : ops.kept(kHeads, s.streamHalf);
    if (ops.keeps()) {
        saved.probabilities = probabilities;
        saved.narrowed = narrowed;
        saved.v = v2;
    }
    return s.alone ? ops.kept(kAttended, s.streamHalf) : ops.make(kScratch, s.streamHalf);
}

PaperHeadGradients backward(PaperOps& ops, PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    PaperHeadGradients result =
        productsBackward(ops, std::move(gradient), s.streamHalf, s.scores * s.half, saved);
    if (!s.alone)
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
