#include "engine/query/findings/first_step.h"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/query/activity/conditions.h"

namespace warpglass {

std::optional<Finding> findFirstStep(const RunFacts& facts) {
    constexpr double kLeastExcess = 0.05;
    constexpr double kLeastFactor = 1.5;
    std::vector<RunFacts::Step> measured;
    for (const RunFacts::Step& step : facts.allSteps()) {
        if (step.measured)
            measured.push_back(step);
    }
    const bool hadWarmup = measured.size() < facts.allSteps().size();
    // With steps lost another one may seem the first.
    if (measured.size() < (hadWarmup ? 3U : 2U) || facts.missing().lacks(RecordKind::kSteps))
        return std::nullopt;
    const auto first = static_cast<double>(measured.front().range.duration().value);
    double others = 0;
    for (std::size_t i = 1; i < measured.size(); ++i)
        others += static_cast<double>(measured[i].range.duration().value);
    const double mean = (first + others) / static_cast<double>(measured.size());
    others /= static_cast<double>(measured.size() - 1);
    if (others <= 0 || (mean - others) / others < kLeastExcess || first < kLeastFactor * others)
        return std::nullopt;

    std::array<char, 32> times{};
    std::snprintf(times.data(), times.size(), "%.*f", first / others < 10 ? 1 : 0, first / others);
    Finding finding;
    finding.rule = "first-step";
    finding.nsPerStep = mean - others;
    finding.stepShare = finding.nsPerStep / mean;
    finding.sentence = "The first measured step took " + inWords(first) + ", " + times.data() +
                       "\u202F× the " + inWords(others) + " of the others, and makes the mean " +
                       inWords(mean) + ".";
    const std::string disturbance = conditionsIn(facts.snapshot(), measured.front().range).disturbance();
    const bool isDisturbed = !disturbance.empty();
    if (isDisturbed)
        finding.sentence += " The host was busy in it, which may be why: " + disturbance + ".";
    finding.remedy =
        isDisturbed && hadWarmup
            ? "A run on an idle host tells whether the step is slow by itself: only then does "
              "one more warm-up step help."
        : hadWarmup
            ? "What makes it slow outlasts the warm-up: one more warm-up step takes it out of the mean."
            : "Libraries load and kernels are chosen in it: a warm-up step takes that out of the mean.";
    finding.evidence.range = measured.front().range;
    // What others did then they may do again, or not at all: nothing is promised of it.
    if (facts.config() && !isDisturbed) {
        RunConfig changed = *facts.config();
        ++changed.warmup;
        finding.trial = facts.trial(changed, TrialMetric::kStepTime, mean, others);
    }
    return finding;
}

}  // namespace warpglass
