#include "engine/query/findings/copies_and_casts.h"

#include <algorithm>
#include <array>

#include "engine/base/format.h"
#include "engine/query/findings/fusion_gain.h"
#include "engine/query/findings/weight_casts.h"

namespace warpglass {
namespace {

/// "; 791 µs of these go into casting weights to bf16 and their gradients back, in every step, and the copies
/// of 85 weights fill 265 MiB, 8.5% of the peak"; "" where neither is known or worth telling.
std::string weightWords(const RunFacts& facts, const WeightCasts& casts, bool hasCopies) {
    const std::string precision(facts.config() ? precisionName(facts.config()->precision)
                                               : std::string_view());
    std::string words;
    if (casts.time > 0)
        words = "; " + inWords(casts.time) + " of these go into casting weights to " + precision +
                (casts.gradients ? " and their gradients back" : "") + ", again in every step";
    if (hasCopies)
        words += (words.empty() ? "; the " + precision : std::string(", and the")) + " copies of " +
                 formatGrouped(static_cast<std::int64_t>(casts.copies.size())) +
                 (casts.copies.size() == 1 ? " weight fill " : " weights fill ") + formatBytes(casts.bytes) +
                 ", " + formatPercent(facts.shareOfPeak(casts.bytes)) + " of the peak";
    return words;
}

}  // namespace

bool isCopyOp(std::string_view op) {
    constexpr std::array<std::string_view, 5> kOps = {"aten::copy_", "aten::_to_copy", "aten::clone",
                                                      "aten::contiguous", "aten::cat"};
    return std::ranges::find(kOps, op) != kOps.end();
}

double copiesAndCastsTime(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    const double time = facts.timeOfOps(isCopyOp);
    return facts.shareOfStep(time) < kLeastShare ? 0 : time;
}

std::optional<Finding> findCopiesAndCasts(const RunFacts& facts) {
    const double time = copiesAndCastsTime(facts);
    if (time <= 0)
        return std::nullopt;
    const RunFacts::Work work = facts.workOfOps(isCopyOp);
    Finding finding = facts.findingOf("copies-and-casts", time);
    const bool mixed = facts.config() && isMixed(facts.config()->precision);
    finding.sentence = std::string(mixed ? "Precision casts and copies take " : "Copies take ") +
                       inWords(time) + (facts.hasKernels() ? " of GPU time per step" : " per step") +
                       work.partsInWords() + ", " + facts.shareInWords(time);
    if (const double share = facts.shareOfBusyTime(time); share > 0)
        finding.sentence += " and " + formatPercent(share) + " of the GPU's busy time";
    const WeightCasts casts = weightCasts(facts);
    const bool hasCopies =
        !casts.copies.empty() && facts.shareOfPeak(casts.bytes) >= kLeastShareOfWeightCopies;
    if (hasCopies) {
        finding.bytes = casts.bytes;
        finding.peakShare = facts.shareOfPeak(casts.bytes);
    }
    finding.sentence += weightWords(facts, casts, hasCopies) + ".";
    finding.remedy = casts.time > 0 || hasCopies
                         ? weightCastRemedy(casts) +
                               " Casts of activations disappear where they are fused with their neighbors."
                     : mixed ? "Casts disappear where they are fused with their neighbors."
                             : "Layouts that the next op can read as they are need no copy.";
    finding.evidence = facts.evidenceOfOps(isCopyOp);
    finding.trial = fusionTrial(facts, fusedCasts());
    return finding;
}

}  // namespace warpglass
