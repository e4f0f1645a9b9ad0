// GEMMs in fp32 although the device has a faster precision for them: they take three tenths of the step or
// more, and the ceilings (measured, or else the data sheet's) differ by a half or more.
//
// The ceilings say what another precision would save: of a GEMM time T, up to T · (1 − ceiling of fp32 /
// ceiling of the other), for tf32 and for bf16 where the device has them.
//
// Try: tf32 on a GPU, which changes no tensor and makes no casts, but bf16 if that is expected to save a
// tenth of the step more; bf16 on the CPU. The expectation is more careful than the stated bound: the GEMMs'
// FLOPs (engine/plan/flops.h) at half the other ceiling, since GEMMs of context 512 reach 35 to 70% of it on
// an H200. The step can get shorter by no more than the GEMMs do, and no shorter than the host takes to
// launch it. Limits: nothing is reported for a step that waits for launches; what bf16's casts add is not
// expected, nor what it saves in kernels that move memory.
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/flops.h"
#include "engine/plan/valid_config.h"
#include "engine/query/findings/rules.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {

namespace {

constexpr double kLeastSlowShare = 0.30;
constexpr double kLeastFactor = 1.5;
constexpr double kShareOfPeak = 0.5;
/// The share of the step that bf16, which adds casts, must be expected to save beyond what tf32 saves.
constexpr double kWorthCasts = 0.1;

/// An arithmetic that the device has a higher ceiling for.
struct Faster {
    RunConfig config;
    double factor = 1;
    double expected = 0;  // ns, of the step

    std::string_view name() const { return precisionName(config.precision); }
};

/// In the order in which they are proposed: tf32 makes no casts.
std::vector<Faster> fasterThanFp32(const RunFacts& facts) {
    const RunConfig& config = *facts.config();
    const auto now = facts.peakRate(Precision::kFp32);
    std::vector<Faster> all;
    for (const Precision precision : {Precision::kTf32, Precision::kBf16}) {
        const auto then = facts.peakRate(precision);
        Faster faster{config};
        faster.config.precision = precision;
        if (!now || !then || *then < kLeastFactor * *now || !validate(faster.config).empty() ||
            (precision == Precision::kTf32 && !config.onGpu()))
            continue;
        faster.factor = *then / *now;
        const double flops = static_cast<double>(countFlops(config).matmul().value);
        faster.expected = facts.stepTimeWithout(facts.productTime() - flops / (*then * kShareOfPeak) * 1e9);
        all.push_back(std::move(faster));
    }
    return all;
}

/// "6.8× as high in tf32 and 13.7× in bf16: a step is expected to take 30.5 ms in tf32, and 29.0 ms in bf16
/// plus what its casts take", by the share of a ceiling that such products reach, with the rest as it is.
std::string gainsInWords(const std::vector<Faster>& all) {
    std::string higher, expected;
    for (const Faster& faster : all) {
        std::array<char, 32> factor{};
        std::snprintf(factor.data(), factor.size(), "%.1f", faster.factor);
        const std::string name(faster.name());
        higher += (higher.empty() ? "" : " and ") + std::string(factor.data()) + "×" +
                  (higher.empty() ? " as high in " : " in ") + name;
        expected += (expected.empty() ? "" : ", and ") + inWords(faster.expected) + " in " + name +
                    (faster.config.precision == Precision::kBf16 ? " plus what its casts take" : "");
    }
    return higher + ": a step is expected to take " + expected;
}

}  // namespace

std::optional<Finding> findSlowPrecision(const RunFacts& facts) {
    const double time = facts.productTime();
    if (!facts.config() || facts.config()->precision != Precision::kFp32 || facts.isLaunchBound() ||
        facts.shareOfStep(time) < kLeastSlowShare)
        return std::nullopt;
    const std::vector<Faster> all = fasterThanFp32(facts);
    if (all.empty())
        return std::nullopt;
    const Faster& other = all.back();
    const bool worthCasts = all.front().expected - other.expected >= kWorthCasts * facts.stepTime();
    const Faster& proposed = worthCasts ? other : all.front();
    Finding finding;
    finding.rule = "slow-precision";
    finding.trial = facts.trial(proposed.config, TrialMetric::kStepTime, facts.stepTime(), proposed.expected);
    if (!finding.trial)
        return std::nullopt;
    finding.nsPerStep = facts.stepTime() - finding.trial->expected;
    finding.stepShare = facts.shareOfStep(finding.nsPerStep);
    finding.sentence =
        "GEMMs take " + inWords(time) + (facts.hasKernels() ? " of GPU time per step, " : " per step, ") +
        facts.shareInWords(time) + ", in fp32. The device's ceilings are " + gainsInWords(all) + ".";
    finding.remedy =
        facts.config()->onGpu()
            ? "TF32 rounds only what enters a product; bf16 saves memory as well, and adds casts."
            : "bf16 rounds what enters a product, and adds casts.";
    finding.evidence = facts.evidenceOfOps(isProductOp);
    return finding;
}

}  // namespace warpglass
