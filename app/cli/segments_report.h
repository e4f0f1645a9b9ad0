// The tables of `stats segments`: what a GPU's caching allocator held at a moment, and how it was cut up.
#pragma once

#include <string>

#include "engine/query/memory/memory_segments.h"
#include "engine/tables/report_table.h"

namespace warpglass::cli {

/// One row: the sums, and how far what is free is in pieces.
ReportTable fragmentationTable(const std::string& moment, Nanoseconds time, const SegmentState& state);

/// One row a segment, by address.
ReportTable segmentsTable(const std::string& moment, const SegmentState& state);

/// One row a block or gap, by address.
ReportTable blocksTable(const std::string& moment, const SegmentState& state, const MemoryTimeline& memory);

/// How often the allocator did what, over the whole run.
ReportTable segmentEventsTable(const Snapshot& run);

}  // namespace warpglass::cli
