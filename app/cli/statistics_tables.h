// The tables of `stats` and `compare`, from the engine's queries.
#pragma once

#include <string>
#include <vector>

#include "engine/io/report_table.h"
#include "engine/query/comparison.h"
#include "engine/query/memory_breakdown.h"
#include "engine/query/statistics.h"

namespace warpglass::cli {

/// nsys's columns, with self time and its share before them; `families` adds the ops' colour families.
ReportTable statisticsTable(std::string key, std::string title, const std::vector<StatisticsRow>& rows,
                            bool families);

/// What makes up memory at a moment, by one key ("category", "module", "op").
ReportTable breakdownTable(std::string key, std::string title, const std::vector<BreakdownRow>& rows);

ReportTable allocationsTable(std::string title, const std::vector<AllocationDetail>& allocations);

ReportTable settingsTable(const std::vector<RunComparison::Setting>& settings);
/// `unit` is kNanoseconds or kBytes.
ReportTable comparisonTable(std::string key, std::string title, Unit unit,
                            const std::vector<ComparisonRow>& rows);

}  // namespace warpglass::cli
