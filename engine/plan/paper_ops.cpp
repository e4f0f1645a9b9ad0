#include "engine/plan/paper_ops.h"

#include "engine/plan/parts.h"

namespace warpglass {

using namespace paper_kind;

namespace {

/// Heads × head dimension.
Saturating widthOf(const RunConfig& config) {
    return config.isAttention() ? Saturating(config.shape.heads) * config.headDim
                                : Saturating(config.shape.dModel);
}

}  // namespace

PaperSizes::PaperSizes(const RunConfig& config)
    : mixed(isMixed(config.precision)),
      alone(config.isAttention()),
      gpu(config.onGpu()),
      half(mixed ? 2 : 4),
      tokens(Saturating(config.batch) * config.context),
      stream(tokens * widthOf(config) * 4),
      streamHalf(tokens * widthOf(config) * half),
      hiddenHalf(tokens * config.shape.dFf * half),
      scores(tokens * config.context * config.shape.heads),
      rows(tokens * 4),
      headRows(tokens * config.shape.heads * 4),
      rotations(Saturating(config.context) * (config.headDimension() / 2) * 8),
      logits(tokens * config.shape.vocabulary),
      mask(Saturating(config.context) * config.context * half) {}

PaperOps::PaperOps(MemoryWalk& walk, const RunConfig& config)
    : m_walk(walk),
      m_config(config),
      m_sizes(config),
      m_keeps(config.mode != Mode::kForward),
      m_normNarrows(planOf(config.norm).addsAndNarrows),
      m_hasCopies(keepsWeightCopies(config)) {}

PaperTensor PaperOps::linear(const PaperTensor& input, Saturating inputSize, bool inputIsHalf,
                             Saturating weight, const MemoryWalk::Kind& outputKind, Saturating output,
                             PaperLinear& saved) {
    PaperTensor multiplied = input;
    PaperTensor weightCast;
    const bool casts = m_sizes.mixed && !inputIsHalf;
    if (m_sizes.mixed && !m_hasCopies) {
        weightCast = make(kWeightCasts, weight * 2);
        m_weightCasts.push_back(weightCast);
    }
    if (casts)  // one for each product: autocast remembers the copies of weights only
        multiplied = kept(kCasts, Saturating(inputSize.value() / 2));
    PaperTensor result = make(outputKind, output);
    takeWorkspace(false);
    if (m_keeps)
        saved = {multiplied, weightCast, weight, inputSize, casts};
    return result;
}

PaperTensor PaperOps::linearBackward(PaperTensor gradient, PaperLinear& saved, bool summed) {
    if (!m_sizes.mixed) {
        keepGradient(saved.weight);
        takeWorkspace(true);
        PaperTensor inputGradient = make(kFlow, saved.inputSize);
        gradient.reset();
        saved.input.reset();
        return inputGradient;
    }
    PaperTensor halfWeightGradient;
    if (m_hasCopies)
        keepGradient(saved.weight);
    else
        halfWeightGradient = make(kBackwardScratch, saved.weight * 2);
    takeWorkspace(true);
    PaperTensor inputGradient = make(kFlow, Saturating(saved.inputSize.value() / 2));
    const auto release = [&] {
        gradient.reset();
        saved.weightCast.reset();
        saved.input.reset();
    };
    if (!m_hasCopies)  // the cast back is a node of its own
        release();
    if (saved.inputCast)
        inputGradient = make(kFlow, saved.inputSize);
    release();
    if (summed)
        inputGradient.reset();
    if (!m_hasCopies)
        keepGradient(saved.weight);
    return inputGradient;
}

PaperTensor PaperOps::addResidual(PaperTensor branch) {
    PaperTensor widened;
    if (m_sizes.mixed && !m_sizes.gpu)  // a GPU's kernel reads both types
        widened = make(kScratch, m_sizes.stream);
    PaperTensor sum = kept(kResidual, m_sizes.stream);
    branch.reset();
    return sum;
}

void PaperOps::takeWorkspace(bool autogradsThread) {
    PaperTensor& workspace = m_workspaces[autogradsThread ? 1 : 0];
    if (m_walk.allocator() && !workspace.holds())
        workspace = make(kWorkspace, PaperSizes::kThreadsWorkspace);
}

void PaperOps::dropGradients() {
    while (!m_gradients.empty())
        m_gradients.pop_back();
}

void PaperOps::keepMoments(Saturating weight) {
    for (std::int64_t i = 0; i < planOf(m_config.optimizer).moments; ++i)
        m_moments.push_back(make(kMoments, weight * 4));
}

void PaperOps::arrive(std::size_t head, PaperTensor gradient) {
    gradient.reset();
    if (!m_headGradients[head].holds())
        m_headGradients[head] = make(kLeafGradients, m_sizes.streamHalf);
}

PaperTensor PaperOps::enterBranch(const PaperTensor& gradient) {
    return m_sizes.mixed ? make(kFlow, m_sizes.streamHalf) : gradient;
}

PaperTensor PaperOps::addGradients(PaperTensor sum, PaperTensor next) {
    // Cast back from 16 bits both are fresh copies, and the sum is taken in place; as products gave them they
    // are views, which autograd does not write to.
    if (m_sizes.mixed && !m_normNarrows)
        return sum;
    PaperTensor fresh = make(kFlow, m_sizes.streamHalf);
    sum.reset();
    next.reset();
    return fresh;
}

}  // namespace warpglass
