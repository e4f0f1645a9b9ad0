#include "engine/report/memory_tables.h"

#include <algorithm>
#include <array>

#include "engine/query/memory/memory_statistics.h"
#include "engine/query/spans/span_scan.h"
#include "engine/tables/memory_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

/// A phase of a step, and the highest moment within it.
struct PhasePeak {
    std::string name;
    std::int32_t step = kNoStep;
    TimeRange range;
    MemoryPoint peak;
};

/// Also the phase that a stopped or running recording ends in.
std::vector<PhasePeak> phaseSpans(const Snapshot& run) {
    std::vector<PhasePeak> spans;
    forEachSpan(run, TrackKind::kPhase, run.range().end,
                [&](NameId name, PlaceId, std::int32_t step, TimeRange range) {
                    spans.push_back({std::string(run.name(name)), step, range, {}});
                });
    std::ranges::stable_sort(
        spans, [](const PhasePeak& a, const PhasePeak& b) { return a.range.begin < b.range.begin; });
    return spans;
}

/// A column for each category. `bytes(row)` is a reference to the bytes of each.
template <class Row, class BytesOf>
std::vector<Column<Row>> withCategories(std::vector<Column<Row>> columns, BytesOf bytes) {
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        std::string key = std::string(kCategoryNames[i]) + "_bytes";
        std::ranges::replace(key, ' ', '_');
        columns.push_back(Column<Row>(std::move(key), std::string(kCategoryNames[i]), Unit::kBytes,
                                      [bytes, i](const Row& row) { return bytes(row)[i]; }));
    }
    return columns;
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

ReportTable numbersTable(const std::optional<OutOfMemory>& failure) {
    using Of = Column<OutOfMemory>;
    return tableOf<OutOfMemory>(
        "out-of-memory", "Out of memory", rowOf(failure),
        {Of("time_ns", "At", Unit::kNanoseconds, &OutOfMemory::time),
         Of("step", "Step", Unit::kCount, stepOf(&OutOfMemory::step)),
         Of("phase", "Phase", unlessEmpty(&OutOfMemory::phase)),
         Of("module", "Module", unlessEmpty(&OutOfMemory::module)),
         Of("request_bytes", "Requested", Unit::kBytes, &OutOfMemory::request),
         Of("allocated_bytes", "Allocated", Unit::kBytes, &OutOfMemory::allocated),
         Of("reserved_bytes", "Reserved", Unit::kBytes, &OutOfMemory::reserved),
         Of("limit_bytes", "Limit", Unit::kBytes, &OutOfMemory::limit),
         Of("alive_bytes", "Live as recorded", Unit::kBytes, &OutOfMemory::alive),
         Of("alive", "Live allocations", Unit::kCount, &OutOfMemory::aliveCount),
         Of("predicted_bytes", "Predicted peak", Unit::kBytes, &OutOfMemory::predictedPeak),
         Of("predicted_phase", "Predicted in phase", unlessEmpty(&OutOfMemory::predictedPhase)),
         Of("predicted_first_step_bytes", "Predicted for the first step", Unit::kBytes,
            through(&OutOfMemory::predictedSteps, &StepPeaks::first)),
         Of("predicted_later_steps_bytes", "Predicted for every later step", Unit::kBytes,
            through(&OutOfMemory::predictedSteps, &StepPeaks::later))});
}

ReportTable groupsTable(const std::optional<OutOfMemory>& failure) {
    using Group = OutOfMemory::Group;
    using Alive = Column<Group>;
    return tableOf<Group>(
        "alive-by-module", "Live when memory ran out, by module and category",
        failure ? failure->groups : std::vector<Group>(),
        {Alive(
             "module", "Module",
             [](const Group& group) { return group.module.empty() ? "(outside the model)" : group.module; }),
         Alive("category", "Category", [](const Group& group) { return categoryName(group.category); }),
         Alive("size_bytes", "Size", Unit::kBytes, &Group::bytes),
         Alive("share", "Share", Unit::kFraction,
               shareOf(failure ? numberOf(failure->alive) : 0, &Group::bytes)),
         Alive("allocations", "Allocations", Unit::kCount, &Group::count)});
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
    using Row = MemoryStatisticsRow;
    using Statistic = Column<Row>;
    const MemoryStatistics statistics = memoryStatistics(memory);
    std::vector<Row> rows = {statistics.run};
    rows.insert(rows.end(), statistics.phases.begin(), statistics.phases.end());
    rows.insert(rows.end(), statistics.steps.begin(), statistics.steps.end());
    return tableOf("memory", "Peak memory of the run, its phases and its steps, by category", rows,
                   withCategories<Row>({Statistic("name", "Name", &Row::name),
                                        Statistic("instances", "Instances", Unit::kCount, &Row::instances),
                                        Statistic("peak_time_ns", "At", Unit::kNanoseconds, &Row::peakTime),
                                        Statistic("begin_bytes", "At start", Unit::kBytes, &Row::atBegin),
                                        Statistic("end_bytes", "At end", Unit::kBytes, &Row::atEnd),
                                        Statistic("peak_bytes", "Peak", Unit::kBytes, &Row::peak)},
                                       [](const Row& row) -> const CategoryBytes& { return row.atPeak; }));
}

