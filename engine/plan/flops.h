// Floating-point operations of one step, by phase and module.
//
// GEMMs count exactly: an (m×k)·(k×n) product is 2·m·n·k, a multiply-add being two operations.
// Backward of a product is two products of the same size. Attention is counted in full, S × S, although half
// of it is masked: every variant here computes (or is compared with variants that compute) the whole square;
// the flash variants recompute the scores in their backward pass, which adds one product a layer, and by our
// kernels in fp32 and tf32 three (parts.h; on the CPU the exact tiles are counted as the full square too).
//
// Elementwise work (norms, RoPE, softmax, SwiGLU's gate, residuals, cross-entropy, AdamW) is counted apart,
// at the stated number of operations an element; exp, log, division and square root count as one each. A
// convention, good for comparing phases, not a measurement. Gathers (the embedding) and copies count nothing.
//
// Pure functions; any thread. Precondition of all: validate() is empty.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"

namespace warpglass {

// Operations an element of what no implementation states (parts.h): counted on the textbook formulas.
inline constexpr std::int64_t kRopeOperations = 3;             // a rotation of a pair: 4 products, 2 sums
inline constexpr std::int64_t kSoftmaxForwardOperations = 7;   // scale, mask, max, subtract, exp, sum, divide
inline constexpr std::int64_t kSoftmaxBackwardOperations = 5;  // p·(dp − Σ p·dp), scale
inline constexpr std::int64_t kRowDeltaOperations = 2;         // Σ dO·O, flash's Σ p·dp
/// Forward the sum, backward the two branches' gradients added.
inline constexpr std::int64_t kResidualOperations = 1;
/// Each token's gradient is added to its row.
inline constexpr std::int64_t kEmbeddingBackwardOperations = 1;

/// The parts of a step that compute. The words are those of the trace's phases.
enum class PlanPhase : std::uint8_t { kForward, kLoss, kBackward, kOptimizer };
inline constexpr std::array<std::string_view, 4> kPlanPhaseNames = {"forward", "loss", "backward",
                                                                    "optimizer"};
constexpr std::string_view planPhaseName(PlanPhase p) {
    return kPlanPhaseNames[static_cast<std::size_t>(p)];
}

struct FlopsEntry {
    PlanPhase phase = PlanPhase::kForward;
    /// "blocks.7.attn.q_proj", or "blocks.7.attn.qkv_proj" of a joined product (joinsHeads(), parts.h); ""
    /// for the loss. Optimizer work stands at the module whose weights it updates.
    std::string module;
    /// "scores", "softmax", "values" inside attention, "rope" for the rotation; else "".
    std::string part;
    Flops matmul;
    Flops elementwise;
};

struct FlopsEstimate {
    /// Phases that the mode does not run have no entry. Order: phase, then the model's order.
    std::vector<FlopsEntry> entries;

    Flops matmul() const;
    Flops matmul(PlanPhase phase) const;
    Flops elementwise() const;
    Flops elementwise(PlanPhase phase) const;
    /// Both kinds; sums stop at the largest int64.
    Flops total() const;
    Flops total(PlanPhase phase) const;
    /// A module and the modules within it, both kinds, all phases: "blocks.7.attn".
    Flops ofModule(std::string_view modulePath) const;
};

/// One product of a layer's attention, of all heads: q·kᵀ or p·v.
Flops attentionProduct(const RunConfig& config);

/// What one step of this configuration computes; of the attention workload one pass, in kAttentionModule.
FlopsEstimate countFlops(const RunConfig& config);
/// Its total() alone, in microseconds however many layers there are: each adds the same.
Flops countAllFlops(const RunConfig& config);

}  // namespace warpglass
