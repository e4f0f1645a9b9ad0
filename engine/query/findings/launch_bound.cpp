#include "engine/query/findings/launch_bound.h"

#include <cmath>

#include "engine/base/format.h"
#include "engine/query/findings/fusion_gain.h"

namespace warpglass {

std::optional<Finding> findLaunchBound(const RunFacts& facts) {
    if (!facts.isLaunchBound())
        return std::nullopt;
    const double late = facts.idle(IdleCause::kHostLate);
    Finding finding;
    finding.rule = "launch-bound";
    finding.nsPerStep = late;
    finding.stepShare = facts.shareOfStep(late);
    finding.sentence = "The GPU waited " + inWords(late) + " of each " + facts.stepInWords() + ", " +
                       formatPercent(finding.stepShare) + ", for the host to launch work: ";
    finding.sentence += formatGrouped(std::llround(facts.kernelsPerStep())) + " kernels a step, which take " +
                        inWords(facts.meanKernelTime()) + " each on average.";
    const bool graph = facts.config() && facts.config()->execution == Execution::kGraph;
    finding.remedy = graph ? "Larger kernels (a larger batch or context) would give the GPU more to do."
                           : "A CUDA graph launches the whole step at once.";
    if (canFuseMore(facts))
        finding.remedy += " Fused kernels need fewer launches.";
    finding.evidence = facts.evidenceOfIdle(IdleCause::kHostLate);
    if (facts.config() && !graph) {
        RunConfig changed = *facts.config();
        changed.execution = Execution::kGraph;
        finding.trial =
            facts.trial(changed, TrialMetric::kStepTime, facts.stepTime(), facts.stepTime() - late);
    }
    return finding;
}

}  // namespace warpglass
