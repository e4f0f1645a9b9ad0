// The tables about a GPU's time.
#pragma once

#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// How much of the measured steps the GPU was busy, and why it was not; no rows for a run on the CPU.
ReportTable gpuTimeTable(const Snapshot& run);
/// The phases as the GPU went through them, by CUDA's events.
ReportTable gpuPhasesTable(const Snapshot& run, bool forPeople);
/// The longest stretches without work; `limit` of them, 0 for 20.
ReportTable gpuIdleTable(const Snapshot& run, std::int64_t limit);

}  // namespace warpglass
