// The memory over time of a run.
#pragma once

#include <memory>

#include "engine/query/memory/memory_timeline.h"

namespace warpglass::test {

inline MemoryTimeline timelineOf(const std::shared_ptr<const Snapshot>& run) {
    MemoryTimeline timeline;
    timeline.update(run);
    return timeline;
}

}  // namespace warpglass::test
