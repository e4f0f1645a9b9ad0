// The GPU is idle although the next kernel had been launched: idle time by the cause "kernel gap"
// (engine/query/activity/gpu_idle.h), a twentieth of the step or more, because steps differ by that much from
// one to the next. The figure per kernel divides that time by the kernels of a step, although some gaps are
// before copies.
//
// Limits: the recording itself lengthens gaps a little (docs/performance.md).
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/findings/fusion_gain.h"
#include "engine/query/findings/rules.h"

namespace warpglass {

std::optional<Finding> findKernelGaps(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    const double gaps = facts.idle(IdleCause::kGap);
    if (facts.shareOfStep(gaps) < kLeastShare || facts.kernelsPerStep() < 1)
        return std::nullopt;
    Finding finding = facts.findingOf("kernel-gaps", gaps);
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
