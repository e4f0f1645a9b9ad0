#include <cmath>
#include <utility>

#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor naiveAttention(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting) {
    static const RegisteredName kScores("scores"), kSoftmax("softmax"), kValues("values");
    at::Tensor weights;  // (B, H, S, S)
    const auto scaledAndMasked = arithmeticOf(setting.softmax).scaledAndMasked;
    const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
    if (scaledAndMasked) {
        const PartScope part(kScores);
        weights = at::matmul(q, k.transpose(-2, -1));
        q.reset();
        k.reset();
    } else {
        const PartScope part(kScores);
        // Scaling q costs S·d, scaling the scores S²; but autograd keeps the scaled q and no scaled scores.
        // Adding the mask in place keeps nothing for the backward pass, where the softmax's zeros already
        // stop what comes from hidden positions.
        if (!setting.scalesScores)
            q = q * scale;
        weights = at::matmul(q, k.transpose(-2, -1));
        if (setting.scalesScores)
            weights = weights * scale;
        if (setting.causal)
            weights.add_(setting.mask);
        q.reset();
        k.reset();
    }
    {
        const PartScope part(kSoftmax);
        weights = scaledAndMasked ? scaledAndMasked(std::move(weights), scale, setting.causal)
                                  : at::softmax(weights, -1);
    }
    const PartScope part(kValues);
    return at::matmul(weights, v);
}

}  // namespace

template <>
AttentionArithmetic arithmetic<AttentionVariant::kNaive>() {
    return {&naiveAttention};
}

}  // namespace warpglass
