// What the parts of a model are made of, on paper: what LibTorch 2.11 allocates for it, forward
// and backward, and what autograd keeps in between. Found by tracing the allocator, held by
// tests/unit/plan/prediction_measured_test.cpp on the CPU and by gpu_prediction_test.cpp there.
//
// "half" is what autocast makes of a tensor in bf16 runs; in fp32 runs it is the tensor's own size.
#pragma once

#include <array>
#include <vector>

#include "engine/plan/memory_walk.h"
#include "engine/plan/run_config.h"

namespace warpglass {

/// The lines of a breakdown.
namespace paper_kind {
using Kind = MemoryWalk::Kind;
inline constexpr Kind kWeights{PlanCategory::kWeights, "weights"};
inline constexpr Kind kWeightCopies{PlanCategory::kWeights, "16-bit copies of weights"};
inline constexpr Kind kGradients{PlanCategory::kGradients, "weight gradients"};
inline constexpr Kind kMoments{PlanCategory::kOptimizerState, "AdamW's first and second moments"};
inline constexpr Kind kBatch{PlanCategory::kInput, "tokens and targets"};
inline constexpr Kind kLeaves{PlanCategory::kInput, "queries, keys and values of every pass"};
inline constexpr Kind kLeafGradients{PlanCategory::kGradients, "gradients of queries, keys and values"};
inline constexpr Kind kRotations{PlanCategory::kInput, "RoPE table"};
inline constexpr Kind kMask{PlanCategory::kInput, "causal mask"};
inline constexpr Kind kResidual{PlanCategory::kActivations, "residual stream"};
inline constexpr Kind kNorm{PlanCategory::kActivations, "RMSNorm outputs and statistics"};
inline constexpr Kind kCasts{PlanCategory::kActivations, "bf16 copies of activations"};
inline constexpr Kind kWeightCasts{PlanCategory::kWeightCopies, "bf16 copies of weights"};
inline constexpr Kind kHeads{PlanCategory::kActivations, "queries, keys and values"};
inline constexpr Kind kProbabilities{PlanCategory::kActivations, "attention probabilities"};
inline constexpr Kind kAttended{PlanCategory::kActivations, "attention outputs"};
inline constexpr Kind kFeedForward{PlanCategory::kActivations, "feed-forward activations"};
/// Also without a backward pass: they outlive the forward pass, which is what makes an activation.
inline constexpr Kind kLogits{PlanCategory::kActivations, "logits"};
inline constexpr Kind kLogProbabilities{PlanCategory::kActivations, "log-probabilities"};
inline constexpr Kind kWorkspace{PlanCategory::kWorkspace, "cuBLAS's scratch memory"};
inline constexpr Kind kScratch{PlanCategory::kTemporaries, "forward temporaries"};
inline constexpr Kind kFlow{PlanCategory::kTemporaries, "gradients of activations"};
inline constexpr Kind kBackwardScratch{PlanCategory::kTemporaries, "backward temporaries"};
}  // namespace paper_kind

/// Sizes that recur, in bytes.
struct PaperSizes {
    explicit PaperSizes(const RunConfig& config);

    bool mixed = false;
    /// The attention workload: q, k and v are contiguous by head and outlive the pass, and nothing is before
    /// or after it.
    bool alone = false;
    /// On a GPU autocast gives softmax fp32, and cuBLAS keeps scratch memory.
    bool gpu = false;
    /// Bytes of a number in a GEMM: 2 in bf16 runs.
    Saturating half;
    Saturating tokens;
    /// (B, S, D), D being heads × head dimension: in fp32, and as it enters a product.
    Saturating stream, streamHalf;
    /// (B, S, F) as it leaves a product.
    Saturating hiddenHalf;
    /// (B, H, S, S): elements.
    Saturating scores;
    /// (B, S, 1) and (B, H, S, 1) in fp32.
    Saturating rows, headRows;
    /// (S, d/2) complex fp32.
    Saturating rotations;
    /// (B, S, V): elements.
    Saturating logits;
    /// (S, S) in the type of the scores.
    Saturating mask;

