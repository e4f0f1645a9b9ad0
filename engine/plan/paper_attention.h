// The attention variants on paper: what each allocates and keeps (paper_ops.h).
#pragma once

#include "engine/plan/paper_ops.h"

namespace warpglass {

/// What autograd keeps of a layer's attention, from the heads' q, k, v to their output.
struct PaperAttention {
    PaperTensor q, k, v;
    /// (B, H, S, S); none for flash and tiled.
    PaperTensor probabilities;
    /// The output and each row's log-sum-exp, for flash and tiled.
    PaperTensor output, logSumExp;
    /// The probabilities as their product reads them, where softmax widens.
    PaperTensor narrowed{};
};

/// The gradients of q, k and v as the heads' projections get them.
struct PaperHeadGradients {
    PaperTensor q, k, v;
};

class PaperAttend {
public:
    PaperAttend(PaperOps& ops, const RunConfig& config) : m_ops(ops), m_config(config) {}

    /// q, k, v are given up. `normalized` is what they were projected from: the caller's last handle on it.
    /// The output has its heads side by side again, as the output projection wants it.
    PaperTensor forward(PaperTensor q, PaperTensor k, PaperTensor v, PaperTensor normalized,
                        PaperAttention& saved);
    PaperHeadGradients backward(PaperTensor gradient, PaperAttention& saved);

    /// (S, S) that the naive variant adds to the scores; made once.
    static Saturating maskBytes(const RunConfig& config);

private:
    // The caller holds q, k and v until these return, except where they are given away.
    PaperTensor naive(PaperTensor q, PaperTensor k, PaperAttention& saved);
    PaperTensor math(PaperAttention& saved);
    PaperTensor flash(const PaperTensor& q, const PaperTensor& k, const PaperTensor& v,
                      PaperAttention& saved);
    PaperTensor tiled(PaperAttention& saved);
    PaperHeadGradients naiveBackward(PaperTensor gradient, PaperAttention& saved);
    PaperHeadGradients mathBackward(PaperTensor gradient, PaperAttention& saved);
    PaperHeadGradients flashBackward(PaperTensor gradient, PaperAttention& saved);
    PaperHeadGradients tiledBackward(PaperTensor gradient, PaperAttention& saved);
    /// softmax(q kᵀ) v by batched products, backward, up to the gradients of q and k as the product saw them.
    PaperHeadGradients productsBackward(PaperTensor gradient, Saturating heads, Saturating scores,
                                        PaperAttention& saved);
    /// A GPU's autocast computes softmax in fp32 whatever the scores are, and the product after it in 16
    /// bits.
    bool softmaxWidens() const { return m_ops.sizes().mixed && m_ops.sizes().gpu; }
    /// Of fp16 its kernel reads 16 bits and writes 32; of bf16 the scores are copied first.
    bool softmaxReadsHalf() const { return m_config.precision == Precision::kFp16; }
    /// Scores of one pair of tiles for all heads, fp32.
    Saturating tileBytes() const;

    PaperOps& m_ops;
    const RunConfig& m_config;
};

}  // namespace warpglass
