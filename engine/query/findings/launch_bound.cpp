#include "engine/query/findings/launch_bound.h"

#include <cmath>

#include "engine/base/format.h"
#include "engine/query/findings/fusion_gain.h"

namespace warpglass {

std::optional<Finding> findLaunchBound(const RunFacts& facts) {
    if (!facts.isLaunchBound())
        return std::nullopt;
    const double late = facts.idle(IdleCause::kHostLate);
    Finding finding = facts.findingOf("launch-bound", late);
    finding.sentence = "The GPU was idle for " + inWords(late) + " (" + formatPercent(finding.stepShare) +
                       ") of each " + facts.stepInWords() + ", waiting for the host, which launches ";
    finding.sentence += formatGrouped(std::llround(facts.kernelsPerStep())) +
                        " kernels per step; each runs for " + inWords(facts.meanKernelTime()) +
                        " on average.";
    const bool graph = facts.config() && facts.config()->execution == Execution::kGraph;
    // What is expected of a trial is said next, and it is the graph's.
    finding.remedy = canFuseMore(facts) ? "Fused kernels need fewer launches. " : "";
    finding.remedy += graph ? "Larger kernels (a larger batch or context) would give the GPU more to do."
                            : "Capturing the step in a CUDA graph launches it all at once.";
    finding.evidence = facts.evidenceOfIdle(IdleCause::kHostLate);
    if (facts.config() && !graph) {
        RunConfig changed = *facts.config();
        changed.execution = Execution::kGraph;
        finding.trial =
            facts.trial(changed, TrialMetric::kStepTime, facts.stepTime(), facts.stepTime() - late);
    }
    return finding;
}

std::string boundInWords(const RunFacts& facts) {
    const GpuTimeUse& use = facts.gpuUse();
    // The causes of idle time that was not recorded in full are unknown.
    if (!facts.hasKernels() || facts.stepTime() <= 0 || use.steps <= 0 || use.wall.value <= 0 ||
        use.busy.value <= 0 || use.idle[static_cast<std::size_t>(IdleCause::kUnknown)] > use.busy)
        return {};
    const bool isOne = facts.steps().measured && facts.steps().count == 1;
    const auto said = [isOne](std::string_view bound, std::string_view why, double share) {
        return std::string(bound) + (isOne ? " in the one measured step (" : " (") + std::string(why) +
               formatPercent(share) + (isOne ? " of it)" : " of the step)");
    };
    if (facts.isLaunchBound())
        return said("launch-bound", "the GPU waits for the host ",
                    facts.shareOfStep(facts.idle(IdleCause::kHostLate)));
    const double busy = static_cast<double>(use.busy.value) / static_cast<double>(use.wall.value);
    constexpr double kMostlyBusy = 0.9;
    return said(busy >= kMostlyBusy ? "GPU-bound" : "bound by neither", "the GPU is busy for ", busy);
}

}  // namespace warpglass