ReportTable phasePeaksTable(const MemoryTimeline& memory, const std::vector<TimeRange>& ranges) {
    using Phase = Column<PhasePeak>;
    std::vector<PhasePeak> peaks;
    for (PhasePeak& span : phaseSpans(*memory.snapshot())) {
        if (const std::optional<MemoryPoint> peak = peakOfSpan(memory, span.range, ranges)) {
            span.peak = *peak;
            peaks.push_back(std::move(span));
        }
    }
    const auto bytes = [](const PhasePeak& span) -> const CategoryBytes& { return span.peak.bytes; };
    return tableOf(
        "phase-peaks", "Peak memory in each phase of each step, by category", peaks,
        withCategories<PhasePeak>(
            {Phase("step", "Step", Unit::kCount, stepOf(&PhasePeak::step)),
             Phase("phase", "Phase", &PhasePeak::name),
             Phase("start_ns", "Start", Unit::kNanoseconds, through(&PhasePeak::range, &TimeRange::begin)),
             Phase("duration_ns", "Time", Unit::kNanoseconds,
                   through(&PhasePeak::range, &TimeRange::duration)),
             Phase("peak_bytes", "Peak", Unit::kBytes,
                   [](const PhasePeak& span) { return sumOf(span.peak.bytes); })},
            bytes));
}

std::vector<ReportTable> outOfMemoryTables(const std::optional<OutOfMemory>& failure, TableFormat format) {
    ReportTable largest = reportOf(allocationsTable(), "Largest live allocations when memory ran out",
                                   failure ? failure->largest : std::vector<AllocationDetail>(), {},
                                   isForPeople(format), "largest-alive");
    return {asRecord(numbersTable(failure), format), groupsTable(failure), std::move(largest)};
}

ReportTable fragmentationTable(const std::string& moment, Nanoseconds time, const SegmentState& state) {
    const SegmentTotals& totals = state.totals;
    return recordOf("fragmentation", "Reserved memory " + moment,
                    {{"time_ns", "At", Unit::kNanoseconds, time},
                     {"reserved_bytes", "Reserved", Unit::kBytes, totals.reserved},
                     {"allocated_bytes", "Allocated", Unit::kBytes, totals.allocated},
                     {"pending_bytes", "Freed, still used by another stream", Unit::kBytes, totals.pending},
                     {"earlier_bytes", "In use since before the recording", Unit::kBytes, totals.earlier},
                     {"free_bytes", "Free", Unit::kBytes, totals.free},
                     {"free_share", "Free share of reserved", Unit::kFraction, totals.freeShare()},
                     {"largest_free_bytes", "Largest free block", Unit::kBytes, totals.largestFree},
                     {"fragmentation_share", "Fragmentation", Unit::kFraction, totals.fragmentation()},
                     {"segments", "Segments", Unit::kCount, state.segments.size()},
                     {"blocks", "Blocks in use", Unit::kCount, totals.blocks},
                     {"gaps", "Free blocks", Unit::kCount, totals.gaps},
                     {"outside_bytes", "Allocated outside the segments", Unit::kBytes, state.outside}});
}

