// The model that is run: a decoder-only Transformer language model.
//
//     tokens → token_embeddings → blocks.0 … blocks.N−1 → norm → lm_head → logits
//     block:  x ← x + attn(norm1(x));  x ← x + ffn(norm2(x))
//     attn:   q, k, v ← q_proj, k_proj, v_proj;  RoPE on q and k;  attention;  output_proj
//     ffn:    w2(silu(w1 x) ∘ w3 x)                                             (SwiGLU)
//
// No biases; parameters are fp32. Sizes: B batch, S context, D dModel, F dFf, H heads, d = D / H, V
// vocabulary. The residual stream stays fp32 under autocast, so that norms are computed in fp32.
//
// Every module runs under a range with its path, and is a point where a run can be stopped (StopRequested).
#pragma once

#include <functional>
#include <vector>

#include "engine/capture/range_scope.h"
#include "engine/capture/torch_headers.h"
#include "engine/plan/run_config.h"
#include "engine/runner/attention.h"
#include "engine/runner/safe_point.h"

namespace warpglass {

/// y = x Wᵀ.
struct Linear {
    ModulePath path;
    at::Tensor weight;  // (out, in)
    LinearVariant variant{};
    /// The weight in the type of products, where that is kept (keepsWeightCopies(), engine/plan/parts.h).
    at::Tensor copy{};
    /// For products with the copy.
    ProductsVariant products{};

    at::Tensor operator()(const at::Tensor& x) const;
};

/// Products of one input with several weights as one: (…, out₁ + out₂ + …).
struct JoinedLinear {
    ModulePath path;
    std::vector<at::Tensor> weights;
    /// Their 16-bit copies below one another, (out₁ + out₂ + …, in), of which each Linear::copy is a part;
    /// undefined where the products are not joined (joinsHeads(), joinsGate(), engine/plan/parts.h).
    at::Tensor copy;
    LinearVariant variant{};
    ProductsVariant products{};

    bool defined() const { return copy.defined(); }
    /// Precondition: it is defined.
    at::Tensor operator()(const at::Tensor& x) const;
};

/// Zhang & Sennrich, "Root Mean Square Layer Normalization": x / sqrt(mean(x²) + ε) ∘ weight.
struct RmsNorm {
    ModulePath path;
    at::Tensor weight;  // (D)
    NormVariant variant{};

    at::Tensor operator()(const at::Tensor& x) const;
    /// Normalizes x + branch, which x becomes. Precondition: its arithmetic has addAndNorm.
    at::Tensor afterAdding(const at::Tensor& branch, at::Tensor& x) const;
};

struct Embedding {
    ModulePath path;
    at::Tensor weight;  // (V, D)
    EmbeddingVariant variant{};

    at::Tensor operator()(const at::Tensor& tokens) const;
};

struct SelfAttention {
    ModulePath path;
    Linear queryProjection, keyProjection, valueProjection, outputProjection;  // (D, D)
    /// The first three.
    JoinedLinear headProjections{};

    /// Takes its argument, here and below, so that it is freed once nothing needs it.
    at::Tensor operator()(at::Tensor x, std::int64_t heads, const AttentionSetting& setting) const;
};

struct FeedForward {
    ModulePath path;
    Linear w1, w2, w3;  // (F, D), (D, F), (F, D)
    /// w1 and w3.
    JoinedLinear w13{};
    FeedForwardVariant variant{};

    at::Tensor operator()(at::Tensor x) const;
};

struct Block {
    ModulePath path;
    RmsNorm norm1;
    SelfAttention attention;
    RmsNorm norm2;
    FeedForward feedForward;
};

class Transformer {
public:
    /// Told of every tensor as soon as it exists, so that its memory is known for what it is.
    using TensorMade = std::function<void(const at::Tensor&)>;

    /// Weights are drawn from the seed. The tables that are not parameters (RoPE's rotations, some
    /// attentions' causal mask) are made here too. Throws what LibTorch throws, and StopRequested between two
    /// parameters.
    Transformer(const RunConfig& config, const TensorMade& parameterMade, const TensorMade& tableMade,
                at::Device device = at::kCPU);

    /// tokens: (B, S) int64. Gives (B, S, V).
    at::Tensor forward(const at::Tensor& tokens) const;

    struct Parameter {
        /// The path of the module that owns it, with the modules that enclose that one, outermost first.
        std::vector<ModulePath> modules;
        at::Tensor tensor;
        /// Linear::copy: what updates the tensor updates it too.
        at::Tensor copy{};
    };
    /// In the order of the forward pass. Parameter::modules.back() + ".weight" is its name.
    std::vector<Parameter> parameters() const;
    std::int64_t parameterCount() const;

private:
    /// The residual stream, with a branch that is yet to be added to it (by the next norm, where norms do).
    struct Stream {
        at::Tensor x, branch;
    };
    void forwardBlock(const Block& block, Stream& stream) const;
    void join(Stream& stream, at::Tensor branch) const;
    static at::Tensor normed(const RmsNorm& norm, Stream& stream);

    RunConfig m_config;
    AttentionSetting m_attention;
    Embedding m_embeddings;
    std::vector<Block> m_blocks;
    RmsNorm m_norm;
    Linear m_head;
};

}  // namespace warpglass
