// The tables of where a run's time goes, over the steps that its means are of. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "engine/query/spans/span_filter.h"
#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// "Ops of the measured steps, totals of 3 steps": what the filter's rows are of. `steps`: 0 where they
/// cannot be told per step.
std::string countedTitle(const std::string& what, const Snapshot& run, const SpanFilter& filter,
                         std::int64_t steps);
/// How many whole steps the filter's totals are of.
std::int64_t countedSteps(const Snapshot& run, const SpanFilter& filter);

/// Over the measured steps, or over everything where these have none; no rows where there is nothing of the
/// kind. The cells are plain values where no column has words of its own.
ReportTable kernelsTable(const Snapshot& run);
ReportTable opsTable(const Snapshot& run);
/// As the host went through them.
ReportTable phasesTable(const Snapshot& run);

}  // namespace warpglass
