// The library's implementation of each part but attention and the optimizer: what LibTorch has for it.
#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor embed(const at::Tensor& weight, const at::Tensor& tokens) {
    return at::embedding(weight, tokens);
}

at::Tensor norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    return at::rms_norm(x, {x.size(-1)}, weight, epsilon);
}

at::Tensor rotateOutOfPlace(at::Tensor projected, std::int64_t heads, const at::Tensor& rotations) {
    return applyRotations(projected.unflatten(-1, {heads, projected.size(-1) / heads}), rotations);
}

at::Tensor feedForward(at::Tensor x, const FeedForward& module) {
    at::Tensor hidden = at::silu(module.w1(x));  // (B, S, F)
    hidden = hidden * module.w3(x);
    x.reset();
    return module.w2(hidden);
}

at::Tensor eagerLinear(const at::Tensor& x, const Linear& module) {
    return at::linear(x, module.weight);
}

at::Tensor product(const at::Tensor& a, const at::Tensor& b, at::ScalarType type) {
    return a.scalar_type() == type ? at::mm(a, b) : at::mm(a, b, /*out_dtype=*/type);
}

/// Keeps only the log-softmax for the backward pass, not the logits.
at::Tensor crossEntropy(at::Tensor logits, const at::Tensor& targets) {
    return at::cross_entropy_loss(logits.view({-1, logits.size(-1)}).to(at::kFloat), targets.view({-1}));
}

}  // namespace

template <>
EmbeddingArithmetic arithmetic<EmbeddingVariant::kEager>() {
    return {&embed};
}
template <>
NormArithmetic arithmetic<NormVariant::kEager>() {
    return {&norm};
}
template <>
RotaryArithmetic arithmetic<RotaryVariant::kEager>() {
    return {&rotateOutOfPlace};
}
template <>
SoftmaxArithmetic arithmetic<SoftmaxVariant::kEager>() {
    return {};
}
template <>
FeedForwardArithmetic arithmetic<FeedForwardVariant::kEager>() {
    return {&feedForward};
}
template <>
LinearArithmetic arithmetic<LinearVariant::kEager>() {
    return {&eagerLinear};
}
template <>
ProductsArithmetic arithmetic<ProductsVariant::kEager>() {
    return {&product};
}
template <>
LossArithmetic arithmetic<LossVariant::kEager>() {
    return {&crossEntropy};
}

}  // namespace warpglass
