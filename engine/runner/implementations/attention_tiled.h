// FlashAttention-2 by tiles, written to be read: the reference that faster kernels are checked against.
//
// Problem: softmax(q kᵀ/√d) v without ever holding an S × S matrix, neither forward nor for the backward
// pass. Forward (Dao 2023, algorithm 1): for each tile of rows of q, pass over the tiles of k and v keeping
// each row's running maximum m, running sum l of exp(s − m), and output o; when m rises, l and o are rescaled
// by exp(m_old − m). Kept for backward: q, k, v, o and the log-sum-exp m + log l of each row: O(S·d), not
// O(S²). Backward (algorithm 2): recompute p = exp(s − logSumExp) tile by tile; with D = rowsum(do ∘ o), dv
// += pᵀ do,  ds = p ∘ (do vᵀ − D),  dq += ds k/√d,  dk += dsᵀ q/√d. Tiles wholly above the diagonal are
// skipped in the causal case. Time O(S²·d), memory O(S·d + tile²). Computed in fp32 whatever the inputs'
// type; sizes need not divide the tile.
#pragma once

#include "engine/capture/torch_headers.h"

namespace warpglass {

/// Rows of q, and of k, in a tile: 64 × 64 scores for a head are 16 KiB in a core's first-level cache.
inline constexpr std::int64_t kAttentionTile = 64;

/// q, k, v: (B, H, S, d), any strides; differentiable. Gives (B, H, S, d) in q's type.
at::Tensor tiledAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, bool causal,
                          std::int64_t tile = kAttentionTile);

}  // namespace warpglass
