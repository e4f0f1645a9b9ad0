// Kernels whose time goes into moving numbers rather than computing with them take a quarter of the step or
// more, or, where the GPU is idle for much of it, a quarter of its busy time and a twentieth of the step:
// what elementwise ops, normalization, softmax and reductions, copies, casts and the optimizer's update
// launched, by the families of engine/query/spans/op_family.h. Each does a few operations per number that it
// reads or writes, whereas the ridge of a GPU's roofline is at tens to hundreds of operations per byte; only
// GEMMs and fused attention can lie beyond it.
//
// Copies and casts, and the optimizer's update, are also findings of their own (Finding::partOf): without
// them a twentieth of the step (or of the busy time) or more has to remain, otherwise they say it all.
//
// Try: all parts with fused kernels, expected to gain what fusion_gain.h says; not where the step waits for
// launches, and so does not get shorter by what the GPU saves.
//
// Limits: GPU only; kernels of no known op, and of ops of no family, count in neither sum; work on
// attention's score matrices other than GEMMs counts in score_matrix_time.cpp too. A small kernel that waits
// for its launch is not distinguished from one that waits for memory.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/own_parts.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/fusion_gain.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/rules.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

constexpr double kLeastMemoryBoundShare = 0.25;
constexpr double kLeastRest = 0.05;
/// What is a quarter of the GPU's busy time, and less of a step, costs nobody anything.
constexpr double kLeastOfStep = 0.05;

enum class Kind : std::uint8_t { kElementwise, kNormalization, kCopies, kLookups, kOptimizer, kNone };
constexpr std::array<std::string_view, 5> kKindWords = {"elementwise ops", "norms, softmax and reductions",
                                                        "copies and casts", "lookups and fills",
                                                        "AdamW's update"};

Kind kindOf(std::string_view op) {
    switch (opFamily(op, Phase::kNone)) {
        case OpFamily::kElementwise:
            return Kind::kElementwise;
        case OpFamily::kNormalization:
            return Kind::kNormalization;
        case OpFamily::kCopy:
            return isCopyOp(op) ? Kind::kCopies : Kind::kLookups;
        case OpFamily::kOptimizer:
            return Kind::kOptimizer;
        default:
            return Kind::kNone;
    }
}

bool isMemoryBound(std::string_view op) {
    return kindOf(op) != Kind::kNone;
}

/// "copies and casts 1.83 ms, elementwise ops 1.20 ms", the longest first.
std::string kindsInWords(const RunFacts& facts) {
    std::vector<std::pair<double, std::string_view>> times;
    for (std::size_t i = 0; i < kKindWords.size(); ++i) {
        const double time =
            facts.timeOfOps([&](std::string_view op) { return kindOf(op) == static_cast<Kind>(i); });
        if (time > 0)
            times.emplace_back(time, kKindWords[i]);
    }
    std::ranges::stable_sort(times, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text;
    for (const auto& [time, words] : times)
        text += (text.empty() ? "" : ", ") + std::string(words) + " " + inWords(time);
    return text;
}

/// Which of its parts are findings too.
std::string partsWords(bool copies, bool optimizer) {
    if (!copies && !optimizer)
        return {};
    return copies && optimizer ? " Its copies and casts and AdamW's update are listed separately below."
           : copies            ? " Its copies and casts are listed separately below."
                               : " AdamW's update, a part of it, is listed separately below.";
}

std::string remedyOf(const RunFacts& facts) {
    const bool isFused = facts.config() && ownPartsText(*facts.config()) == kFusedKernels;
    std::string remedy = isFused ? "The fused kernels already read and write each number once"
                                 : "Fused kernels read and write each number once";
    remedy += "; faster arithmetic does not help";
    const auto& config = facts.config();
    remedy += config && config->execution == Execution::kEager
                  ? ", and a CUDA graph only removes the cost of launching."
                  : ".";
    if (config && !isMixed(config->precision))
        remedy += " Activations in bf16 would be half as many bytes.";
    if (facts.isLaunchBound())
        remedy += kOnlyFewerLaunches;
    return remedy;
}

}  // namespace

std::optional<Finding> findMemoryBound(const RunFacts& facts) {
    const RunFacts::Work work = facts.workOfOps(isMemoryBound);
    const double products = facts.timeOfOps(isProductOp);
    // Where the GPU waits for launches its kernels are a small share of the step.
    const bool ofStep = facts.shareOfStep(work.time) >= kLeastMemoryBoundShare;
    const bool ofBusyTime = !ofStep && facts.shareOfBusyTime(work.time) >= kLeastMemoryBoundShare &&
                            facts.shareOfStep(work.time) >= kLeastOfStep;
    if (!facts.hasKernels() || (!ofStep && !ofBusyTime))
        return std::nullopt;
    const auto share = [&](double time) {
        return ofStep ? facts.shareOfStep(time) : facts.shareOfBusyTime(time);
    };
    const double copies = copiesAndCastsTime(facts);
    const std::optional<Finding> optimizer = findOptimizerTime(facts);
    const double told = copies + (optimizer ? optimizer->nsPerStep : 0);
    if (share(work.time - told) < kLeastRest)
        return std::nullopt;
    Finding finding = facts.findingOf("memory-bound", work.time);
    finding.sentence = "Memory-bound kernels, which move data rather than multiply, take " +
                       inWords(work.time) + " of GPU time per step" + work.partsInWords() + ", " +
                       facts.shareInWords(work.time);
    if (ofBusyTime)
        finding.sentence += " and " + formatPercent(share(work.time)) + " of the GPU's busy time";
    if (products > 0)
        finding.sentence += ", against " + inWords(products) + ", " + formatPercent(share(products)) +
                            (ofBusyTime ? " of it" : "") + ", of GEMMs and fused attention";
    finding.sentence += ": " + kindsInWords(facts) + ".";
    finding.remedy = remedyOf(facts) + partsWords(copies > 0, optimizer.has_value());
    finding.evidence = facts.evidenceOfOps(isMemoryBound);
    finding.trial = fusionTrial(facts);
    return finding;
}

}  // namespace warpglass
