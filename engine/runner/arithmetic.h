// What each implementation of a model's parts (engine/plan/variants.h) computes with LibTorch: one struct a
// part, with a constant of it in each file of engine/runner/implementations.
#pragma once

#include <memory>
#include <optional>
#include <tuple>

#include "engine/runner/optimizer.h"
#include "engine/runner/transformer.h"

namespace warpglass {

struct AttentionArithmetic {
    /// attend() of attention.h.
    at::Tensor (*attend)(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting);
    /// The only one that LibTorch's scaled_dot_product_attention may use; none where it is not called.
    std::optional<at::SDPBackend> backend = std::nullopt;
};

/// The residual stream with a branch added, and its norm.
struct AddedAndNormed {
    at::Tensor sum, normed;
};

struct NormArithmetic {
    /// x / sqrt(mean(x²) + epsilon) ∘ weight.
    at::Tensor (*norm)(const at::Tensor& x, const at::Tensor& weight, double epsilon);
    /// The same of x + branch; null where the addition is an op of its own.
    AddedAndNormed (*addAndNorm)(const at::Tensor& x, const at::Tensor& branch, const at::Tensor& weight,
                                 double epsilon) = nullptr;
};

struct EmbeddingArithmetic {
    /// weight's rows at the tokens: (B, S, D).
    at::Tensor (*embed)(const at::Tensor& weight, const at::Tensor& tokens);
};

struct RotaryArithmetic {
    /// `projected` (B, S, D), which is given up, by head and turned: (B, S, H, d).
    at::Tensor (*rotate)(at::Tensor projected, std::int64_t heads, const at::Tensor& rotations);
    /// `projected` (B, S, 3 D) of queries, keys and values, which is given up: q, k and v, (B, H, S, d), the
    /// first two turned; contiguous by head where `byHead`, else parts of `projected`. Null where the plan's
    /// inPlace is not set.
    std::tuple<at::Tensor, at::Tensor, at::Tensor> (*rotateJoined)(const at::Tensor& projected,
                                                                   std::int64_t heads,
                                                                   const at::Tensor& rotations,
                                                                   bool byHead) = nullptr;
};

struct FeedForwardArithmetic {
    /// w2(silu(w1 x) ∘ w3 x), each product under its module's range.
    at::Tensor (*feedForward)(at::Tensor x, const FeedForward& module);
};

struct SoftmaxArithmetic {
    /// softmax(scale · scores) over the last dimension, (B, H, S, S), masked where causal; the scores may
    /// become it. Null where scale, mask and softmax are ops of their own.
    at::Tensor (*scaledAndMasked)(at::Tensor scores, double scale, bool causal) = nullptr;
};

struct LossArithmetic {
    /// The mean over tokens of −log softmax at the target, fp32 whatever the logits' type. logits (B, S, V),
    /// targets (B, S) int64.
    at::Tensor (*loss)(at::Tensor logits, const at::Tensor& targets);
};

struct LinearArithmetic {
    /// x Wᵀ, in the type that products compute in.
    at::Tensor (*linear)(const at::Tensor& x, const Linear& module);
    /// The same with several weights side by side. Null where the plan keeps no copies of weights.
    at::Tensor (*joined)(const at::Tensor& x, const JoinedLinear& module) = nullptr;
};

struct ProductsArithmetic {
    /// a b, in `type`: theirs, or fp32 of 16-bit ones. a: (m, k), b: (k, n).
    at::Tensor (*multiply)(const at::Tensor& a, const at::Tensor& b, at::ScalarType type);
};

struct OptimizerArithmetic {
    std::unique_ptr<Optimizer> (*make)(std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
                                       Transformer::TensorMade stateMade);
};

// What the implementations of a part compute with, for ArithmeticOf alone: nobody defines or calls these.
AttentionArithmetic arithmeticType(AttentionVariant);
NormArithmetic arithmeticType(NormVariant);
FeedForwardArithmetic arithmeticType(FeedForwardVariant);
EmbeddingArithmetic arithmeticType(EmbeddingVariant);
RotaryArithmetic arithmeticType(RotaryVariant);
SoftmaxArithmetic arithmeticType(SoftmaxVariant);
LossArithmetic arithmeticType(LossVariant);
LinearArithmetic arithmeticType(LinearVariant);
ProductsArithmetic arithmeticType(ProductsVariant);
OptimizerArithmetic arithmeticType(OptimizerVariant);
template <class Variant>
using ArithmeticOf = decltype(arithmeticType(Variant()));

/// Each implementation's file specializes it for its enumerator. For arithmeticOf() alone.
template <auto variant>
ArithmeticOf<decltype(variant)> arithmetic();

/// Precondition: it is one of the list.
template <class Variant>
const ArithmeticOf<Variant>& arithmeticOf(Variant variant);

}  // namespace warpglass
