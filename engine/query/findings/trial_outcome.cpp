#include "engine/query/findings/trial_outcome.h"

#include <cmath>

#include "engine/base/check.h"
#include "engine/base/format.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/findings/run_facts.h"
#include "engine/query/summary/run_summary.h"

namespace warpglass {
namespace {

std::string valueWords(TrialMetric metric, double value) {
    return metric == TrialMetric::kStepTime
               ? inWords(value) + " per step"
               : formatBytes(Bytes(static_cast<std::int64_t>(std::llround(value)))) + " at the peak";
}

std::string shortValue(TrialMetric metric, double value) {
    return metric == TrialMetric::kStepTime
               ? inWords(value)
               : formatBytes(Bytes(static_cast<std::int64_t>(std::llround(value))));
}

std::string trialWords(const Trial& trial) {
    return capitalized(trial.setting + " " +
                       settingWords({"config." + trial.setting, {}, trial.value}, trial.value));
}

}  // namespace

std::string expectationSentence(const Trial& trial) {
    const double saved = trial.before - trial.expected;
    return std::string(trial.metric == TrialMetric::kStepTime ? "Best case: " : "Predicted: ") +
           valueWords(trial.metric, trial.expected) + ", which saves " + shortValue(trial.metric, saved) +
           " (" + formatPercent(trial.before > 0 ? saved / trial.before : 0) + ").";
}

TrialOutcome trialOutcome(const Trial& trial, const MemoryTimeline& timeline) {
    WG_CHECK(timeline.snapshot());
    constexpr double kMost = 0.8, kSome = 0.2;
    const RunSummary run = summarizeRun(timeline);
    TrialOutcome outcome;
    if (run.state == run_state::kFinished && run.stepMean) {
        if (trial.metric == TrialMetric::kStepTime)
            outcome.measured = run.stepMean;
        else if (run.peak)
            outcome.measured = static_cast<double>(sumOf(run.peak->bytes));
    }
    if (!outcome.measured) {
        outcome.sentence = trialWords(trial) + ": the run did not come far enough to say whether " +
                           valueWords(trial.metric, trial.expected) + " came true.";
        return outcome;
    }
    outcome.sentence = trialWords(trial) + ": " + valueWords(trial.metric, *outcome.measured) +
                       " instead of " + shortValue(trial.metric, trial.before) +
                       (trial.metric == TrialMetric::kStepTime ? "; best case " : "; predicted ") +
                       shortValue(trial.metric, trial.expected) + ", ";
    const double gain = trial.before - trial.expected, came = trial.before - *outcome.measured;
    const double spread = trial.metric == TrialMetric::kStepTime ? run.stepStandardDeviation.value_or(0) : 0;
    if (spread > gain && std::abs(came) < spread) {
        outcome.sentence += "but its steps differ by ± " + inWords(spread) +
                            ", more than was to be gained: no answer. More measured steps may tell.";
        return outcome;
    }
    const double gained = came / gain;
    outcome.verdict = gained >= kMost   ? TrialVerdict::kCameTrue
                      : gained >= kSome ? TrialVerdict::kPartly
                                        : TrialVerdict::kNot;
    outcome.sentence += outcome.verdict == TrialVerdict::kCameTrue ? "so the gain came true."
                        : outcome.verdict == TrialVerdict::kPartly ? "so the gain came true in part."
                                                                   : "so the gain did not come true.";
    if (trial.metric == TrialMetric::kStepTime) {
        if (const std::string caution = stepCaution(run); !caution.empty())
            outcome.sentence += " " + caution;
        for (const std::string& caution : conditionsOf(*timeline.snapshot()).cautions())
            outcome.sentence += " " + caution;
    }
    return outcome;
}

}  // namespace warpglass
