#include "engine/query/findings/slow_precision.h"

#include <array>
#include <cstdio>

#include "engine/base/format.h"
#include "engine/plan/flops.h"
#include "engine/query/op_family.h"

namespace warpglass {

std::optional<Finding> findSlowPrecision(const RunFacts& facts) {
    constexpr double kLeastShare = 0.30;
    constexpr double kLeastFactor = 1.5;
    constexpr double kShareOfPeak = 0.5;
    const double time = facts.productTime();
    if (!facts.config() || facts.config()->precision != Precision::kFp32 || facts.isLaunchBound() ||
        facts.shareOfStep(time) < kLeastShare)
        return std::nullopt;
    RunConfig changed = *facts.config();
    changed.precision = changed.onGpu() ? Precision::kTf32 : Precision::kBf16;
    const auto now = facts.peakRate(Precision::kFp32), then = facts.peakRate(changed.precision);
    if (!now || !then || *then < kLeastFactor * *now || !validate(changed).empty())
        return std::nullopt;
    const double flops = static_cast<double>(countFlops(*facts.config()).matmul().value);
    const double faster = flops / (*then * kShareOfPeak) * 1e9;
    Finding finding;
    finding.rule = "slow-precision";
    finding.trial =
        facts.trial(changed, TrialMetric::kStepTime, facts.stepTime(), facts.stepTimeWithout(time - faster));
    if (!finding.trial)
        return std::nullopt;
    std::array<char, 32> factor{};
    std::snprintf(factor.data(), factor.size(), "%.1f", *then / *now);
    finding.nsPerStep = facts.stepTime() - finding.trial->expected;
    finding.stepShare = facts.shareOfStep(finding.nsPerStep);
    finding.sentence = "Matrix products took " + inWords(time) +
                       (facts.hasKernels() ? " of GPU time a step, " : " a step, ") +
                       facts.shareInWords(time) + ", in fp32; the device does them up to " + factor.data() +
                       "\u202F× as fast in " + std::string(precisionName(changed.precision)) + ".";
    finding.remedy = changed.onGpu()
                         ? "TF32 rounds only what enters a product; bf16 saves memory as well, and casts."
                         : "bf16 rounds what enters a product, and casts.";
    finding.evidence = facts.evidenceOfOps(isProductOp);
    return finding;
}

}  // namespace warpglass
