#include "engine/query/memory/memory_statistics.h"

#include <algorithm>
#include <array>
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

/// Calls fn(NameId, step, range) for every span of a kind of track, ended or open.
template <class Fn>
void forEachRange(const Snapshot& snapshot, TrackKind kind, Fn&& fn) {
    for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
        forEachStretch(lane, {}, [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t i = begin; i < end; ++i)
                fn(NameId(chunk.name[i]), chunk.step[i],
                   {Nanoseconds(chunk.start[i]), Nanoseconds(chunk.end(i))});
        });
    }
    for (const OpenSpan& open : snapshot.openSpans()) {
        if (snapshot.track(snapshot.lane(open.lane).track()).kind == kind)
            fn(open.name, open.step, TimeRange{Nanoseconds(open.start), snapshot.range().end});
    }
}

}  // namespace

MemoryStatistics memoryStatistics(const MemoryTimeline& timeline) {
    MemoryStatistics statistics;
    statistics.run.name = "run";
    if (!timeline.snapshot())
        return statistics;
    const Snapshot& snapshot = *timeline.snapshot();
    // The snapshot's end is the moment of its last event, which is part of the run.
    addRange(timeline, {Nanoseconds(0), snapshot.range().end + Nanoseconds(1)}, statistics.run);

    std::array<MemoryStatisticsRow, kPhaseCount> phases;
    forEachRange(snapshot, TrackKind::kPhase, [&](NameId name, std::int32_t, TimeRange range) {
        const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), snapshot.name(name));
        if (found != kPhaseNames.end())
            addRange(timeline, range, phases[static_cast<std::size_t>(found - kPhaseNames.begin())]);
    });
    for (std::size_t i = 0; i < kPhaseCount; ++i) {
        phases[i].name = kPhaseNames[i];
        if (phases[i].instances > 0)
            statistics.phases.push_back(std::move(phases[i]));
    }

    const std::int32_t warmup = warmupSteps(snapshot);
    std::map<std::int32_t, MemoryStatisticsRow> steps;
    forEachRange(snapshot, TrackKind::kStep, [&](NameId name, std::int32_t step, TimeRange range) {
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
    for (const AllocationId id : timeline.aliveAt(t)) {
        const auto row = timeline.snapshot()->allocation(id);
        if (!row)
            continue;
        RoundingTotals& ofCategory = totals[static_cast<std::size_t>(timeline.categoryOf(id))];
        ofCategory.asked += Bytes(row->requested);
        ofCategory.given += Bytes(row->bytes);
        ++ofCategory.allocations;
    }
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
