#include <cmath>
#include <utility>

#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// q kᵀ. The library's own gradient of k is transposed, and would be copied before it goes on.
struct ScoresFunction : torch::autograd::Function<ScoresFunction> {
    /// q, k: (B, H, S, d), contiguous.
    static at::Tensor forward(AutogradContext* context, const at::Tensor& q, const at::Tensor& k) {
        context->save_for_backward({q, k});
        return at::matmul(q, k.transpose(-2, -1));
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        return {at::matmul(gradients[0], saved[1]), at::matmul(gradients[0].transpose(-2, -1), saved[0])};
    }
};

at::Tensor scoresOf(const at::Tensor& q, const at::Tensor& k, bool byHead) {
    if (!byHead)
        return at::matmul(q, k.transpose(-2, -1));
    RECORD_FUNCTION("warpglass::scores", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return ScoresFunction::apply(q, k);
}

at::Tensor naiveAttention(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting) {
    static const RegisteredName kScores("scores"), kSoftmax("softmax"), kValues("values");
    at::Tensor weights;  // (B, H, S, S)
    const auto scaledAndMasked = arithmeticOf(setting.softmax).scaledAndMasked;
    const double scale = 1.0 / std::sqrt(static_cast<double>(q.size(-1)));
    if (scaledAndMasked) {
        const PartScope part(kScores);
        weights = scoresOf(q, k, setting.byHead);
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