    /// 32 MiB for each thread that multiplies matrices: the model's, and the one that autograd runs a GPU's
    /// nodes on. What LibTorch 2.11 asks for on compute capability 9.0 (8 MiB on others, which are
    /// over-estimated by that).
    static Saturating workspaceBytes(const RunConfig& config) {
        return kThreadsWorkspace * (config.mode == Mode::kForward ? 1 : 2);
    }
    static constexpr Saturating kThreadsWorkspace{std::int64_t{32} << 20};
};

/// What autograd keeps of a product with a weight.
struct PaperLinear {
    PaperTensor input;
    PaperTensor weightCast;
    /// Numbers.
    Saturating weight;
    /// Bytes in fp32, and whether autocast turned it from fp32 into bf16.
    Saturating inputSize;
    bool inputCast = false;
};

class PaperOps {
public:
    /// Both outlive it.
    PaperOps(MemoryWalk& walk, const RunConfig& config);

    const RunConfig& config() const { return m_config; }
    const PaperSizes& sizes() const { return m_sizes; }
    /// There will be a backward pass.
    bool keeps() const { return m_keeps; }
    /// The norm's output enters products as it is: autocast finds nothing to cast.
    bool normNarrows() const { return m_normNarrows; }

    PaperTensor make(const MemoryWalk::Kind& kind, Saturating bytes) { return {m_walk, kind, bytes}; }
    /// What a forward op makes: of this kind where it is kept for the backward pass, else a temporary.
    PaperTensor kept(const MemoryWalk::Kind& kind, Saturating bytes) {
        return {m_walk, m_keeps ? kind : paper_kind::kScratch, bytes};
    }

    /// y = x Wᵀ; `inputSize` is x's in fp32, `output` y's bytes. An input that is bf16 already has no cast.
    PaperTensor linear(const PaperTensor& input, Saturating inputSize, bool inputIsHalf, Saturating weight,
                       const MemoryWalk::Kind& outputKind, Saturating output, PaperLinear& saved);
    /// Makes W's gradient and gives x's, in x's own type.
    /// `summed`: x's gradient goes into one that is there already, in place, and nothing is given where it is
    /// a copy.
    PaperTensor linearBackward(PaperTensor gradient, PaperLinear& saved, bool summed = false);

    /// x + branch, for the residual stream x.
    PaperTensor addResidual(PaperTensor branch);
    /// The residual stream's gradient as it enters a branch's last product.
    PaperTensor enterBranch(const PaperTensor& gradient);
    /// The first two gradients of a tensor that several ops read, summed; autograd adds later ones in place.
    PaperTensor addGradients(PaperTensor sum, PaperTensor next);

    /// The end of the autocast scope.
    void dropWeightCasts() { m_weightCasts.clear(); }

    /// A weight's gradient, which stays.
    void keepGradient(Saturating weight) { m_gradients.push_back(make(paper_kind::kGradients, weight * 4)); }
    /// In the order of the model, the reverse of that in which they were made.
    void dropGradients();
    /// In the attention workload, takes the gradient of q (0), k (1) or v (2) as soon as it is there. It is
    /// added to that of the last pass, or stays.
    void arrive(std::size_t head, PaperTensor gradient);

    /// What a gradient counts as that one op makes of q, k and v together: the first pass's stay as they are,
    /// where they lie like the tensors that they are of, by head.
    const MemoryWalk::Kind& headGradientKind(bool byHead) const {
        const bool stay =
            m_sizes.alone && !m_headGradients[0].holds() && (byHead || m_config.shape.heads == 1);
        return stay ? paper_kind::kLeafGradients : paper_kind::kFlow;
    }

    /// A weight's moments.
    void keepMoments(Saturating weight);

private:
    /// cuBLAS takes it with a thread's first product; without an allocator it stands among what set-up makes.
    void takeWorkspace(bool autogradsThread);

    MemoryWalk& m_walk;
    const RunConfig& m_config;
    PaperSizes m_sizes;
    bool m_keeps, m_normNarrows, m_hasCopies;
    std::vector<PaperTensor> m_weightCasts, m_gradients, m_moments;
    std::array<PaperTensor, 2> m_workspaces;
    std::array<PaperTensor, 3> m_headGradients;
};

}  // namespace warpglass
