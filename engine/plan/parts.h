// What each implementation of a model's parts (variants.h) says of itself before a run: one struct a part,
// with a constant of it in each file of engine/plan/implementations. Everything that tells implementations
// apart asks here, so that nothing else names them.
//
// Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/plan/choice.h"
#include "engine/plan/flops.h"
#include "engine/plan/kernel_work.h"
#include "engine/plan/paper_ops.h"
#include "engine/plan/variants.h"

namespace warpglass {

/// Ops of the library in a phase of a step, at the places where they run.
struct LibraryOps {
    PlanPhase phase = PlanPhase::kForward;
    /// All blocks taken together ("blocks.*.norm1", engine/query/spans/module_group.h); "" for none.
    std::span<const std::string_view> modules;
    /// In a trace.
    std::span<const std::string_view> ops;
};

/// What every implementation says.
struct Implementation {
    /// Its word, tool tip and devices.
    Choice choice;
    /// Why it does not run a configuration on a device of `choice`, in one sentence, and what to choose
    /// instead; null where it runs all. The sizes may be an invalid combination.
    std::optional<std::string> (*problem)(const RunConfig&) = nullptr;
    /// Each is in the names of its ops or kernels and in no other part's: lower case, without underscores and
    /// namespace (engine/query/spans/op_family.h).
    std::span<const std::string_view> names = {};
    /// Why it has nothing to do in a configuration that it could be run with; null where it always has.
    std::optional<std::string> (*idle)(const RunConfig&) = nullptr;
    /// What it does in place of the library's ops, in one sentence; "" where it is the library's.
    std::string_view sentence = {};
    /// Those of ours that it launches, all of them.
    std::span<const OwnKernel> kernels = {};
    /// How tables by module split the time of what works for several of them, in one sentence; "" where
    /// nothing of it does.
    std::string_view split = {};
    /// What it does, as tables call it beside what the library's ops do ("RMSNorm and residual add"), and
    /// which ops those are; "" where it is the library's, and where parts of attention say so
    /// (engine/query/model/attention_part.h).
    std::string_view work = {};
    std::span<const LibraryOps> standsFor = {};
};

/// Operations that are no GEMM, by the conventions of flops.h.
struct Operations {
    std::int64_t anElement = 0, aRow = 0;

