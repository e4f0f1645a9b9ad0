#include "engine/query/findings/kernel_gaps.h"

#include <cmath>

#include "engine/base/format.h"
#include "engine/query/findings/fusion_gain.h"

namespace warpglass {

std::optional<Finding> findKernelGaps(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    const double gaps = facts.idle(IdleCause::kGap);
    if (facts.shareOfStep(gaps) < kLeastShare || facts.kernelsPerStep() < 1)
        return std::nullopt;
    Finding finding;
    finding.rule = "kernel-gaps";
    finding.nsPerStep = gaps;
    finding.stepShare = facts.shareOfStep(gaps);
    finding.sentence =
        "The GPU was idle for " + inWords(gaps) + " per step, " + facts.shareInWords(gaps) +
        ", between kernels that had been launched in time: " + inWords(gaps / facts.kernelsPerStep()) +
        " for each of " + formatGrouped(std::llround(facts.kernelsPerStep())) + " kernels.";
    finding.remedy = canFuseMore(facts) ? "Fewer and larger kernels, as fused ones are, have fewer gaps."
                                        : "Fewer and larger kernels have fewer gaps.";
    finding.evidence = facts.evidenceOfIdle(IdleCause::kGap);
    return finding;
}

}  // namespace warpglass
