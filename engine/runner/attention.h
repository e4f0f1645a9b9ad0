// Multi-head attention, in the variants that can be compared. All give softmax(q kᵀ / √d) v.
#pragma once

#include <string>

#include "engine/capture/torch_headers.h"
#include "engine/plan/run_config.h"

namespace warpglass {

/// What every layer's attention shares; the tensors are made once.
struct AttentionSetting {
    AttentionVariant variant{};
    /// Each position sees itself and what came before it.
    bool causal = true;
    /// Where the variant computes scores of its own, they are scaled: softmax((q kᵀ) / √d). Otherwise q is.
    bool scalesScores = false;
    /// The backward pass of flash attention on a GPU gives the same bits in every run.
    bool deterministic = false;
    RotaryVariant rotary{};
    /// q, k and v come contiguous by head from the rotary embedding (splitsByHead(), engine/plan/parts.h).
    bool byHead = false;
    /// For naive attention.
    SoftmaxVariant softmax{};
    /// RoPE: (S, 1, d/2) complex rotations by position and pair.
    at::Tensor rotations;
    /// (S, S), 0 where a position may look and −∞ where not, in the type of the scores; only where the plan
    /// has one.
    at::Tensor mask;
};

/// RoPE's table: (s, i) is exp(j · s · base^(−2i/d)). Su et al., "RoFormer". fp32 complex, (S, 1, d/2).
at::Tensor makeRotations(std::int64_t context, std::int64_t headDimension, at::Device device = at::kCPU);
/// (S, S), −∞ above the diagonal and 0 elsewhere, in the type that this precision gives the scores.
at::Tensor makeCausalMask(std::int64_t context, Precision precision, at::Device device = at::kCPU);
/// What GEMMs compute in.
at::ScalarType productType(Precision precision);

/// Rotates pairs of neighboring features by position: x (B, S, H, d) → the same shape and type. In fp32.
at::Tensor applyRotations(const at::Tensor& x, const at::Tensor& rotations);

/// q, k, v: (B, H, S, d), any strides. Gives (B, H, S, d). An implementation whose plan says
/// AttentionRecord::kRanges runs its steps under the parts "scores", "softmax" and "values". Takes its
/// arguments, so that they are freed once nothing needs them.
at::Tensor attend(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting);

/// While it lives, LibTorch's scaled_dot_product_attention may use only the variant's backend. Process-wide.
class SdpaBackendScope {
public:
    explicit SdpaBackendScope(AttentionVariant variant);
    ~SdpaBackendScope();
    SdpaBackendScope(const SdpaBackendScope&) = delete;
    SdpaBackendScope& operator=(const SdpaBackendScope&) = delete;

private:
    bool m_flash, m_math, m_memoryEfficient, m_cudnn;
};

/// The beginning of what attentionBackend() gives where it is what was asked for.
std::string wantedBackend(AttentionVariant variant);
/// Which implementation runs for this variant ("naive", "sdpa math", "sdpa flash (CPU)", "sdpa cudnn",
/// "flash"), as LibTorch itself answers for tensors of this head dimension and precision; call inside an
/// SdpaBackendScope. Throws c10::Error when LibTorch has no such backend for them.
std::string attentionBackend(const RunConfig& config, at::Device device = at::kCPU);

}  // namespace warpglass
