#include "engine/query/compare/comparison_memory.h"

#include <algorithm>

#include "engine/query/memory/memory_before_backward.h"
#include "engine/query/memory/memory_op.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

/// What is alive at the peak, by who asked for it.
void addAlive(const MemoryTimeline& timeline, ComparedMemory& memory) {
    const Snapshot& snapshot = *timeline.snapshot();
    std::vector<std::int64_t> byPlace(snapshot.placeCount() + 1), byOp(snapshot.nameCount() + 1);
    MemoryOps ops(snapshot);
    forEachAllocation(
        snapshot, timeline.aliveAt(memory.peak->time), [&](AllocationId id, const AllocationRow& allocation) {
            std::int64_t& ofPlace = byPlace[std::min(allocation.place.index(), byPlace.size() - 1)];
            std::int64_t& ofOp = byOp[std::min(ops.of(timeline, id, allocation).index(), byOp.size() - 1)];
            addWrapping(ofPlace, allocation.bytes);
            addWrapping(ofOp, allocation.bytes);
        });
    addByModule(snapshot, byPlace, 1, memory.modules);
    addByName(snapshot, byOp, 1, kOutsideOps, memory.ops);
}

/// The highest within the ranges of one kind, by their names.
ComparedFigures highest(const MemoryTimeline& timeline, const ScopedSteps& scoped, TrackKind kind,
                        std::string_view name) {
    const Snapshot& snapshot = *timeline.snapshot();
    ComparedFigures figures;
    forEachRow(snapshot, kind, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (!scoped.steps.contains(chunk.step[i]))
            return;
        const auto peak = timeline.peakIn(chunk.range(i));
        const std::string_view of = name.empty() ? snapshot.name(NameId(chunk.name[i])) : name;
        const double bytes = peak ? static_cast<double>(sumOf(peak->bytes)) : 0;
        if (of.empty() || bytes <= 0)
            return;
        double& most = figures[std::string(of)];
        most = std::max(most, bytes);
    });
    return figures;
}

}  // namespace

ComparedMemory comparedMemory(const MemoryTimeline& timeline, const ComparisonScope& scope,
                              const ScopedSteps& scoped) {
    ComparedMemory memory;
    if (scope.steps != ComparisonScope::Steps::kOne) {
        memory.peak = timeline.peak();
    } else if (const auto steps = stepSpans(*timeline.snapshot(), scoped.steps); !steps.empty()) {
        memory.peak = timeline.peakIn(steps.front().range);
    }
    if (!memory.peak)
        return memory;
    addAlive(timeline, memory);
    if (scoped.steps.count == 0)
        return memory;
    memory.phases = highest(timeline, scoped, TrackKind::kPhase, {});
    memory.phases.merge(highest(timeline, scoped, TrackKind::kGpuPhase, {}));
    memory.phases.merge(highest(timeline, scoped, TrackKind::kStep, "step"));
    std::vector<BeforeBackward> before = memoryBeforeBackward(timeline);
    std::erase_if(before, [&](const BeforeBackward& row) { return !scoped.steps.contains(row.step); });
    if (const auto most = mostBeforeBackward(before)) {
        memory.beforeBackward["allocated"] = static_cast<double>(most->allocated.value);
        if (most->reserved)
            memory.beforeBackward["reserved"] = static_cast<double>(most->reserved->value);
    }
    return memory;
}

}  // namespace warpglass
