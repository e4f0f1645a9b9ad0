#include "engine/report/memory_report.h"

#include <algorithm>

#include "engine/query/memory/memory_statistics.h"

namespace warpglass {
namespace {

struct PhaseSpan {
    std::string name;
    std::int32_t step = kNoStep;
    TimeRange range;
};

/// Also the phase that a stopped or running recording ends in.
std::vector<PhaseSpan> phaseSpans(const Snapshot& run) {
    std::vector<PhaseSpan> spans;
    for (const TrackId track : run.tracksOfKind(TrackKind::kPhase)) {
        for (const SpanLane& lane : run.lanesOf(track)) {
            lane.forEachChunk(
                0, lane.rows(),
                [&](const SpanChunk& rows, std::uint32_t begin, std::uint32_t end, std::uint64_t) {
                    for (std::uint32_t i = begin; i < end; ++i) {
                        const SpanRow row = rows.row(i);
                        spans.push_back({std::string(run.name(row.name)),
                                         row.step,
                                         {Nanoseconds(row.start), Nanoseconds(row.end())}});
                    }
                });
            for (const OpenSpan& open : run.openSpans())
                if (open.lane == lane.id())
                    spans.push_back({std::string(run.name(open.name)),
                                     open.step,
                                     {Nanoseconds(open.start), run.range().end}});
        }
    }
    std::stable_sort(spans.begin(), spans.end(),
                     [](const PhaseSpan& a, const PhaseSpan& b) { return a.range.begin < b.range.begin; });
    return spans;
}

void addCategoryColumns(ReportTable& table) {
    for (const std::string_view category : kCategoryNames) {
        std::string key = std::string(category) + "_bytes";
        std::ranges::replace(key, ' ', '_');
        table.columns.push_back({std::string(category), std::move(key), Unit::kBytes});
    }
}

std::optional<MemoryPoint> higher(std::optional<MemoryPoint> a, std::optional<MemoryPoint> b) {
    if (!a || !b)
        return a ? a : b;
    return sumOf(b->bytes) > sumOf(a->bytes) ? b : a;
}

/// The highest point within `span` and the ranges; nothing when they do not meet.
std::optional<MemoryPoint> peakOfSpan(const MemoryTimeline& memory, TimeRange span,
                                      const std::vector<TimeRange>& ranges) {
    if (ranges.empty())
        return memory.peakIn(span);
    std::optional<MemoryPoint> peak;
    for (const TimeRange& range : ranges) {
        const TimeRange common{std::max(range.begin, span.begin), std::min(range.end, span.end)};
        if (common.begin < common.end)
            peak = higher(peak, memory.peakIn(common));
    }
    return peak;
}

}  // namespace

std::optional<MemoryPoint> peakWithin(const MemoryTimeline& memory, const std::vector<TimeRange>& ranges) {
    if (ranges.empty())
        return memory.peak();
    std::optional<MemoryPoint> peak;
    for (const TimeRange& range : ranges)
        peak = higher(peak, memory.peakIn(range));
    return peak;
}

ReportTable memoryStatisticsTable(const MemoryTimeline& memory) {
    ReportTable table{"Peak memory of the run, its phases and its steps, by category",
                      {{"Name", "name"},
                       {"Instances", "instances", Unit::kCount},
                       {"At", "peak_time_ns", Unit::kNanoseconds},
                       {"At start", "begin_bytes", Unit::kBytes},
                       {"At end", "end_bytes", Unit::kBytes},
                       {"Peak", "peak_bytes", Unit::kBytes}},
                      {},
                      "memory"};
    addCategoryColumns(table);
    const auto add = [&](const MemoryStatisticsRow& row) {
        std::vector<Cell>& cells = table.rows.emplace_back(std::vector<Cell>{
            row.name, row.instances, row.peakTime.value, row.atBegin.value, row.atEnd.value, row.peak.value});
        for (const std::int64_t bytes : row.atPeak)
            cells.emplace_back(bytes);
    };
    const MemoryStatistics statistics = memoryStatistics(memory);
    add(statistics.run);
    for (const MemoryStatisticsRow& phase : statistics.phases)
        add(phase);
    for (const MemoryStatisticsRow& step : statistics.steps)
        add(step);
    return table;
}

ReportTable phasePeaksTable(const MemoryTimeline& memory, const std::vector<TimeRange>& ranges) {
    ReportTable table{"Peak memory in each phase of each step, by category",
                      {{"Step", "step", Unit::kCount},
                       {"Phase", "phase"},
                       {"Start", "start_ns", Unit::kNanoseconds},
                       {"Time", "duration_ns", Unit::kNanoseconds},
                       {"Peak", "peak_bytes", Unit::kBytes}},
                      {},
                      "phase-peaks"};
    addCategoryColumns(table);
    for (const PhaseSpan& span : phaseSpans(*memory.snapshot())) {
        const std::optional<MemoryPoint> peak = peakOfSpan(memory, span.range, ranges);
        if (!peak)
            continue;
        std::vector<Cell>& cells = table.rows.emplace_back(
            std::vector<Cell>{span.step == kNoStep ? Cell() : Cell(std::int64_t{span.step}), span.name,
                              span.range.begin.value, span.range.duration().value, sumOf(peak->bytes)});
        for (const std::int64_t bytes : peak->bytes)
            cells.emplace_back(bytes);
    }
    return table;
}

}  // namespace warpglass
