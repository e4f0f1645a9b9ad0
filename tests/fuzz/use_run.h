// Everything that the window and the command line do with a run that they have opened.
#pragma once

#include "engine/io/run_file.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/model/clocked_kernel.h"
#include "engine/query/statistics/statistics.h"
#include "tests/support/snapshot_walk.h"

namespace warpglass::test {

inline void useRun(const std::shared_ptr<const Snapshot>& snapshot) {
    readEverything(*snapshot);
    opStatistics(*snapshot, {});
    rangeStatistics(*snapshot, {});
    phaseStatistics(*snapshot);
    MemoryTimeline memory;
    memory.update(snapshot);
    memory.columns(snapshot->range(), 100);
    memory.aliveAt(Nanoseconds(snapshot->range().end.value / 2));
    MemorySegments segments;
    segments.update(snapshot);
    segments.at(memory, Nanoseconds(snapshot->range().end.value / 2));
    for (const ClockedKernel& kernel : clockedKernels(*snapshot))
        static_cast<void>(kernel.sentence());
}

}  // namespace warpglass::test
