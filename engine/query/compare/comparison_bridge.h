// The way from A's figure to B's: what each kind of work or memory adds or takes away. Pure functions; any
// thread.
#pragma once

#include <optional>

#include "engine/base/bridge.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/compare/comparison_scope.h"

namespace warpglass {

/// From a step's time to the other's: the time of the GPU by family of kernel, copies and fills among them
/// (familyOf(); without a GPU the ops' own on the CPU), and the rest of the step, in which the GPU was idle.
/// Nothing where either time is unknown, or at least what the file has, or larger than a run's can be, and
/// for times per token. `comparison` is that of a and b in `scope`.
std::optional<Bridge> timeBridge(const RunComparison& comparison, const Snapshot& a, const Snapshot& b,
                                 const ComparisonScope& scope);
/// From the one peak to the other, by category. Nothing where either is unknown.
std::optional<Bridge> memoryBridge(const RunComparison& comparison);

}  // namespace warpglass
