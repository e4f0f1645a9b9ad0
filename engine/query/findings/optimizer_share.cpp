// The optimizer takes a tenth of the step or more (what its phase launched, kernels and the driver's copies);
// or its moments are a tenth of the peak or more: with only fp32 weights and gradients beside them they would
// be half.
//
// Try, of time: our own kernel over all parameters (fusion_gain.h, optimizer), where PyTorch's does not come
// near the bandwidth.
//
// For the fused AdamW on a GPU the memory rate is stated: four numbers read and three written per parameter,
// 28 bytes. Limits: if other work ran beside it on the GPU, its time would count twice; there is none here.
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/parts.h"
#include "engine/query/findings/fusion_gain.h"
#include "engine/query/findings/rules.h"

namespace warpglass {
namespace {

constexpr double kLeastStepShare = 0.10;
constexpr double kLeastPeakShare = 0.10;

/// ", at 74% of the data sheet's bandwidth".
std::string rateWords(const RunFacts& facts, double time) {
    if (!facts.config() || !facts.hasKernels() || !facts.bandwidth() || time <= 0)
        return {};
    const auto moved = static_cast<double>(updateMoves(*facts.config()).value);
    const double share = moved / (time / 1e9) / *facts.bandwidth();
    // More than there is: then it is not this arithmetic that was timed.
    return share > 1 ? std::string()
                     : ", at " + formatPercent(share) + " " + std::string(facts.bandwidthWords());
}

}  // namespace

std::optional<Finding> findOptimizerTime(const RunFacts& facts) {
    const RunFacts::Work work =
        facts.workWhere([](const Place& place) { return place.phase == Phase::kOptimizer; });
    const double time = work.time;
    if (facts.shareOfStep(time) < kLeastStepShare)
        return std::nullopt;
    Finding finding = facts.findingOf("optimizer", time);
    finding.sentence = "The AdamW update takes " + inWords(time) +
                       (facts.hasKernels() ? " of GPU time per step" : " per step") + work.partsInWords() +
                       ", " + facts.shareInWords(time) + rateWords(facts, time) + ".";
    finding.remedy = "Its cost is fixed per step; a larger batch amortizes it.";
    finding.evidence = facts.evidenceOfPhase(Phase::kOptimizer);
    finding.trial = fusionTrial(facts, fusedOptimizer());
    return finding;
}

std::optional<Finding> findOptimizerMemory(const RunFacts& facts) {
    Bytes bytes;
    std::vector<AllocationId> moments;
    for (const RunFacts::Alive& alive : facts.alive()) {
        if (alive.row.category == Category::kOptimizerState) {
            bytes += Bytes(alive.row.bytes);
            moments.push_back(alive.id);
        }
    }
    if (facts.shareOfPeak(bytes) < kLeastPeakShare)
        return std::nullopt;
    Finding finding = facts.findingOf("optimizer-memory", bytes);
    finding.sentence = "AdamW's two moments take " + formatBytes(bytes) + ", " +
                       formatPercent(finding.peakShare) + " of the peak: two fp32 values per parameter.";
    // A byte for each of four.
    finding.remedy = "8-bit moments would save " + formatBytes(Bytes(bytes.value / 4 * 3)) +
                     "; an optimizer without state (SGD) would need none of it.";
    finding.evidence = facts.evidenceAtPeak(std::move(moments));
    return finding;
}

}  // namespace warpglass
