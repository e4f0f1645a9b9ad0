#include <vector>

#include "engine/plan/paper_attention.h"

namespace warpglass {
namespace {

using namespace paper_kind;

PaperTensor forward(PaperOps& ops, PaperTensor&, PaperTensor&, const PaperTensor& v, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    std::vector<PaperTensor> widened;  // LibTorch computes this variant in fp32 on the CPU
    for (int i = 0; s.mixed && i < 3; ++i)
        widened.push_back(s.alone && i == 2 ? ops.kept(kHeads, s.stream)  // v as its product reads it
                                            : ops.make(kScratch, s.stream));
    // Where heads are contiguous, the products read, and autograd keeps, what was scaled.
    const PaperTensor scaledQ = s.alone ? ops.kept(kHeads, s.stream) : ops.make(kScratch, s.stream);
    const Saturating square = Saturating(ops.config().context) * ops.config().context;
    PaperTensor mask;
    if (ops.config().isCausal()) {
        const PaperTensor lower = ops.make(kScratch, square);  // bool
        mask = ops.make(kScratch, square * 4);
    }
    PaperTensor scaledK = s.alone ? ops.kept(kHeads, s.stream) : ops.make(kScratch, s.stream);
    PaperTensor scores;
    {
        const PaperTensor q2 = s.alone ? scaledQ : ops.kept(kHeads, s.stream);
        const PaperTensor k2 = s.alone ? scaledK : ops.kept(kHeads, s.stream);
        scores = ops.make(kScratch, s.scores * 4);
        if (ops.keeps()) {
            saved.q = q2;
            saved.k = k2;
        }
    }
    scaledK.reset();
    const PaperTensor probabilities = ops.kept(kProbabilities, s.scores * 4);
    {
        // Rows that see nothing are looked for: one bool a score.
        const PaperTensor hidden = ops.make(kScratch, s.scores);
        const PaperTensor rows = ops.make(kScratch, Saturating(s.headRows.value() / 4));
    }
    scores.reset();
    PaperTensor secondResult;  // the weights in the input's type, made although no one asked for them
    if (s.mixed)
        secondResult = ops.make(kScratch, s.scores * 2);
    PaperTensor output;
    {
        const PaperTensor v2 = !s.alone ? ops.kept(kHeads, s.stream) : s.mixed ? widened[2] : v;
        if (ops.keeps()) {
            saved.probabilities = probabilities;
            saved.v = v2;
        }
        output = s.alone ? ops.kept(kAttended, s.stream) : ops.make(kScratch, s.stream);
    }
    return !s.mixed ? output : s.alone ? ops.kept(kAttended, s.streamHalf) : ops.make(kScratch, s.streamHalf);
}

PaperHeadGradients backward(PaperOps& ops, PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    if (s.mixed)
        gradient = ops.make(kFlow, s.stream);
    PaperHeadGradients result = productsBackward(ops, std::move(gradient), s.stream, s.scores * 4, saved);
    result.q = ops.make(kFlow, s.stream);
    result.k = ops.make(kFlow, s.stream);
    if (s.mixed)
        for (PaperTensor* each : {&result.q, &result.k, &result.v})
            *each = ops.make(kFlow, s.streamHalf);
    return result;
}

}  // namespace

template <>
const AttentionPlan& plan<AttentionVariant::kSdpaMath>() {
    static constexpr AttentionPlan kPlan{
        .is = {{"sdpa-math", "PyTorch's scaled_dot_product_attention, math backend"}},
        .record = AttentionRecord::kOps,
        .storesScores = true,
        .note =
            "LibTorch runs sdpa-math under one range: scores and values are told from the rest by their "
            "ops, not from each other.",
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