    Saturating of(Saturating rows, Saturating columns) const {
        return rows * columns * anElement + rows * aRow;
    }
};

/// What autograd keeps of a layer's attention, from the heads' q, k, v to their output.
struct PaperAttention {
    PaperTensor q, k, v;
    /// (B, H, S, S); none where no scores are stored.
    PaperTensor probabilities;
    /// The output and each row's log-sum-exp, where no scores are stored.
    PaperTensor output, logSumExp;
    /// The probabilities as their product reads them, where softmax widens.
    PaperTensor narrowed{};
};

/// The gradients of q, k and v as the heads' projections get them.
struct PaperHeadGradients {
    PaperTensor q, k, v;
};

/// How a run's time is told apart into scores, softmax and values.
enum class AttentionRecord : std::uint8_t {
    kRanges,    // each runs under a range of its own, of that name
    kOps,       // by ops: products are scores and values; reductions are softmax where scores are stored
    kOneKernel  // one op does all three
};

struct AttentionPlan {
    Implementation is;
    AttentionRecord record = AttentionRecord::kOneKernel;
    /// S × S numbers a head. What stores none computes them once more in the backward pass.
    bool storesScores = false;
    /// Whether its backward pass has a kernel for the gradients of k and v and another for that of q, which
    /// both compute the scores and their gradients; null where that is never so.
    bool (*computesScoresTwice)(const RunConfig&) = nullptr;
    /// Adds a table to the scores, (S, S) in their type, which set-up makes.
    bool hasMaskTable = false;
    /// Reads and keeps q, k and v as the projections leave them, (B, S, H, d), and gives its output and their
    /// gradients so: nothing is copied before or after it.
    bool keepsLayout = false;
    /// Gives the gradients of q, k and v in one tensor where they come in one (joinsHeads()).
    bool joinsGradients = false;
    /// Multiplies q, k and v contiguous by head, (B, H, S, d): where they come in one tensor and scale, mask
    /// and softmax are in place, the rotary embedding puts them there (splitsByHead()).
    bool readsByHead = false;
    /// Its softmax between two products is the part "softmax", which has implementations of its own.
    bool hasSoftmaxPart = false;
    /// Its backward pass gives the same bits in every run where the setting "deterministic" asks for it.
    bool isDeterministicByChoice = false;
    /// Its kernels have twins that write a clock (engine/kernels/kernel_clock.h).
    bool hasClocks = false;
    /// What `record` does not say of how the chart tells its parts apart, in whole sentences.
    std::string_view note = {};
    /// Where it is another implementation on the CPU: what that says of itself; its word and names are these.
    const AttentionPlan* onCpu = nullptr;
    /// The caller holds q, k and v until it returns; it may reset q and k sooner.
    PaperTensor (*forward)(PaperOps&, PaperTensor& q, PaperTensor& k, const PaperTensor& v,
                           PaperAttention& saved) = nullptr;
    PaperHeadGradients (*backward)(PaperOps&, PaperTensor gradient, PaperAttention& saved) = nullptr;
};

struct PaperNorm {
    PaperTensor input, statistics, normalized;
    /// It added a branch to its input first.
    bool added = false;
};

/// The residual stream's gradient, and once more as the branch added there gets it, where the norm made that.
struct PaperStreamGradient {
    PaperTensor stream, branch;
};

struct NormPlan {
    Implementation is;
    Operations forwardWork, backwardWork;
    /// The addition to the residual stream before the norm is the norm's, and its output is of the type that
    /// products read.
    bool addsAndNarrows = false;
    /// Sums over rows that its backward pass makes of the weight's gradient before it adds them up: as many
    /// as there are rows, and no more than these.
    std::int64_t mostPartialRows = 0;
    /// Where it adds, `branch` may hold what is added to x, which becomes the sum.
    PaperTensor (*forward)(PaperOps&, PaperTensor& x, PaperTensor branch, PaperNorm& saved) = nullptr;
    /// `through` is the gradient that goes around the norm on the residual stream (none for the last norm).
    /// Gives the sum of both, and makes the weight's gradient.
    PaperStreamGradient (*backward)(PaperOps&, PaperTensor gradient, PaperTensor through,
                                    PaperNorm& saved) = nullptr;
};

/// What autograd keeps of w2(silu(w1 y) ∘ w3 y).
struct PaperFeedForward {
    PaperLinear w1, w2, w3;
    PaperTensor gate, gateActivation, value;  // w1 y, silu(w1 y), w3 y
    /// w2's input, which is there until its output has been added to the residual stream.
    PaperTensor hidden{};
};

struct FeedForwardPlan {
    Implementation is;
    /// An element is one of the hidden (B, S, F).
    Operations forwardWork, backwardWork;
    /// Takes w1 y and w3 y as they lie in one tensor (joinsGate()).
    bool takesJoined = false;
    /// y, the norm's output, is given up. Gives w2's output.
    PaperTensor (*forward)(PaperOps&, PaperTensor y, PaperFeedForward& saved) = nullptr;
    /// Gives y's gradient, and makes the weights'.
    PaperTensor (*backward)(PaperOps&, PaperTensor gradient, PaperFeedForward& saved) = nullptr;
};

struct EmbeddingPlan {
    Implementation is;
};

/// Rotates the queries' or the keys' projection, (B, S, D), which may be turned in place.
struct RotaryPlan {
    Implementation is;
    /// `kind`: of the heads that attention reads. The caller holds what the projection gave until it returns.
    PaperTensor (*forward)(PaperOps&, const PaperTensor& projected, const MemoryWalk::Kind& kind) = nullptr;
    /// From the heads' gradient to the projection's.
    PaperTensor (*backward)(PaperOps&, PaperTensor gradient) = nullptr;
    /// What the projection gives is what attention reads, also where queries, keys and values are one tensor
    /// (joinsHeads()).
    bool inPlace = false;
};

struct SoftmaxPlan {
    Implementation is;
    /// Scale and mask are within it, and the scores become the weights: no table of the mask is made, and
    /// nothing widens.
    bool inPlace = false;
};

struct PaperLoss {
    PaperTensor logProbabilities;
    /// In place of them, where the gradient takes their place.
    PaperTensor logits{}, rowSums{};
};

struct LossPlan {
    Implementation is;
    /// An element is a logit.
    Operations forwardWork, backwardWork;
    void (*forward)(PaperOps&, PaperTensor logits, PaperLoss& saved) = nullptr;
    /// Gives the logits' gradient.
    PaperTensor (*backward)(PaperOps&, PaperLoss& saved) = nullptr;
};

struct LinearPlan {
    Implementation is;
    /// Where products compute in 16 bits, weights are kept once more in 16 bits from set-up on, and their
    /// gradients leave their products in fp32: nothing of a weight is cast.
    bool keepsCopies = false;
};

struct ProductsPlan {
    Implementation is;
    /// Tries out algorithms in warm-up steps.
    bool triesOut = false;
};

struct OptimizerPlan {
    Implementation is;
    /// fp32 numbers that it keeps of each parameter, in a tensor each.
    std::int64_t moments = 0;
    /// An element is a parameter.
    Operations work;
    /// Read and written at the least for each parameter, and besides for each that is kept once more in 16
    /// bits (keepsWeightCopies()).
    Bytes moved, movedForCopy;
    /// What it calls where one call is for all parameters.
    std::span<const UpdateOp> ops = {};
};

// What the implementations of a part describe themselves by, for PlanOf alone: nobody defines or calls these.
AttentionPlan planType(AttentionVariant);
NormPlan planType(NormVariant);
FeedForwardPlan planType(FeedForwardVariant);
EmbeddingPlan planType(EmbeddingVariant);
RotaryPlan planType(RotaryVariant);
SoftmaxPlan planType(SoftmaxVariant);
LossPlan planType(LossVariant);
LinearPlan planType(LinearVariant);
ProductsPlan planType(ProductsVariant);
OptimizerPlan planType(OptimizerVariant);
template <class Variant>
using PlanOf = decltype(planType(Variant()));

/// Each implementation's file specializes it for its enumerator. For planOf() alone: a use of it elsewhere
/// would come before the specialization.
template <auto variant>
const PlanOf<decltype(variant)>& plan();

/// In the order of the list.
template <class Variant>
std::span<const PlanOf<Variant>* const> plansOf();
/// Precondition: it is one of the list.
template <class Variant>
const PlanOf<Variant>& planOf(Variant variant);
/// For settings.
template <class Variant>
std::span<const Choice> choicesOf();

/// That of the run's attention on its device.
const AttentionPlan& attentionPlan(const RunConfig& config);

/// Whether set-up makes a table of the causal mask.
bool makesMaskTable(const RunConfig& config);
/// Whether set-up makes 16-bit copies of the weights of products.
bool keepsWeightCopies(const RunConfig& config);
/// How the algorithms of those copies' products are chosen; as LibTorch does where the same bits are wanted
/// in every run.
ProductsVariant productsOf(const RunConfig& config);
/// Whether the run has warm-up steps to try out algorithms of products in, measured ones to use them in, and
/// need not give the same bits as another.
bool canTryOutProducts(const RunConfig& config);
/// Whether the products with the weights of queries, keys and values are one product, "qkv_proj": their
/// 16-bit copies lie in one tensor, (3 D, D), and so do its outputs, (B, S, 3, H, d), and their gradients.
bool joinsHeads(const RunConfig& config);
/// Whether the rotary embedding gives q, k and v contiguous by head, so that attention copies none of them.
bool splitsByHead(const RunConfig& config);
/// Whether those with w1 and w3 are one product, "w13", likewise: (2 F, D) and (B, S, 2, F).
bool joinsGate(const RunConfig& config);
/// A product with several weights below one another.
struct JoinedProduct {
    /// Its module: "qkv_proj", beside "q_proj".
    std::string_view name;
    /// The modules of the weights, in order.
    std::span<const std::string_view> weights;
};
/// The one that a weight's module ("blocks.7.attn.q_proj") is in; null where it is multiplied with by itself.
const JoinedProduct* joinedProduct(const RunConfig& config, std::string_view module);
/// What an update of all parameters must read and write at the least, with their 16-bit copies.
Bytes updateMoves(const RunConfig& config);
/// What a pass over all parameters moves for each module: so many bytes for each number, and besides for each
/// that is kept once more in 16 bits.
ServedModules servedByUpdate(const RunConfig& config, Bytes forNumber, Bytes forCopy);
/// How tables by module split the time of such a pass.
inline constexpr std::string_view kUpdateSplit =
    "AdamW's time is split over the modules by the bytes that it moves for their parameters.";
/// The check of all gradients that fp16's loss scaling makes before any AdamW.
ServedModules servedByGradientCheck(const RunConfig& config);
inline constexpr UpdateOp kGradientCheck{"aten::_amp_foreach_non_finite_check_and_unscale_",
                                         &servedByGradientCheck};

}  // namespace warpglass
