#include "engine/query/findings/synchronizations.h"

namespace warpglass {

std::optional<Finding> findSynchronizations(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    const double waited = facts.idle(IdleCause::kSynchronization);
    if (facts.shareOfStep(waited) < kLeastShare)
        return std::nullopt;
    Finding finding;
    finding.rule = "synchronizations";
    finding.nsPerStep = waited;
    finding.stepShare = facts.shareOfStep(waited);
    finding.sentence = "The GPU ran dry for " + inWords(waited) + " per step, " + facts.shareInWords(waited) +
                       ", because the host waited for it before launching more.";
    finding.remedy = "Values that are read back from the GPU less often need fewer waits.";
    finding.evidence = facts.evidenceOfIdle(IdleCause::kSynchronization);
    return finding;
}

}  // namespace warpglass
