#include "app/cli/segments_report.h"

#include <array>

#include "engine/query/memory/memory_breakdown.h"

namespace warpglass::cli {

ReportTable fragmentationTable(const std::string& moment, Nanoseconds time, const SegmentState& state) {
    const SegmentTotals& totals = state.totals;
    return {"Reserved memory " + moment,
            {{"At", "time_ns", Unit::kNanoseconds},
             {"Reserved", "reserved_bytes", Unit::kBytes},
             {"Allocated", "allocated_bytes", Unit::kBytes},
             {"Freed, still used by another stream", "pending_bytes", Unit::kBytes},
             {"In use since before the recording", "earlier_bytes", Unit::kBytes},
             {"Free", "free_bytes", Unit::kBytes},
             {"Free share of reserved", "free_share", Unit::kFraction},
             {"Largest free block", "largest_free_bytes", Unit::kBytes},
             {"Fragmentation", "fragmentation_share", Unit::kFraction},
             {"Segments", "segments", Unit::kCount},
             {"Blocks in use", "blocks", Unit::kCount},
             {"Free blocks", "gaps", Unit::kCount},
             {"Allocated outside the segments", "outside_bytes", Unit::kBytes}},
            {{time.value, totals.reserved.value, totals.allocated.value, totals.pending.value,
              totals.earlier.value, totals.free.value, totals.freeShare(), totals.largestFree.value,
              totals.fragmentation(), static_cast<std::int64_t>(state.segments.size()), totals.blocks,
              totals.gaps, state.outside.value}},
            "fragmentation"};
}

ReportTable segmentsTable(const std::string& moment, const SegmentState& state) {
    ReportTable table{"Segments " + moment,
                      {{"Address", "address"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Pool", "pool"},
                       {"Kind", "kind"},
                       {"Stream", "stream", Unit::kCount},
                       {"Private pool", "private_pool", Unit::kCount},
                       {"Since", "since_ns", Unit::kNanoseconds},
                       {"Allocated", "allocated_bytes", Unit::kBytes},
                       {"Pending", "pending_bytes", Unit::kBytes},
                       {"Earlier", "earlier_bytes", Unit::kBytes},
                       {"Free", "free_bytes", Unit::kBytes},
                       {"Largest free", "largest_free_bytes", Unit::kBytes},
                       {"Blocks", "blocks", Unit::kCount},
                       {"Gaps", "gaps", Unit::kCount}},
                      {},
                      "segments"};
    for (const MemorySegment& segment : state.segments) {
        const SegmentTotals& totals = segment.totals;
        table.rows.push_back(
            {addressText(segment.address), segment.bytes, std::string(segment.large ? "large" : "small"),
             std::string(segment.expandable ? "expandable" : "fixed"), std::int64_t{segment.stream},
             segment.pool == 0 ? Cell() : Cell(std::int64_t{segment.pool}), segment.since.value,
             totals.allocated.value, totals.pending.value, totals.earlier.value, totals.free.value,
             totals.largestFree.value, totals.blocks, totals.gaps});
    }
    return table;
}

ReportTable blocksTable(const std::string& moment, const SegmentState& state, const MemoryTimeline& memory) {
    ReportTable table{"Blocks " + moment,
                      {{"Segment", "segment"},
                       {"Address", "address"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"State", "state"},
                       {"Requested", "requested_bytes", Unit::kBytes},
                       {"Category", "category"},
                       {"Module", "module"},
                       {"Op", "op"},
                       {"Id", "allocation", Unit::kCount}},
                      {},
                      "blocks"};
    const std::uint64_t known = memory.snapshot()->allocationCount();
    AllocationDetails details(memory);
    for (const MemorySegment& segment : state.segments) {
        for (const MemoryBlock& block : segment.blocks) {
            std::vector<Cell>& cells = table.rows.emplace_back(
                std::vector<Cell>{addressText(segment.address), addressText(block.address), block.bytes,
                                  std::string(kBlockStateNames[static_cast<std::size_t>(block.state)])});
            if (block.allocation.value >= known)
                continue;
            const AllocationDetail detail = details.of(block.allocation);
            cells.insert(cells.end(),
                         {detail.row.requested, textOrAbsent(detail.category), textOrAbsent(detail.module),
                          textOrAbsent(detail.op), static_cast<std::int64_t>(detail.id.value)});
        }
    }
    return table;
}

ReportTable segmentEventsTable(const Snapshot& run) {
    struct Sum {
        std::int64_t count = 0;
        Bytes bytes;
        std::int64_t last = 0;
    };
    std::array<Sum, kSegmentActionNames.size()> sums;
    for (std::uint64_t i = 0; i < run.segmentEventCount(); ++i) {
        const auto event = run.segmentEvent(i);
        if (!event || static_cast<std::size_t>(event->action) >= sums.size())
            continue;
        Sum& sum = sums[static_cast<std::size_t>(event->action)];
        ++sum.count;
        sum.bytes += Bytes(event->bytes);
        sum.last = event->time;
    }
    ReportTable table{"What the allocator did in the run",
                      {{"Action", "action"},
                       {"Count", "count", Unit::kCount},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Last at", "last_ns", Unit::kNanoseconds}},
                      {},
                      "segment-events"};
    for (std::size_t i = 0; i < sums.size(); ++i)
        table.rows.push_back({std::string(kSegmentActionNames[i]), sums[i].count, sums[i].bytes.value,
                              sums[i].count > 0 ? Cell(sums[i].last) : Cell()});
    return table;
}

}  // namespace warpglass::cli
