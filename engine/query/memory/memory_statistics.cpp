#include "engine/query/memory/memory_statistics.h"

#include <algorithm>
#include <map>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

namespace {

/// Takes the range into the row, whose figures become its if it reaches higher than those before.
void addRange(const MemoryTimeline& timeline, TimeRange range, MemoryStatisticsRow& row) {
    const auto peak = timeline.peakIn(range);
    if (!peak)
        return;
    const Bytes total(sumOf(peak->bytes));
    if (row.instances++ > 0 && total <= row.peak)
        return;
    row.peak = total;
    row.atPeak = peak->bytes;
    row.peakTime = peak->time;
    row.atBegin = Bytes(sumOf(timeline.at(range.begin - Nanoseconds(1))));
    row.atEnd = Bytes(sumOf(timeline.at(range.end - Nanoseconds(1))));
}

}  // namespace

MemoryStatistics memoryStatistics(const MemoryTimeline& timeline) {
    MemoryStatistics statistics;
    statistics.run.name = "run";
    if (!timeline.snapshot())
        return statistics;
    const Snapshot& snapshot = *timeline.snapshot();
    const Nanoseconds end = snapshot.range().end;
    // The snapshot's end is the moment of its last event, which is part of the run.
    addRange(timeline, {Nanoseconds(0), end + Nanoseconds(1)}, statistics.run);

    std::array<MemoryStatisticsRow, kPhaseCount> phases;
    forEachSpan(snapshot, TrackKind::kPhase, end, [&](NameId name, PlaceId, std::int32_t, TimeRange range) {
        if (const Phase phase = phaseNamed(snapshot.name(name)); phase != Phase::kNone)
            addRange(timeline, range, phases[static_cast<std::size_t>(phase)]);
    });
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
        phases[i].name = kPhaseNames[i];
        if (phases[i].instances > 0)
            statistics.phases.push_back(std::move(phases[i]));
    }

    const std::int32_t warmup = warmupSteps(snapshot);
    std::map<std::int32_t, MemoryStatisticsRow> steps;
    forEachSpan(snapshot, TrackKind::kStep, end,
                [&](NameId name, PlaceId, std::int32_t step, TimeRange range) {
                    MemoryStatisticsRow& row = steps[step];
                    row.name = snapshot.name(name);
                    row.step = step;
                    row.warmup = step >= 0 && step < warmup;
                    addRange(timeline, range, row);
                });
    for (auto& [step, row] : steps) {
        if (row.instances > 0)
            statistics.steps.push_back(std::move(row));
    }
    return statistics;
}

std::array<RoundingTotals, kCategoryCount> roundingAt(const MemoryTimeline& timeline, Nanoseconds t) {
    std::array<RoundingTotals, kCategoryCount> totals;
    forEachAllocation(
        *timeline.snapshot(), timeline.aliveAt(t), [&](AllocationId id, const AllocationRow& row) {
            RoundingTotals& ofCategory = totals[static_cast<std::size_t>(timeline.categoryOf(id))];
            ofCategory.asked += Bytes(row.requested);
            ofCategory.given += Bytes(row.bytes);
            ++ofCategory.allocations;
        });
    return totals;
}

RoundingTotals roundingOfRun(const Snapshot& snapshot) {
    RoundingTotals totals;
    for (std::uint64_t first = 0; first < snapshot.allocationCount(); first += kChunkRows) {
        const AllocationChunk* chunk = snapshot.allocationChunk(static_cast<std::size_t>(first / kChunkRows));
        if (!chunk)
            continue;
        const std::uint64_t rows = std::min<std::uint64_t>(snapshot.allocationCount() - first, kChunkRows);
        for (std::uint64_t i = 0; i < rows; ++i) {
            totals.asked += Bytes(chunk->requested[i]);
            totals.given += Bytes(chunk->bytes[i]);
        }
        totals.allocations += static_cast<std::int64_t>(rows);
    }
    return totals;
}

}  // namespace warpglass
