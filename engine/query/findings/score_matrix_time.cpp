// Attention over explicit S × S matrices takes a tenth of the step or more: the time of what naive attention
// launched in its parts "scores", "softmax" and "values", forward and backward.
//
// Try, in 16 bits: flash attention, whose arithmetic F (recomputation included, engine/plan/flops.h) is
// expected to run at a fifth of the peak rate; on an H200 its kernels reach 22% of the data sheet at context
// 512 and head dimension 64. The step can get no shorter than the host takes to launch it, so there is
// nothing to try in time where that is the limit. In fp32 and tf32: scale, mask and softmax in one kernel
// (fusion_gain.h, softmax). Limits: casts within the parts count as theirs; of
// sdpa-math the parts are not recorded, and without ops those of a backward pass are not known; in fp32 no
// fused variant is known to be faster.
#include "engine/plan/flops.h"
#include "engine/plan/parts.h"
#include "engine/plan/valid_config.h"
#include "engine/query/findings/fusion_gain.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/rules.h"

namespace warpglass {
namespace {

constexpr double kLeastScoresShare = 0.10;
constexpr double kFusedShareOfPeak = 0.2;

double fusedFlops(const RunConfig& config) {
    double flops = 0;
    for (const FlopsEntry& entry : countFlops(config).entries) {
        if (isAttention(entry.module) && (entry.part == "scores" || entry.part == "values"))
            flops += static_cast<double>(entry.matmul.value);
    }
    return flops;
}

}  // namespace

std::optional<Finding> findScoreMatrixTime(const RunFacts& facts) {
    const Snapshot& run = facts.snapshot();
    const auto inPart = [&run](const Place& place, std::string_view part) {
        return run.name(place.part) == part && isAttention(run.name(place.module));
    };
    const auto timeOf = [&](std::string_view part) {
        return facts.timeWhere([&](const Place& place) { return inPart(place, part); });
    };
    if (!facts.config() || attentionPlan(*facts.config()).record != AttentionRecord::kRanges ||
        !facts.config()->recorded.has(Feature::kOps))
        return std::nullopt;
    const double scores = timeOf("scores"), softmax = timeOf("softmax"), values = timeOf("values");
    const double all = scores + softmax + values;
    if (facts.shareOfStep(all) < kLeastScoresShare)
        return std::nullopt;

    Finding finding = facts.findingOf("score-matrix-time", all);
    finding.sentence = "Attention's score matrices take " + inWords(all) +
                       (facts.hasKernels() ? " of GPU time per step, " : " per step, ") +
                       facts.shareInWords(all) + ": scores " + inWords(scores) + ", softmax " +
                       inWords(softmax) + ", values " + inWords(values) +
                       (facts.leavesOutFirst() ? "; the chart has the first step too." : ".");
    finding.evidence = facts.evidenceOverSteps();
    finding.evidence.view = EvidenceView::kAttention;
    finding.evidence.range.reset();  // of a range the chart states no mean of steps
    RunConfig changed = *facts.config();
    changed.attention = AttentionVariant::kSdpaFlash;
    const auto peak = facts.peakRate(changed.precision);
    if (!isMixed(changed.precision)) {
        finding.remedy = "Fused attention keeps them on the chip; in fp32 it saves memory rather than time.";
        finding.trial = fusionTrial(facts, fusedSoftmax());
        return finding;
    }
    finding.remedy = "Flash attention computes them on the chip, piece by piece.";
    if (facts.isLaunchBound())
        finding.remedy += kOnlyFewerLaunches;
    else if (peak && validate(changed).empty())
        finding.trial =
            facts.trial(changed, TrialMetric::kStepTime, facts.stepTime(),
                        facts.stepTimeWithout(all - fusedFlops(changed) / (*peak * kFusedShareOfPeak) * 1e9));
    return finding;
}

}  // namespace warpglass
