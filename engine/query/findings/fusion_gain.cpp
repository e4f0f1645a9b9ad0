#include "engine/query/findings/fusion_gain.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "engine/plan/own_parts.h"
#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/weight_casts.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

/// The share of the bandwidth counted on: large copies reach nine tenths, kernels with sums over rows less.
constexpr double kShareOfBandwidth = 0.5;

/// A kernel by where it was launched.
struct LaunchedFusions {
    std::string_view module, part, op;
    Phase phase = Phase::kNone;

    bool isElementwise() const { return opFamily(op, Phase::kNone) == OpFamily::kElementwise; }
    bool isNormalization() const { return opFamily(op, Phase::kNone) == OpFamily::kNormalization; }
};

template <class Passes>
double timeWhere(const RunFacts& facts, Passes passes) {
    const Snapshot& run = facts.snapshot();
    double time = 0;
    for (const RunFacts::PlacedKernel& kernel : facts.placedKernels()) {
        const LaunchedFusions launched{run.name(kernel.place.module), run.name(kernel.place.part),
                                       run.name(kernel.detail.op), kernel.place.phase};
        time += passes(launched) ? kernel.time : 0;
    }
    return time;
}

bool isNorm(std::string_view module) {
    const std::string_view last = module.substr(module.rfind('.') + 1);  // all of it without a point
    return last == "norm" || last == "norm1" || last == "norm2";
}

/// "blocks.7", which adds its branches to the residual stream.
bool isBlock(std::string_view module) {
    return module.starts_with("blocks.") &&
           module.find('.', std::string_view("blocks.").size()) == module.npos;
}

/// How the sizes count; in double, which does not overflow.
struct Sizes {
    double tokens, width, hidden, layers, vocabulary, scores, number;
    bool backward;

    explicit Sizes(const RunConfig& config)
        : tokens(static_cast<double>(config.batch) * static_cast<double>(config.context)),
          width(static_cast<double>(config.shape.dModel)),
          hidden(static_cast<double>(config.shape.dFf)),
          layers(static_cast<double>(config.shape.layers)),
          vocabulary(static_cast<double>(config.shape.vocabulary)),
          scores(tokens * static_cast<double>(config.context) * static_cast<double>(config.shape.heads)),
          number(isMixed(config.precision) ? 2 : 4),
          backward(config.mode != Mode::kForward) {}

    double passes(double forward, double ofBackward) const { return forward + (backward ? ofBackward : 0); }
};

double optimizerTime(const RunFacts& facts) {
    return timeWhere(facts, [](const LaunchedFusions& at) { return at.phase == Phase::kOptimizer; });
}
double optimizerBytes(const RunConfig& config) {
    return static_cast<double>(planOf(OptimizerVariant::kFused).moved.value) *
           static_cast<double>(parameterCount(config.shape));
}

double normTime(const RunFacts& facts) {
    std::unordered_set<std::string> products;
    for (const ParameterTensor& weight : parameterTensors(facts.config()->shape)) {
        if (isOfProduct(weight))
            products.insert(weight.module);
    }
    const double norms = timeWhere(facts, [](const LaunchedFusions& at) {
        return isNorm(at.module) || (isBlock(at.module) && at.isElementwise());
    });
    const double casts = timeWhere(facts, [&](const LaunchedFusions& at) {
        return isCopyOp(at.op) && products.contains(std::string(at.module));
    });
    return norms + std::max(0.0, casts - weightCasts(facts).time);
}
double normBytes(const RunConfig& config) {
    const Sizes s(config);
    return (2 * s.layers + 1) * s.tokens * s.width * s.passes(8 + 2 * s.number, 12 + 2 * s.number);
}

double swigluTime(const RunFacts& facts) {
    return timeWhere(
        facts, [](const LaunchedFusions& at) { return at.module.ends_with(".ffn") && at.isElementwise(); });
}
double swigluBytes(const RunConfig& config) {
    const Sizes s(config);
    return s.layers * s.tokens * s.hidden * s.number * s.passes(3, 5);
}

double ropeTime(const RunFacts& facts) {
    return timeWhere(facts, [](const LaunchedFusions& at) {
        return isAttention(at.module) && at.part.empty() && at.isElementwise();
    });
}
double ropeBytes(const RunConfig& config) {
    const Sizes s(config);
    return s.layers * s.tokens * s.width * s.number * s.passes(4, 4);
}

double softmaxTime(const RunFacts& facts) {
    return timeWhere(facts, [](const LaunchedFusions& at) {
        return isAttention(at.module) && (at.part == "scores" || at.part == "softmax") &&
               (at.isElementwise() || at.isNormalization());
    });
}
double softmaxBytes(const RunConfig& config) {
    const Sizes s(config);
    return s.layers * s.scores * s.number * s.passes(2, 3);
}

