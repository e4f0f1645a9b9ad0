// The run failed for want of memory (engine/query/summary/out_of_memory.h): where, and what its first step
// and every later one are predicted to need: AdamW's moments are there from the second step on.
//
// Try: the first of these single changes with which the predicted reservation leaves a tenth of the available
// memory free, also for a second step if the run was to have only one: fused attention, half the batch and
// halves of that, half the context and halves of that. The cost is what it was predicted to need beyond what
// it may take. Limits: what was live is stated only if memory was recorded and none of it is lost.
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/parameters.h"
#include "engine/plan/saturating.h"
#include "engine/plan/valid_config.h"
#include "engine/query/findings/rules.h"
#include "engine/query/summary/out_of_memory.h"

namespace warpglass {
namespace {

std::vector<RunConfig> smallerRuns(const RunConfig& config) {
    std::vector<RunConfig> runs;
    if (const auto fused = fusedAttentionFor(config)) {
        runs.push_back(config);
        runs.back().attention = *fused;
    }
    for (std::int64_t batch = config.batch / 2; batch > 0; batch /= 2) {
        runs.push_back(config);
        runs.back().batch = batch;
    }
    for (std::int64_t context = config.context / 2; context > 0; context /= 2) {
        runs.push_back(config);
        runs.back().context = context;
    }
    return runs;
}

/// What no batch and no context makes smaller.
std::string leastWords(const RunFacts& facts) {
    if (!facts.config())
        return "A smaller model, batch or context needs less.";
    if (facts.config()->isAttention())
        return "A smaller batch or length, or fewer heads, needs less.";
    const Saturating weights = Saturating(parameterCount(facts.config()->shape)) * 4;
    switch (facts.config()->mode) {
        case Mode::kForward:
            return "The weights alone take " + formatBytes(Bytes(weights.value())) + ".";
        case Mode::kForwardBackward:
            return "Weights and gradients alone take " + formatBytes(Bytes((weights * 2).value())) + ".";
        case Mode::kStep:
            break;
    }
    return "Weights, gradients and AdamW's moments alone take " + formatBytes(Bytes((weights * 4).value())) +
           ", whatever the batch and the context.";
}

}  // namespace

std::optional<Finding> findRanOutOfMemory(const RunFacts& facts) {
    const std::optional<OutOfMemory> failure = outOfMemory(facts.memory());
    if (!failure)
        return std::nullopt;
    Finding finding;
    finding.rule = "out-of-memory";
    finding.sentence = "The run ran out of memory";
    if (!failure->phase.empty())
        finding.sentence += " in " + failure->phase;
    if (!failure->module.empty())
        finding.sentence += " of " + failure->module;
    if (facts.peak())
        finding.sentence += " with " + formatBytes(failure->alive) + " live";
    if (failure->limit)
        finding.sentence += (facts.peak() ? " of the " : ", with ") + formatBytes(*failure->limit) +
                            (facts.peak() ? " it may take" : " that it may take");
    if (failure->predictedSteps)
        finding.sentence += "; " + stepPeaksInWords(*failure->predictedSteps);
    finding.sentence += ".";
    if (failure->predictedPeak && failure->limit && *failure->predictedPeak > *failure->limit)
        finding.bytes = *failure->predictedPeak - *failure->limit;
    finding.peakShare = 1;
    finding.evidence = facts.evidenceAtPeak();
    if (!facts.peak())
        finding.evidence.view = EvidenceView::kTimeline;
    finding.evidence.moment = failure->time;
    finding.evidence.visible = facts.surroundings(failure->time);
    if (facts.config() && failure->limit && failure->predictedPeak) {
        for (const RunConfig& smaller : smallerRuns(*facts.config())) {
            if (!validate(smaller).empty())
                continue;
            // A run of a single step should be able to go on.
            RunConfig goingOn = smaller;
            goingOn.steps += smaller.warmup + smaller.steps == 1 ? 1 : 0;
            if (predictAsked(goingOn) > *failure->limit ||
                fitOf(predictMemory(goingOn), *failure->limit) != Fit::kFits)
                continue;
            finding.trial = facts.trial(smaller, TrialMetric::kPeakMemory,
                                        static_cast<double>(failure->predictedPeak->value),
                                        static_cast<double>(predictMemory(smaller).given.value));
            if (finding.trial)
                break;
        }
    }
    finding.remedy = finding.trial ? "With " + finding.trial->setting + " " + finding.trial->value +
                                         " it is predicted to fit."
                                   : leastWords(facts);
    return finding;
}

}  // namespace warpglass
