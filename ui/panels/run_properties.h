// What the inspector shows for a run while nothing is selected in it.
#pragma once

#include <vector>

#include "engine/query/summary/run_summary.h"
#include "engine/trace/missing_records.h"
#include "ui/models/run_document.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// How it was configured, how fast it was, what was recorded of it and what was lost. `document` holds the
/// run that `run` sums up, and that lacks what is `missing`.
std::vector<Property> runProperties(const RunSummary& run, const MissingRecords& missing,
                                    const RunDocument& document);

}  // namespace warpglass::ui
