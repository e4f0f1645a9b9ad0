// Fused attention: LibTorch's three backends and our own kernels differ in little on paper.
#include <algorithm>

#include "engine/plan/implementations/attention_tiled.h"
#include "engine/plan/implementations/flash_kernels.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

PaperTensor forward(PaperOps& ops, PaperTensor& q, PaperTensor& k, const PaperTensor& v,
                    PaperAttention& saved) {
    PaperTensor output = ops.kept(kAttended, ops.sizes().streamHalf);
    const PaperTensor logSumExp = ops.kept(kAttended, ops.sizes().headRows);
    if (ops.keeps())
        saved = {q, k, v, {}, output, logSumExp};
    return output;
}

/// Our kernels for fp32 numbers walk over the keys once more for q's gradient, where those for 16 bits add it
/// up in memory (engine/kernels/flash_backward_fp32.cuh).
bool computesScoresTwice(const RunConfig& config) {
    return config.attention == AttentionVariant::kFlash && config.onGpu() && !isMixed(config.precision);
}

/// On a GPU q's gradient is added up in a tensor of fp32, whatever its type, but by our kernels for fp32.
PaperHeadGradients backward(PaperOps& ops, PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    PaperHeadGradients result;
    if (joinsHeads(ops.config()) && attentionPlan(ops.config()).joinsGradients) {
        result.q = result.k = result.v = ops.make(kFlow, s.streamHalf * 3);
    } else {
        for (PaperTensor* each : {&result.q, &result.k, &result.v})
            *each = ops.make(ops.headGradientKind(false), s.streamHalf);
    }
    PaperTensor byHead;  // the CPU's kernel wants the gradient to lie as q does
    if (s.alone && !s.gpu && ops.config().shape.heads > 1)
        byHead = ops.make(kBackwardScratch, s.streamHalf);
    if (s.gpu) {
        const PaperTensor sums = ops.make(kBackwardScratch, s.headRows);  // of the gradient times the output
        PaperTensor queries;
        if (!computesScoresTwice(ops.config()))
            queries = ops.make(kBackwardScratch, s.stream);
    }
    gradient.reset();
    saved = {};
    return result;
}

std::optional<std::string> needsSixteenBits(const RunConfig& config) {
    if (!config.onGpu() || isMixed(config.precision))
        return std::nullopt;
    return "On a GPU the attention variant \"" + std::string(attentionName(config.attention)) +
           "\" computes in 16 bits only: choose bf16 or fp16, or sdpa-efficient.";
}

/// What engine/kernels has kernels for.
constexpr std::int64_t kFlashDimensions[] = {16, 32, 64, 80, 96, 128};

/// CUDA's limit for the second and third dimension of a grid, which are heads and batch.
constexpr std::int64_t kMostFlashBlocks = 65'535;

std::optional<std::string> needsFlashKernel(const RunConfig& config) {
    if (!config.onGpu())
        return std::nullopt;
    const std::string inItsPlace = isMixed(config.precision) ? "sdpa-flash" : "sdpa-efficient";
    if (std::max(config.batch, config.shape.heads) > kMostFlashBlocks)
        return "The attention variant \"flash\" takes at most 65,535 sequences and heads: choose " +
               inItsPlace + ".";
    if (std::ranges::find(kFlashDimensions, config.headDimension()) != std::end(kFlashDimensions))
        return std::nullopt;
    return "The attention variant \"flash\" has kernels for the head dimensions 16, 32, 64, 80, 96 and 128, "
           "and not for " +
           std::to_string(config.headDimension()) + ": choose " + inItsPlace + ".";
}

constexpr AttentionPlan fused(Implementation is) {
    return {.is = is, .keepsLayout = true, .forward = &forward, .backward = &backward};
}

constexpr std::string_view kFlashNames[] = {"flash"}, kEfficientNames[] = {"fmha"}, kCudnnNames[] = {"sdpa"},
                           kOwnNames[] = {"flashattention", "flashforward",       "flashbackward",
                                          "flashdelta",     "flashquerygradient", "tiledattention"};

}  // namespace

template <>
const AttentionPlan& plan<AttentionVariant::kSdpaEfficient>() {
    static constexpr AttentionPlan kPlan =
        fused({.choice = {"sdpa-efficient",
                          "PyTorch's scaled_dot_product_attention, memory-efficient backend", Devices::kGpu},
               .names = kEfficientNames});
    return kPlan;
}

template <>
const AttentionPlan& plan<AttentionVariant::kSdpaFlash>() {
    static constexpr AttentionPlan kPlan =
        fused({.choice = {"sdpa-flash", "PyTorch's scaled_dot_product_attention, flash backend"},
               .problem = &needsSixteenBits,
               .names = kFlashNames});
    return kPlan;
}

template <>
const AttentionPlan& plan<AttentionVariant::kSdpaCudnn>() {
    static constexpr AttentionPlan kPlan = fused(
        {.choice = {"sdpa-cudnn", "PyTorch's scaled_dot_product_attention, cuDNN backend", Devices::kGpu},
         .problem = &needsSixteenBits,
         .names = kCudnnNames});
    return kPlan;
}

template <>
const AttentionPlan& plan<AttentionVariant::kFlash>() {
    static const AttentionPlan kPlan = [] {
        AttentionPlan ours = fused(
            {.choice = {.word = "flash",
                        .toolTip = "FlashAttention-2 by Warpglass's own CUDA kernels; on the CPU a readable "
                                   "reference, by tiles",
                        .formerly = "tiled"},
             .problem = &needsFlashKernel,
             .names = kOwnNames,
             .sentence = "Attention computes its scores tile by tile and stores none of them; its backward "
                         "pass computes them again.",
             .kernels = flashKernels()});
        ours.computesScoresTwice = &computesScoresTwice;
        ours.onCpu = &kTiledAttention;
        ours.joinsGradients = true;
        ours.isDeterministicByChoice = true;
        ours.hasClocks = true;
        return ours;
    }();
    return kPlan;
}

}  // namespace warpglass
