// What a run ran under, as tables: how busy the host was and the GPU's clocks.
#pragma once

#include "engine/query/activity/conditions.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// One row for the measured steps together, with the cautions, which people see in the title. If nothing is
/// known there is no row, except that people are told so.
ReportTable conditionsOfRunTable(const RunConditions& run, bool forPeople);
/// One row per step that has ended; no rows if nothing is known.
ReportTable conditionsOfStepsTable(const Snapshot& snapshot, bool forPeople);

}  // namespace warpglass
