// The tables of `stats memory`: how high each phase went and what made up the peak.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/memory/memory_timeline.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// The run, its phases and its steps, each at its highest.
ReportTable memoryStatisticsTable(const MemoryTimeline& memory);

/// One row a phase span in the order of time, with the highest total within it, by category. With ranges,
/// only what of it lies within them.
ReportTable phasePeaksTable(const MemoryTimeline& memory, const std::vector<TimeRange>& ranges);

/// The highest point of the whole run, or within the ranges; nothing without memory events.
std::optional<MemoryPoint> peakWithin(const MemoryTimeline& memory, const std::vector<TimeRange>& ranges);

}  // namespace warpglass
