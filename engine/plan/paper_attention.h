// What the attention variants have in common on paper (paper_ops.h); the rest is in
// engine/plan/implementations.
#pragma once

#include "engine/plan/parts.h"

namespace warpglass {

/// q, k, v are given up. `normalized` is what they were projected from: the caller's last handle on it.
/// The output has its heads side by side again, as the output projection wants it.
PaperTensor attendOnPaper(PaperOps& ops, PaperTensor q, PaperTensor k, PaperTensor v, PaperTensor normalized,
                          PaperAttention& saved);

/// softmax(q kᵀ) v by batched products, backward, up to the gradients of q and k as the product saw them.
/// `heads` and `scores` are the bytes of a gradient of each.
PaperHeadGradients productsBackward(PaperOps& ops, PaperTensor gradient, Saturating heads, Saturating scores,
                                    PaperAttention& saved);

/// Where a GPU's softmax widens: its kernel for fp16 reads 16 bits and writes 32; of bf16 the scores are
/// copied first.
bool softmaxReadsHalf(const PaperOps& ops);

}  // namespace warpglass
