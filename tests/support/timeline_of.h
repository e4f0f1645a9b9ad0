// The memory over time of a run, and its allocations.
#pragma once

#include <memory>
#include <vector>

#include "engine/query/memory/memory_timeline.h"

namespace warpglass::test {

inline MemoryTimeline timelineOf(const std::shared_ptr<const Snapshot>& run) {
    MemoryTimeline timeline;
    timeline.update(run);
    return timeline;
}

/// All allocations of a run, in their order.
inline std::vector<AllocationId> allocationsOf(const Snapshot& run) {
    std::vector<AllocationId> all;
    for (std::size_t i = 0; i < run.allocationCount(); ++i)
        all.emplace_back(i);
    return all;
}

}  // namespace warpglass::test
