// What a GPU did with its time, and what a run ran under: how busy the host was, and the GPU's clocks.
#pragma once

#include "engine/query/activity/conditions.h"
#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// How much of the measured steps the GPU was busy, and why it was not; no rows for a run on the CPU.
ReportTable gpuTimeTable(const Snapshot& run);
/// The phases as the GPU went through them, by CUDA's events.
ReportTable gpuPhasesTable(const Snapshot& run, bool forPeople);
/// The longest stretches without work; `limit` of them, 0 for 20.
ReportTable gpuIdleTable(const Snapshot& run, std::int64_t limit);

/// One row for the measured steps together, with the cautions, which people see in the title. If nothing is
/// known there is no row, except that people are told so.
ReportTable conditionsOfRunTable(const RunConditions& run, bool forPeople);
/// One row per step that has ended; no rows if nothing is known.
ReportTable conditionsOfStepsTable(const Snapshot& snapshot, bool forPeople);

}  // namespace warpglass
