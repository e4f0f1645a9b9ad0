// The rules that say nothing else, each with its formula, its threshold and its limits at the head of its
// file. Those whose figures others need have headers of their own: copies_and_casts.h, first_step.h,
// launch_bound.h.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findSynchronizations(const RunFacts& facts);
std::optional<Finding> findKernelGaps(const RunFacts& facts);
std::optional<Finding> findOccupancy(const RunFacts& facts);
std::optional<Finding> findMemoryBound(const RunFacts& facts);
std::optional<Finding> findSlowPrecision(const RunFacts& facts);
std::optional<Finding> findScoreMatrixTime(const RunFacts& facts);
std::optional<Finding> findScoreMatrixMemory(const RunFacts& facts);
std::optional<Finding> findLogitsAtPeak(const RunFacts& facts);
std::optional<Finding> findOptimizerTime(const RunFacts& facts);
std::optional<Finding> findOptimizerMemory(const RunFacts& facts);
std::optional<Finding> findOneAllocation(const RunFacts& facts);
std::optional<Finding> findFragmentation(const RunFacts& facts);
std::optional<Finding> findWeightCopies(const RunFacts& facts);
std::optional<Finding> findRanOutOfMemory(const RunFacts& facts);
/// Nothing where the others tell of no allocation, or of nearly all.
std::optional<Finding> findRestOfPeak(const RunFacts& facts, const std::vector<Finding>& others);

}  // namespace warpglass
