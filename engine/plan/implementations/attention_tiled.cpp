// What the attention variant "flash" is on the CPU.
#include "engine/plan/implementations/attention_tiled.h"

#include <algorithm>
#include <vector>

#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

/// Rows of q and k in a tile.
constexpr std::int64_t kTile = 64;

/// Scores of one pair of tiles for all heads, fp32.
Saturating tileBytes(const RunConfig& config) {
    const std::int64_t rows = std::min(kTile, config.context);
    return Saturating(config.batch) * config.shape.heads * rows * rows * 4;
}

PaperTensor forward(PaperOps& ops, PaperTensor& q, PaperTensor& k, const PaperTensor& v,
                    PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    std::vector<PaperTensor> flat;
    if (s.alone && !s.mixed)
        flat = {q, k, v};
    while (flat.size() < 3) {
        PaperTensor widened;
        if (s.mixed && !s.alone)
            widened = ops.make(kScratch, s.stream);
        flat.push_back(ops.kept(kHeads, s.stream));
    }
    const PaperTensor output = ops.kept(kAttended, s.stream);
    const PaperTensor logSumExp = ops.kept(kAttended, s.headRows);
    { const PaperTensor tile = ops.make(kScratch, tileBytes(ops.config())); }
    if (ops.keeps())
        saved = {flat[0], flat[1], flat[2], {}, output, logSumExp};
    return !s.mixed ? output : s.alone ? ops.kept(kAttended, s.streamHalf) : ops.make(kScratch, s.streamHalf);
}

PaperHeadGradients backward(PaperOps& ops, PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = ops.sizes();
    PaperHeadGradients result;
    {
        PaperTensor widened;
        if (s.mixed)
            widened = ops.make(kFlow, s.stream);
        const PaperTensor flat = !s.alone ? ops.make(kFlow, s.stream) : s.mixed ? widened : gradient;
        widened.reset();
        PaperTensor product = ops.make(kBackwardScratch, s.stream);
        const PaperTensor delta = ops.make(kBackwardScratch, s.headRows);
        product.reset();
        for (PaperTensor* each : {&result.q, &result.k, &result.v})
            *each = ops.make(s.mixed ? kFlow : ops.headGradientKind(true), s.stream);
        const PaperTensor scores = ops.make(kBackwardScratch, tileBytes(ops.config()));
        const PaperTensor scoreGradient = ops.make(kBackwardScratch, tileBytes(ops.config()));
    }
    if (s.mixed) {
        PaperHeadGradients halves;
        for (PaperTensor* each : {&halves.q, &halves.k, &halves.v})
            *each = ops.make(ops.headGradientKind(true), s.streamHalf);
        result = halves;
    }
    gradient.reset();
    saved = {};
    return result;
}

}  // namespace

constexpr AttentionPlan kTiledAttention{
    .is = {.choice = {"flash", "FlashAttention-2 by tiles of LibTorch's ops", Devices::kCpu}},
    .record = AttentionRecord::kOps,
    .isDeterministicByChoice = true,
    .note =
        "On the CPU flash attention runs under one range: its GEMMs are scores and values together, and "
        "softmax counts with the rest.",
    .forward = &forward,
    .backward = &backward};

}  // namespace warpglass
