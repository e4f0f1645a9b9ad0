// Which allocations a SpanFilter takes: those made under its phase, module, step and op; and those made in a
// range of time.
//
// Pure functions; any thread.
#pragma once

#include <vector>

#include "engine/query/memory_timeline.h"
#include "engine/query/statistics.h"

namespace warpglass {

/// Of these, those made in the filter's phase, module and step and asked for by the op of its name; ranges
/// and measuredOnly count for nothing here (what is alive in a step was mostly made before it).
std::vector<AllocationId> filterAllocations(const Snapshot& snapshot, const std::vector<AllocationId>& ids,
                                            const SpanFilter& filter);

/// Every allocation made inside one of the ranges (sorted, closed-open), in order of time. Logarithmic in the
/// memory events, and linear in those of the ranges.
std::vector<AllocationId> allocationsMadeIn(const Snapshot& snapshot, const std::vector<TimeRange>& ranges);

}  // namespace warpglass
