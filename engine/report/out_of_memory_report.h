// The tables of a run that failed for want of memory, for `info` and `run`.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/summary/out_of_memory.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// The numbers, what was alive by module, and the largest allocations; without rows for nothing.
std::vector<ReportTable> outOfMemoryTables(const std::optional<OutOfMemory>& failure, TableFormat format);

}  // namespace warpglass
