#include "engine/plan/paper_attention.h"

#include <utility>

namespace warpglass {

using namespace paper_kind;

PaperTensor attendOnPaper(PaperOps& ops, PaperTensor q, PaperTensor k, PaperTensor v, PaperTensor normalized,
                          PaperAttention& saved) {
    const AttentionPlan& attention = attentionPlan(ops.config());
    PaperTensor output = attention.forward(ops, q, k, v, saved);
    if (attention.keepsLayout)
        return output;
    q = k = v = normalized = PaperTensor();
    return ops.kept(kAttended, ops.sizes().streamHalf);
}

bool softmaxReadsHalf(const PaperOps& ops) {
    return ops.config().precision == Precision::kFp16;
}

PaperHeadGradients productsBackward(PaperOps& ops, PaperTensor gradient, Saturating heads, Saturating scores,
                                    PaperAttention& saved) {
    PaperHeadGradients result;
    PaperTensor byHead = ops.sizes().alone ? gradient : ops.make(kFlow, heads);  // contiguous by head
    gradient.reset();
    result.v = ops.make(kFlow, heads);
    PaperTensor probabilityGradient = ops.make(kFlow, scores);
    byHead.reset();
    saved.v.reset();
    if (ops.sizes().alone && heads == ops.sizes().streamHalf)
        ops.arrive(2, std::exchange(result.v, {}));
    const bool narrowed = saved.narrowed.holds();
    saved.narrowed.reset();
    if (narrowed)
        probabilityGradient = ops.make(kFlow, scores * 2);
    const bool widens = narrowed && !softmaxReadsHalf(ops);
    PaperTensor scoreGradient = ops.make(kFlow, widens ? scores * 2 : scores);
    if (ops.sizes().gpu) {  // the gradient times the probabilities, whose rows' sums are taken
        const PaperTensor product = ops.make(kBackwardScratch, narrowed ? scores * 2 : scores);
    }
    probabilityGradient.reset();
    saved.probabilities.reset();
    if (widens)
        scoreGradient = ops.make(kFlow, scores);
    if (ops.sizes().alone && attentionPlan(ops.config()).record == AttentionRecord::kRanges)
        scoreGradient = ops.make(kFlow, scores);  // unscaled
    result.k = ops.make(kFlow, heads);
    result.q = ops.make(kFlow, heads);
    saved.q.reset();
    saved.k.reset();
    return result;
}

}  // namespace warpglass