ReportTable segmentsTable(const std::string& moment, const SegmentState& state) {
    using Of = Column<MemorySegment>;
    using Segment = MemorySegment;
    const auto total = [](auto of) { return through(&Segment::totals, of); };
    return tableOf<Segment>(
        "segments", "Segments " + moment, state.segments,
        {Of("address", "Address", [](const Segment& segment) { return addressText(segment.address); }),
         Of("size_bytes", "Size", Unit::kBytes, &Segment::bytes),
         Of("pool", "Pool", [](const Segment& segment) { return segment.large ? "large" : "small"; }),
         Of("kind", "Kind",
            [](const Segment& segment) { return segment.expandable ? "expandable" : "fixed"; }),
         Of("stream", "Stream", Unit::kCount, &Segment::stream),
         Of("private_pool", "Private pool", Unit::kCount, ifPositive(&Segment::pool)),
         Of("since_ns", "Since", Unit::kNanoseconds, &Segment::since),
         Of("allocated_bytes", "Allocated", Unit::kBytes, total(&SegmentTotals::allocated)),
         Of("pending_bytes", "Pending", Unit::kBytes, total(&SegmentTotals::pending)),
         Of("earlier_bytes", "Earlier", Unit::kBytes, total(&SegmentTotals::earlier)),
         Of("free_bytes", "Free", Unit::kBytes, total(&SegmentTotals::free)),
         Of("largest_free_bytes", "Largest free", Unit::kBytes, total(&SegmentTotals::largestFree)),
         Of("blocks", "Blocks", Unit::kCount, total(&SegmentTotals::blocks)),
         Of("gaps", "Gaps", Unit::kCount, total(&SegmentTotals::gaps))});
}

ReportTable blocksTable(const std::string& moment, const SegmentState& state, const MemoryTimeline& memory) {
    struct Block {
        const MemorySegment* segment;
        const MemoryBlock* block;
        std::optional<AllocationDetail> allocation;
    };
    std::vector<Block> blocks;
    const std::uint64_t known = memory.snapshot()->allocationCount();
    AllocationDetails details(memory);
    for (const MemorySegment& segment : state.segments) {
        for (const MemoryBlock& block : segment.blocks)
            blocks.push_back({&segment, &block,
                              block.allocation.value < known ? std::optional(details.of(block.allocation))
                                                             : std::nullopt});
    }
    using Of = Column<Block>;
    const auto ofAllocation = [](auto of) { return through(&Block::allocation, of); };
    return tableOf<Block>(
        "blocks", "Blocks " + moment, blocks,
        {Of("segment", "Segment", [](const Block& of) { return addressText(of.segment->address); }),
         Of("address", "Address", [](const Block& of) { return addressText(of.block->address); }),
         Of("size_bytes", "Size", Unit::kBytes, through(&Block::block, &MemoryBlock::bytes)),
         Of("state", "State",
            [](const Block& of) { return kBlockStateNames[static_cast<std::size_t>(of.block->state)]; }),
         Of("requested_bytes", "Requested", Unit::kBytes,
            ofAllocation([](const AllocationDetail& of) { return of.row.requested; })),
         Of("category", "Category", ofAllocation(unlessEmpty(&AllocationDetail::category))),
         Of("module", "Module", ofAllocation(unlessEmpty(&AllocationDetail::module))),
         Of("op", "Op", ofAllocation(unlessEmpty(&AllocationDetail::op))),
         Of("allocation", "Id", Unit::kCount,
            ofAllocation([](const AllocationDetail& of) { return of.id.value; }))});
}

ReportTable segmentEventsTable(const Snapshot& run) {
    struct Sum {
        std::string_view action;
        std::int64_t count = 0;
        Bytes bytes;
        std::optional<std::int64_t> last;
    };
    std::array<Sum, kSegmentActionNames.size()> sums;
    for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i].action = kSegmentActionNames[i];
    for (std::uint64_t i = 0; i < run.segmentEventCount(); ++i) {
        const auto event = run.segmentEvent(i);
        if (!event || static_cast<std::size_t>(event->action) >= sums.size())
            continue;
        Sum& sum = sums[static_cast<std::size_t>(event->action)];
        ++sum.count;
        sum.bytes += Bytes(event->bytes);
        sum.last = event->time;
    }
    using Of = Column<Sum>;
    return tableOf<Sum>(
        "segment-events", "What the allocator did in the run", sums,
        {Of("action", "Action", &Sum::action), Of("count", "Count", Unit::kCount, &Sum::count),
         Of("size_bytes", "Size", Unit::kBytes, &Sum::bytes),
         Of("last_ns", "Last at", Unit::kNanoseconds, &Sum::last)});
}

}  // namespace warpglass
