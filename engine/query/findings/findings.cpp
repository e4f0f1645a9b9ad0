#include "engine/query/findings/findings.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/check.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/first_step.h"
#include "engine/query/findings/fragmentation.h"
#include "engine/query/findings/kernel_gaps.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/logits_at_peak.h"
#include "engine/query/findings/occupancy.h"
#include "engine/query/findings/one_allocation.h"
#include "engine/query/findings/optimizer_share.h"
#include "engine/query/findings/ran_out_of_memory.h"
#include "engine/query/findings/run_facts.h"
#include "engine/query/findings/score_matrix_memory.h"
#include "engine/query/findings/score_matrix_time.h"
#include "engine/query/findings/slow_precision.h"
#include "engine/query/findings/synchronizations.h"
#include "engine/query/findings/weight_copies.h"

namespace warpglass {
namespace {

using Rule = std::optional<Finding> (*)(const RunFacts&);
constexpr Rule kRules[] = {
    findRanOutOfMemory,  findLaunchBound,       findSlowPrecision,  findFirstStep,      findSynchronizations,
    findScoreMatrixTime, findScoreMatrixMemory, findCopiesAndCasts, findOptimizerShare, findKernelGaps,
    findOccupancy,       findWeightCopies,      findLogitsAtPeak,   findOneAllocation,  findFragmentation};

/// How much of what the run may take its peak was.
double fullness(const RunFacts& facts) {
    constexpr double kLeast = 0.25;
    const auto limit = facts.memoryLimit();
    if (!limit)
        return 1;
    const double share = static_cast<double>(facts.peakBytes().value) / static_cast<double>(limit->value);
    return std::clamp(share, kLeast, 1.0);
}

}  // namespace

std::vector<Finding> findIn(const MemoryTimeline& timeline) {
    WG_CHECK(timeline.snapshot());
    return findIn(RunFacts(timeline));
}

std::vector<Finding> findIn(const RunFacts& facts) {
    const double scarcity = fullness(facts);
    std::vector<std::pair<double, Finding>> ranked;
    for (const Rule rule : kRules) {
        if (std::optional<Finding> finding = rule(facts)) {
            // Nothing costs more than a run that did not end.
            const double rank = finding->rule == "out-of-memory"
                                    ? std::numeric_limits<double>::infinity()
                                    : std::max(finding->stepShare, finding->peakShare * scarcity);
            ranked.emplace_back(rank, std::move(*finding));
        }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<Finding> findings;
    findings.reserve(ranked.size());
    for (auto& [rank, finding] : ranked)
        findings.push_back(std::move(finding));
    return findings;
}

}  // namespace warpglass
