#include "engine/plan/paper_attention.h"

#include <algorithm>
#include <utility>

namespace warpglass {

using namespace paper_kind;

namespace {
/// Rows of q and k in a tile of the tiled variant.
constexpr std::int64_t kTile = 64;
}  // namespace

Saturating PaperAttend::maskBytes(const RunConfig& config) {
    return Saturating(config.context) * config.context * PaperSizes(config).half;
}

Saturating PaperAttend::tileBytes() const {
    const std::int64_t rows = std::min(kTile, m_config.context);
    return Saturating(m_config.batch) * m_config.shape.heads * rows * rows * 4;
}

PaperTensor PaperAttend::forward(PaperTensor q, PaperTensor k, PaperTensor v, PaperTensor normalized,
                                 PaperAttention& saved) {
    PaperTensor output;
    switch (m_config.attention) {
        case AttentionVariant::kNaive:
            output = naive(std::move(q), std::move(k), saved);
            break;
        case AttentionVariant::kSdpaMath:
            output = math(saved);
            break;
        case AttentionVariant::kSdpaEfficient:
        case AttentionVariant::kSdpaFlash:
        case AttentionVariant::kSdpaCudnn:
            // Its output lies as (B, S, H, d) already, so that nothing is copied below.
            return flash(q, k, v, saved);
        case AttentionVariant::kTiled:
            output = tiled(saved);
            break;
    }
    // Assigned, not reset: the naive variant has moved from two of them.
    q = k = v = normalized = PaperTensor();
    return m_ops.kept(kAttended, m_ops.sizes().streamHalf);
}

PaperTensor PaperAttend::naive(PaperTensor q, PaperTensor k, PaperAttention& saved) {
    const PaperSizes& s = m_ops.sizes();
    PaperTensor scores;
    {
        q = m_ops.make(kScratch, s.streamHalf);  // scaled
        // A batched product wants its operands contiguous by head: copies, which autograd keeps.
        const PaperTensor q2 = m_ops.kept(kHeads, s.streamHalf);
        const PaperTensor k2 = m_ops.kept(kHeads, s.streamHalf);
        scores = m_ops.make(kScratch, s.scores * s.half);
        if (m_ops.keeps()) {
            saved.q = q2;
            saved.k = k2;
        }
    }
    q.reset();
    k.reset();
    PaperTensor widened;
    if (softmaxWidens() && !softmaxReadsHalf())
        widened = m_ops.make(kScratch, s.scores * 4);
    const PaperTensor probabilities =
        m_ops.kept(kProbabilities, s.scores * (softmaxWidens() ? Saturating(4) : s.half));
    widened.reset();
    scores.reset();
    PaperTensor narrowed;
    if (softmaxWidens())
        narrowed = m_ops.kept(kProbabilities, s.scores * 2);
    const PaperTensor v2 = m_ops.kept(kHeads, s.streamHalf);
    if (m_ops.keeps()) {
        saved.probabilities = probabilities;
        saved.narrowed = narrowed;
        saved.v = v2;
    }
    return m_ops.make(kScratch, s.streamHalf);
}

PaperTensor PaperAttend::math(PaperAttention& saved) {
    const PaperSizes& s = m_ops.sizes();
    std::vector<PaperTensor> widened;  // LibTorch computes this variant in fp32 on the CPU
    for (int i = 0; s.mixed && i < 3; ++i)
        widened.push_back(m_ops.make(kScratch, s.stream));
    const PaperTensor scaledQ = m_ops.make(kScratch, s.stream);
    const Saturating square = Saturating(m_config.context) * m_config.context;
    PaperTensor mask;
    {
        const PaperTensor lower = m_ops.make(kScratch, square);  // bool
        mask = m_ops.make(kScratch, square * 4);
    }
    PaperTensor scaledK = m_ops.make(kScratch, s.stream);
    PaperTensor scores;
    {
        const PaperTensor q2 = m_ops.kept(kHeads, s.stream);
        const PaperTensor k2 = m_ops.kept(kHeads, s.stream);
        scores = m_ops.make(kScratch, s.scores * 4);
        if (m_ops.keeps()) {
            saved.q = q2;
            saved.k = k2;
        }
    }
    scaledK.reset();
    const PaperTensor probabilities = m_ops.kept(kProbabilities, s.scores * 4);
    {
        // Rows that see nothing are looked for: one bool a score.
        const PaperTensor hidden = m_ops.make(kScratch, s.scores);
        const PaperTensor rows = m_ops.make(kScratch, Saturating(s.headRows.value() / 4));
    }
    scores.reset();
    PaperTensor secondResult;  // the weights in the input's type, made although no one asked for them
    if (s.mixed)
        secondResult = m_ops.make(kScratch, s.scores * 2);
    PaperTensor output;
    {
        const PaperTensor v2 = m_ops.kept(kHeads, s.stream);
        if (m_ops.keeps()) {
            saved.probabilities = probabilities;
            saved.v = v2;
        }
        output = m_ops.make(kScratch, s.stream);
    }
    return s.mixed ? m_ops.make(kScratch, s.streamHalf) : output;
}

PaperTensor PaperAttend::flash(const PaperTensor& q, const PaperTensor& k, const PaperTensor& v,
                               PaperAttention& saved) {
    PaperTensor output = m_ops.kept(kAttended, m_ops.sizes().streamHalf);
    const PaperTensor logSumExp = m_ops.kept(kAttended, m_ops.sizes().headRows);
    if (m_ops.keeps())
        saved = {q, k, v, {}, output, logSumExp};
    return output;
}

PaperTensor PaperAttend::tiled(PaperAttention& saved) {
    const PaperSizes& s = m_ops.sizes();
    std::vector<PaperTensor> flat;
    for (int i = 0; i < 3; ++i) {
        PaperTensor widened;
        if (s.mixed)
            widened = m_ops.make(kScratch, s.stream);
        flat.push_back(m_ops.kept(kHeads, s.stream));
    }
    const PaperTensor output = m_ops.kept(kAttended, s.stream);
    const PaperTensor logSumExp = m_ops.kept(kAttended, s.headRows);
    { const PaperTensor tile = m_ops.make(kScratch, tileBytes()); }
    if (m_ops.keeps())
        saved = {flat[0], flat[1], flat[2], {}, output, logSumExp};
    return s.mixed ? m_ops.make(kScratch, s.streamHalf) : output;
}

PaperHeadGradients PaperAttend::backward(PaperTensor gradient, PaperAttention& saved) {
    switch (m_config.attention) {
        case AttentionVariant::kNaive:
            return naiveBackward(std::move(gradient), saved);
        case AttentionVariant::kSdpaMath:
            return mathBackward(std::move(gradient), saved);
        case AttentionVariant::kSdpaEfficient:
        case AttentionVariant::kSdpaFlash:
        case AttentionVariant::kSdpaCudnn:
            return flashBackward(std::move(gradient), saved);
        case AttentionVariant::kTiled:
            return tiledBackward(std::move(gradient), saved);
    }
    return {};
}

PaperHeadGradients PaperAttend::productsBackward(PaperTensor gradient, Saturating heads, Saturating scores,
                                                 PaperAttention& saved) {
    PaperHeadGradients result;
    PaperTensor byHead = m_ops.make(kFlow, heads);  // contiguous by head
    gradient.reset();
    result.v = m_ops.make(kFlow, heads);
    PaperTensor probabilityGradient = m_ops.make(kFlow, scores);
    byHead.reset();
    saved.v.reset();
    const bool narrowed = saved.narrowed.holds();
    saved.narrowed.reset();
    if (narrowed)
        probabilityGradient = m_ops.make(kFlow, scores * 2);
    const bool widens = narrowed && !softmaxReadsHalf();
    PaperTensor scoreGradient = m_ops.make(kFlow, widens ? scores * 2 : scores);
    if (m_ops.sizes().gpu) {  // the gradient times the probabilities, whose rows' sums are taken
        const PaperTensor product = m_ops.make(kBackwardScratch, narrowed ? scores * 2 : scores);
    }
    probabilityGradient.reset();
    saved.probabilities.reset();
    if (widens)
        scoreGradient = m_ops.make(kFlow, scores);
    result.k = m_ops.make(kFlow, heads);
    result.q = m_ops.make(kFlow, heads);
    saved.q.reset();
    saved.k.reset();
    return result;
}

PaperHeadGradients PaperAttend::naiveBackward(PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = m_ops.sizes();
    PaperHeadGradients result = productsBackward(std::move(gradient), s.streamHalf, s.scores * s.half, saved);
    result.q = m_ops.make(kFlow, s.streamHalf);  // unscaled
    return result;
}

PaperHeadGradients PaperAttend::mathBackward(PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = m_ops.sizes();
    if (s.mixed)
        gradient = m_ops.make(kFlow, s.stream);
    PaperHeadGradients result = productsBackward(std::move(gradient), s.stream, s.scores * 4, saved);
    result.q = m_ops.make(kFlow, s.stream);
    result.k = m_ops.make(kFlow, s.stream);
    if (s.mixed)
        for (PaperTensor* each : {&result.q, &result.k, &result.v})
            *each = m_ops.make(kFlow, s.streamHalf);
    return result;
}

PaperHeadGradients PaperAttend::flashBackward(PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = m_ops.sizes();
    PaperHeadGradients result;
    for (PaperTensor* each : {&result.q, &result.k, &result.v})
        *each = m_ops.make(kFlow, s.streamHalf);
    if (s.gpu) {  // each row's sum of the gradient times the output; flash adds up q's gradient in fp32
        const PaperTensor sums = m_ops.make(kBackwardScratch, s.headRows);
        PaperTensor queries;
        if (m_config.attention == AttentionVariant::kSdpaFlash)
            queries = m_ops.make(kBackwardScratch, s.stream);
    }
    gradient.reset();
    saved = {};
    return result;
}

PaperHeadGradients PaperAttend::tiledBackward(PaperTensor gradient, PaperAttention& saved) {
    const PaperSizes& s = m_ops.sizes();
    PaperHeadGradients result;
    {
        PaperTensor widened;
        if (s.mixed)
            widened = m_ops.make(kFlow, s.stream);
        const PaperTensor flat = m_ops.make(kFlow, s.stream);
        widened.reset();
        PaperTensor product = m_ops.make(kBackwardScratch, s.stream);
        const PaperTensor delta = m_ops.make(kBackwardScratch, s.headRows);
        product.reset();
        for (PaperTensor* each : {&result.q, &result.k, &result.v})
            *each = m_ops.make(kFlow, s.stream);
        const PaperTensor scores = m_ops.make(kBackwardScratch, tileBytes());
        const PaperTensor scoreGradient = m_ops.make(kBackwardScratch, tileBytes());
    }
    if (s.mixed) {
        PaperHeadGradients halves;
        for (PaperTensor* each : {&halves.q, &halves.k, &halves.v})
            *each = m_ops.make(kFlow, s.streamHalf);
        result = halves;
    }
    gradient.reset();
    saved = {};
    return result;
}

}  // namespace warpglass
