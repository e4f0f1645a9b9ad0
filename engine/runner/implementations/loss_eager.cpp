#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

/// Keeps only the log-softmax for the backward pass, not the logits.
at::Tensor crossEntropy(at::Tensor logits, const at::Tensor& targets) {
    return at::cross_entropy_loss(logits.view({-1, logits.size(-1)}).to(at::kFloat), targets.view({-1}));
}

}  // namespace

template <>
LossArithmetic arithmetic<LossVariant::kEager>() {
    return {&crossEntropy};
}

}  // namespace warpglass
