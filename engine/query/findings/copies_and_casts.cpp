#include "engine/query/findings/copies_and_casts.h"

#include <algorithm>
#include <array>

#include "engine/base/format.h"

namespace warpglass {

std::optional<Finding> findCopiesAndCasts(const RunFacts& facts) {
    constexpr double kLeastShare = 0.05;
    constexpr std::array<std::string_view, 5> kOps = {"aten::copy_", "aten::_to_copy", "aten::clone",
                                                      "aten::contiguous", "aten::cat"};
    const auto copies = [&](std::string_view op) {
        return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
    };
    const RunFacts::Work work = facts.workOfOps(copies);
    const double time = work.time;
    if (facts.shareOfStep(time) < kLeastShare)
        return std::nullopt;
    Finding finding;
    finding.rule = "copies-and-casts";
    finding.nsPerStep = time;
    finding.stepShare = facts.shareOfStep(time);
    const bool mixed = facts.config() && isMixed(facts.config()->precision);
    finding.sentence = std::string(mixed ? "Casts between precisions and copies took " : "Copies took ") +
                       inWords(time) + (facts.hasKernels() ? " of GPU time a step" : " a step") +
                       work.partsInWords() + ", " + facts.shareInWords(time);
    if (facts.hasKernels()) {
        const double busy =
            static_cast<double>(facts.gpuUse().busy.value) / static_cast<double>(facts.steps().count);
        if (busy > 0)
            finding.sentence +=
                ", which is " + formatPercent(std::min(1.0, time / busy)) + " of its busy time";
    }
    finding.sentence += ".";
    finding.remedy =
        mixed ? "Weights and residuals held in 16 bits, or casts fused into their neighbours, would "
                "take less."
              : "Layouts that the next op can read as they are need no copy.";
    finding.evidence = facts.evidenceOfOps(copies);
    return finding;
}

}  // namespace warpglass
