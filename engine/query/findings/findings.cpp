#include "engine/query/findings/findings.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/base/check.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/first_step.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/rules.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {
namespace {

constexpr std::string_view kFailed = "out-of-memory";

using FindingRule = std::optional<Finding> (*)(const RunFacts&);
constexpr FindingRule kRules[] = {
    findRanOutOfMemory,   findLaunchBound,     findMemoryBound,       findSlowPrecision,  findFirstStep,
    findSynchronizations, findScoreMatrixTime, findScoreMatrixMemory, findCopiesAndCasts, findOptimizerTime,
    findOptimizerMemory,  findKernelGaps,      findOccupancy,         findWeightCopies,   findLogitsAtPeak,
    findOneAllocation,    findFragmentation};

constexpr std::string_view kWholeFinding = "memory-bound";
constexpr std::array<std::string_view, 2> kPartsOfIt = {"copies-and-casts", "optimizer"};

/// Says which findings' time is a part of another's.
void statePartsOf(std::vector<Finding>& findings) {
    if (std::ranges::none_of(findings, [](const Finding& f) { return f.rule == kWholeFinding; }))
        return;
    for (Finding& finding : findings) {
        if (std::ranges::find(kPartsOfIt, finding.rule) != kPartsOfIt.end())
            finding.partOf = kWholeFinding;
    }
}

/// How much of what the run may take its peak was.
double fullness(const RunFacts& facts) {
    constexpr double kLeast = 0.25;
    const auto limit = facts.memoryLimit();
    if (!limit)
        return 1;
    const double share = static_cast<double>(facts.peakBytes().value) / static_cast<double>(limit->value);
    return std::clamp(share, kLeast, 1.0);
}

/// Its share of the step, or of the peak.
double share(const Finding& finding) {
    // Nothing costs more than a run that did not end.
    if (finding.rule == kFailed)
        return std::numeric_limits<double>::infinity();
    return costOf(finding) == FindingCost::kTime ? finding.stepShare : finding.peakShare;
}

}  // namespace

std::vector<Finding> findIn(const MemoryTimeline& timeline) {
    WG_CHECK(timeline.snapshot());
    return findIn(RunFacts(timeline));
}

std::vector<Finding> findIn(const RunFacts& facts) {
    std::vector<Finding> time, memory;
    for (const FindingRule rule : kRules) {
        if (std::optional<Finding> finding = rule(facts))
            (costOf(*finding) == FindingCost::kTime ? time : memory).push_back(std::move(*finding));
    }
    statePartsOf(time);
    const auto weight = [](const std::vector<Finding>& findings) {
        double most = 0;
        for (const Finding& finding : findings)
            most = std::max(most, share(finding));
        return most;
    };
    std::ranges::stable_sort(time, std::ranges::greater(), &Finding::stepShare);
    // Shares of memory are of different wholes; bytes are bytes.
    std::ranges::stable_sort(memory, [](const Finding& a, const Finding& b) {
        const bool failedA = a.rule == kFailed, failedB = b.rule == kFailed;
        return failedA != failedB ? failedA : a.bytes > b.bytes;
    });
    const double timeWeight = weight(time);
    const double memoryWeight = weight(memory) * fullness(facts);
    if (std::optional<Finding> rest = findRestOfPeak(facts, memory))
        memory.push_back(std::move(*rest));
    std::vector<Finding>& first = timeWeight >= memoryWeight ? time : memory;
    std::vector<Finding>& second = timeWeight >= memoryWeight ? memory : time;
    first.insert(first.end(), std::make_move_iterator(second.begin()), std::make_move_iterator(second.end()));
    return std::move(first);
}

}  // namespace warpglass