double lossTime(const RunFacts& facts) {
    return timeWhere(facts, [](const LaunchedFusions& at) {
        return at.phase == Phase::kLoss || at.op.find("log_softmax") != at.op.npos ||
               at.op.find("nll_loss") != at.op.npos;
    });
}
double lossBytes(const RunConfig& config) {
    const Sizes s(config);
    return s.tokens * s.vocabulary * s.number * s.passes(1, 2);
}

double castsTime(const RunFacts& facts) {
    return weightCasts(facts).time;
}
double castsBytes(const RunConfig& config) {
    double weights = 0;
    for (const ParameterTensor& weight : parameterTensors(config.shape))
        weights += isOfProduct(weight) ? static_cast<double>(weight.count()) : 0;
    return 4 * weights;
}

struct Fusion {
    std::string_view word;
    double (*time)(const RunFacts&);
    double (*bytes)(const RunConfig&);
};

const std::array<Fusion, 7>& fusions() {
    static const std::array<Fusion, 7> all = {{
        {fusedOptimizer(), optimizerTime, optimizerBytes},
        {planOf(NormVariant::kFused).is.choice.word, normTime, normBytes},
        {planOf(FeedForwardVariant::kFused).is.choice.word, swigluTime, swigluBytes},
        {planOf(RotaryVariant::kFused).is.choice.word, ropeTime, ropeBytes},
        {fusedSoftmax(), softmaxTime, softmaxBytes},
        {fusedLoss(), lossTime, lossBytes},
        {fusedCasts(), castsTime, castsBytes},
    }};
    return all;
}

/// Whether the run could have it and has it not.
bool canFuse(const RunFacts& facts, std::size_t part) {
    const auto& config = facts.config();
    return config && !hasOwnPart(*config, part) && ownPartHasWork(*config, part);
}

std::size_t indexOf(std::string_view part) {
    const auto found = std::ranges::find(ownParts(), part, &Choice::word);
    return static_cast<std::size_t>(found - ownParts().begin());
}

std::optional<Trial> timeTrial(const RunFacts& facts, const RunConfig& changed, double gain) {
    if (gain <= 0 || facts.isLaunchBound())
        return std::nullopt;
    return facts.trial(changed, TrialMetric::kStepTime, facts.stepTime(), facts.stepTimeWithout(gain));
}

}  // namespace

std::string_view fusedOptimizer() {
    return planOf(OptimizerVariant::kFused).is.choice.word;
}
std::string_view fusedSoftmax() {
    return planOf(SoftmaxVariant::kFused).is.choice.word;
}
std::string_view fusedLoss() {
    return planOf(LossVariant::kFused).is.choice.word;
}
std::string_view fusedCasts() {
    return planOf(LinearVariant::kFused).is.choice.word;
}

bool canFuseMore(const RunFacts& facts) {
    for (std::size_t i = 0; i < ownParts().size(); ++i) {
        if (canFuse(facts, i))
            return true;
    }
    return false;
}

double fusionGain(const RunFacts& facts, std::string_view part) {
    const auto fusion = std::ranges::find(fusions(), part, &Fusion::word);
    const std::optional<double> bandwidth = facts.bandwidth();
    if (fusion == fusions().end() || !canFuse(facts, indexOf(part)) || !bandwidth || *bandwidth <= 0)
        return 0;
    const double fused = fusion->bytes(*facts.config()) / (kShareOfBandwidth * *bandwidth) * 1e9;
    return std::max(0.0, fusion->time(facts) - fused);
}

std::optional<Trial> fusionTrial(const RunFacts& facts, std::string_view part) {
    const double gain = fusionGain(facts, part);
    if (gain <= 0)
        return std::nullopt;
    RunConfig changed = *facts.config();
    setOwnPart(changed, indexOf(part), true);
    return timeTrial(facts, changed, gain);
}

std::optional<Trial> fusionTrial(const RunFacts& facts) {
    double gain = 0;
    for (const Fusion& fusion : fusions())
        gain += fusionGain(facts, fusion.word);
    if (gain <= 0)
        return std::nullopt;
    RunConfig changed = *facts.config();
    if (!takeOwnParts(kFusedKernels, changed))
        return std::nullopt;
    return timeTrial(facts, changed, gain);
}

std::optional<Trial> fusionMemoryTrial(const RunFacts& facts, std::string_view part) {
    if (!canFuse(facts, indexOf(part)))
        return std::nullopt;
    RunConfig changed = *facts.config();
    setOwnPart(changed, indexOf(part), true);
    return facts.memoryTrial(changed);
}

}  // namespace warpglass
