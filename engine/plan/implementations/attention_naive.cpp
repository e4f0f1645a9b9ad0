#include <utility>

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

bool softmaxInPlace(const PaperOps& ops) {
    return planOf(ops.config().softmax).inPlace;
}

/// With scale, mask and softmax in place of the scores; never alone.
PaperTensor forwardInPlace(PaperOps& ops, PaperTensor& q, PaperTensor& k, const PaperTensor& v,
                           PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    const bool copies = !splitsByHead(ops.config());
    const PaperTensor q2 = copies ? ops.kept(kHeads, s.streamHalf) : q,
                      k2 = copies ? ops.kept(kHeads, s.streamHalf) : k;
    const PaperTensor weights = ops.kept(kProbabilities, s.scores * s.half);
    q.reset();
    k.reset();
    const PaperTensor v2 = copies ? ops.kept(kHeads, s.streamHalf) : v;
    if (ops.keeps())
        saved = {q2, k2, v2, weights, {}, {}};
    return ops.make(kScratch, s.streamHalf);
}

PaperHeadGradients backwardInPlace(PaperOps& ops, PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    PaperHeadGradients result;
    PaperTensor byHead = ops.make(kFlow, s.streamHalf);
    gradient.reset();
    result.v = ops.make(kFlow, s.streamHalf);
    const PaperTensor scoreGradient = ops.make(kFlow, s.scores * s.half);
    byHead.reset();
    saved.v.reset();
    saved.probabilities.reset();
    result.k = ops.make(kFlow, s.streamHalf);
    result.q = ops.make(kFlow, s.streamHalf);
    saved.q.reset();
    saved.k.reset();
    return result;
}

PaperTensor forward(PaperOps& ops, PaperTensor& q, PaperTensor& k, const PaperTensor& v,
                    PaperAttention& saved) {
    if (softmaxInPlace(ops))
        return forwardInPlace(ops, q, k, v, saved);
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
    if (softmaxInPlace(ops))
        return backwardInPlace(ops, std::move(gradient), saved);
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
        .readsByHead = true,
        .hasSoftmaxPart = true,
        .note = "Scaling and masking run inside scores, but their FLOPs are counted under softmax.",
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
