#include "engine/query/findings/optimizer_share.h"

#include "engine/base/format.h"
#include "engine/plan/parameters.h"

namespace warpglass {
namespace {

constexpr double kLeastStepShare = 0.10;
constexpr double kLeastPeakShare = 0.30;
constexpr double kBytesMoved = 28;

/// ", at 74 % of the data sheet's bandwidth".
std::string rateWords(const RunFacts& facts, double time) {
    if (!facts.config() || !facts.hasKernels() || !facts.bandwidth() || time <= 0)
        return {};
    const double moved = kBytesMoved * static_cast<double>(parameterCount(facts.config()->shape));
    const double share = moved / (time / 1e9) / *facts.bandwidth();
    // More than there is: then it is not this arithmetic that was timed.
    return share > 1 ? std::string()
                     : ", at " + formatPercent(share) + " " + std::string(facts.bandwidthWords());
}

}  // namespace

std::optional<Finding> findOptimizerShare(const RunFacts& facts) {
    const double time = facts.timeWhere([](const Place& place) { return place.phase == Phase::kOptimizer; });
    const auto category = static_cast<std::size_t>(Category::kOptimizerState);
    const Bytes moments = facts.peak() ? Bytes(facts.peak()->bytes[category]) : Bytes();
    const bool slow = facts.shareOfStep(time) >= kLeastStepShare;
    const bool large = facts.shareOfPeak(moments) >= kLeastPeakShare;
    if (!slow && !large)
        return std::nullopt;
    Finding finding;
    finding.rule = "optimizer";
    if (slow) {
        finding.nsPerStep = time;
        finding.stepShare = facts.shareOfStep(time);
        finding.sentence = "AdamW's update took " + inWords(time) +
                           (facts.hasKernels() ? " of GPU time a step, " : " a step, ") +
                           formatPercent(finding.stepShare) + rateWords(facts, time);
        finding.remedy = "It does not depend on batch and context: more tokens a step share its cost.";
        finding.evidence = {
            EvidenceView::kTimeline,
            facts.rangeWhere([](const Place& place) { return place.phase == Phase::kOptimizer; }),
            {},
            {}};
    }
    if (large) {
        finding.bytes = moments;
        finding.peakShare = facts.shareOfPeak(moments);
        finding.sentence += slow ? "; its two moments are " : "AdamW's two moments are ";
        finding.sentence += formatBytes(moments) + ", " + formatPercent(finding.peakShare) + " of the peak";
        finding.sentence += slow ? "" : ": two fp32 numbers for each parameter";
    }
    finding.sentence += ".";
    if (!slow) {
        finding.remedy = "An optimizer with less state (SGD, 8-bit moments) would need less.";
        finding.evidence = facts.evidenceAtPeak("optimizer");
        finding.evidence.view = EvidenceView::kMemory;
        finding.evidence.filter.clear();
    }
    return finding;
}

}  // namespace warpglass
