// The GPU ran dry because the host waited for it before it launched more: idle time by the cause
// "synchronization" (engine/query/activity/gpu_idle.h), a twentieth of the step or more.
//
// Limits: a wait during which the GPU has work costs nothing and does not count.
#include "engine/query/findings/rules.h"

namespace warpglass {

std::optional<Finding> findSynchronizations(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    const double waited = facts.idle(IdleCause::kSynchronization);
    if (facts.shareOfStep(waited) < kLeastShare)
        return std::nullopt;
    Finding finding = facts.findingOf("synchronizations", waited);
    finding.sentence = "The GPU ran dry for " + inWords(waited) + " per step, " + facts.shareInWords(waited) +
                       ", because the host waited for it before launching more.";
    finding.remedy = "Values that are read back from the GPU less often need fewer waits.";
    finding.evidence = facts.evidenceOfIdle(IdleCause::kSynchronization);
    return finding;
}

}  // namespace warpglass
