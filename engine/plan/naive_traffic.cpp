#include "engine/plan/naive_traffic.h"

#include "engine/plan/paper_ops.h"

namespace warpglass {

Saturating naiveProductsMove(const RunConfig& config, PlanPhase phase) {
    const PaperSizes s(config);
    const Saturating scores = s.scores * s.half;
    // q, k and the scores; the weights, v and the output.
    if (phase == PlanPhase::kForward)
        return s.streamHalf * 4 + scores * 2;
    // The output's gradient is read twice, and so is that of the scores; the weights are read and their
    // gradient is written.
    return s.streamHalf * 8 + scores * 4;
}

Saturating naiveSoftmaxMoves(const RunConfig& config, PlanPhase phase) {
    const PaperSizes s(config);
    const Saturating scores = s.scores * s.half, wide = s.scores * 4;
    // The Transformer scales the queries; attention alone scales the scores.
    const Saturating scale = (s.alone ? scores : s.streamHalf) * 2;
    // Softmax makes fp32 of the products' type, bf16 by a cast before it, and is cast back.
    const Saturating casts =
        s.mixed ? wide + scores + (config.precision == Precision::kBf16 ? wide * 2 : Saturating(0))
                : Saturating(0);
    if (phase == PlanPhase::kForward) {
        const Saturating mask = config.isCausal() ? scores * 2 : Saturating(0);  // added in place
        return scale + mask + scores + wide + casts;
    }
    return scale + wide * 2 + scores + casts;
}

}  // namespace warpglass
