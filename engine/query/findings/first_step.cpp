#include "engine/query/findings/first_step.h"

#include <array>
#include <cstdio>
#include <vector>

#include "engine/query/activity/conditions.h"
#include "engine/query/spans/step_selection.h"

namespace warpglass {

std::optional<SlowFirstStep> slowFirstStep(const Snapshot& snapshot, const MissingRecords& missing) {
    constexpr double kLeastExcess = 0.05;
    constexpr double kLeastFactor = 1.5;
    std::vector<StepSpan> measured = stepSpans(snapshot, completeSteps(snapshot));
    const std::size_t warmups = std::erase_if(
        measured, [warmup = warmupSteps(snapshot)](const StepSpan& step) { return step.step < warmup; });
    if (measured.size() < (warmups > 0 ? 3U : 2U) || missing.lacks(RecordKind::kSteps))
        return std::nullopt;
    SlowFirstStep found;
    found.range = measured.front().range;
    const auto first = static_cast<double>(found.range.duration().value);
    for (std::size_t i = 1; i < measured.size(); ++i)
        found.others += static_cast<double>(measured[i].range.duration().value);
    found.mean = (first + found.others) / static_cast<double>(measured.size());
    found.others /= static_cast<double>(measured.size() - 1);
    if (found.others <= 0 || (found.mean - found.others) / found.others < kLeastExcess ||
        first < kLeastFactor * found.others)
        return std::nullopt;

    std::array<char, 32> times{};
    std::snprintf(times.data(), times.size(), "%.*f", first / found.others < 10 ? 1 : 0,
                  first / found.others);
    found.sentence = "The first measured step took " + inWords(first) + ", " + times.data() + "× the " +
                     inWords(found.others) + " of the others, and makes the mean " + inWords(found.mean) +
                     ".";
    const std::string disturbance = conditionsIn(snapshot, found.range).disturbance();
    found.isDisturbed = !disturbance.empty();
    if (found.isDisturbed)
        found.sentence += " The host was busy in it, which may be why: " + disturbance + ".";
    found.remedy =
        found.isDisturbed && warmups > 0 ? "A run on an idle host tells whether the step is slow by itself: "
                                           "only then does one more warm-up step help."
        : warmups > 0
            ? "What makes it slow outlasts the warm-up: one more warm-up step takes it out of the mean."
            : "Libraries load and kernels are chosen in it: a warm-up step takes that out of the mean.";
    return found;
}

std::optional<Finding> findFirstStep(const RunFacts& facts) {
    const std::optional<SlowFirstStep> slow = slowFirstStep(facts.snapshot(), facts.missing());
    if (!slow)
        return std::nullopt;
    Finding finding;
    finding.rule = "first-step";
    finding.nsPerStep = slow->mean - slow->others;
    finding.stepShare = finding.nsPerStep / slow->mean;
    finding.sentence = slow->sentence;
    finding.remedy = slow->remedy;
    finding.evidence.range = slow->range;
    // What others did then they may do again, or not at all: nothing is promised of it.
    if (facts.config() && !slow->isDisturbed) {
        RunConfig changed = *facts.config();
        ++changed.warmup;
        finding.trial = facts.trial(changed, TrialMetric::kStepTime, slow->mean, slow->others);
    }
    return finding;
}

}  // namespace warpglass
