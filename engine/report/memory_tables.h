// The tables of a run's memory beyond its summary: how high each phase went and what made up the peak, what
// was live when memory ran out, and what a GPU's caching allocator held and how it was cut up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/summary/out_of_memory.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// The run, its phases and its steps, each at its highest.
ReportTable memoryStatisticsTable(const MemoryTimeline& memory);

/// One row a phase span in the order of time, with the highest total within it, by category. With ranges,
/// only what of it lies within them.
ReportTable phasePeaksTable(const MemoryTimeline& memory, const std::vector<TimeRange>& ranges);

/// The highest point of the whole run, or within the ranges; nothing without memory events.
std::optional<MemoryPoint> peakWithin(const MemoryTimeline& memory, const std::vector<TimeRange>& ranges);

/// The numbers of the failure, what was alive by module, and the largest allocations; without rows for
/// nothing.
std::vector<ReportTable> outOfMemoryTables(const std::optional<OutOfMemory>& failure, TableFormat format);

/// One row: the sums of all segments, and how far what is free is in pieces.
ReportTable fragmentationTable(const std::string& moment, Nanoseconds time, const SegmentState& state);
/// One row a segment, by address.
ReportTable segmentsTable(const std::string& moment, const SegmentState& state);
/// One row a block or gap, by address.
ReportTable blocksTable(const std::string& moment, const SegmentState& state, const MemoryTimeline& memory);
/// How often the allocator did what, over the whole run.
ReportTable segmentEventsTable(const Snapshot& run);

}  // namespace warpglass
