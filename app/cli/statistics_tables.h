// The tables of `stats` and `compare`, from the engine's queries.
#pragma once

#include <string>
#include <vector>

#include "engine/io/report_table.h"
#include "engine/query/comparison.h"
#include "engine/query/memory_breakdown.h"
#include "engine/query/statistics.h"

namespace warpglass::cli {

/// All have nsys's columns; ranges and ops, which nest, also self time and its share; ranges their kind, ops
/// and kernels their colour families.
enum class StatisticsColumns { kRanges, kOps, kKernels };
/// Of ops and kernels also how often each ran in one of the `steps` whole steps that they are of, which is
/// not known of parts of steps (0): beside the instances for people, after all that were there before in CSV
/// and JSON.
ReportTable statisticsTable(std::string key, std::string title, const std::vector<StatisticsRow>& rows,
                            StatisticsColumns which, std::int64_t steps = 0, bool people = false);

/// What makes up memory at a moment, by one key ("category", "module", "op").
ReportTable breakdownTable(std::string key, std::string title, const std::vector<BreakdownRow>& rows);

ReportTable allocationsTable(std::string title, const std::vector<AllocationDetail>& allocations);

/// `inWords`: "16.0 GiB" for a limit in bytes.
ReportTable settingsTable(const std::vector<RunComparison::Setting>& settings, bool inWords);
/// `unit` is kNanoseconds, kBytes or kFraction. `people`: what a run came to that ended too early has a "≥".
ReportTable comparisonTable(std::string key, std::string title, Unit unit,
                            const std::vector<ComparisonRow>& rows, bool people);

}  // namespace warpglass::cli
