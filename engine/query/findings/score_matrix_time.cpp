#include "engine/query/findings/score_matrix_time.h"

#include "engine/plan/flops.h"
#include "engine/plan/parts.h"
#include "engine/plan/valid_config.h"
#include "engine/query/findings/fusion_gain.h"
#include "engine/query/findings/launch_bound.h"

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

    Finding finding;
    finding.rule = "score-matrix-time";
    finding.nsPerStep = all;
    finding.stepShare = facts.shareOfStep(all);
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
