// What a run ran under, as tables: how busy the host was and the GPU's clocks.
#pragma once

#include "engine/query/activity/conditions.h"
#include "engine/tables/report_table.h"

namespace warpglass::cli {

/// One row: of the measured steps together, with the cautions, which people have in the title; none where
/// nothing is known, but for people, who are told so.
ReportTable conditionsOfRunTable(const RunConditions& run, bool forPeople);
/// One row a step, of all that have ended. No rows where nothing is known.
ReportTable conditionsOfStepsTable(const Snapshot& snapshot, bool forPeople);

}  // namespace warpglass::cli
