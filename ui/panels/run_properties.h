// What the inspector shows for a run while nothing is selected in it: what stands out, three numbers, and the
// way to what is worth looking at.
#pragma once

#include <vector>

#include "engine/query/findings/run_overview.h"
#include "ui/models/run_document.h"
#include "ui/models/step_clock.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// The verdict, then the numbers that fit the run, and its state where it did not just end. `run` is the
/// overview of the document's run.
std::vector<Property> runProperties(const RunOverview& run, const RunDocument& document);

/// What runLinks() leads to, in the form of findings: the costliest one, the kernel or op with the most time,
/// the peak.
std::vector<Finding> linkedFindings(const RunOverview& run);
/// A line for each of these; its link is the place in linkedFindings(). Moments are told by the clock.
std::vector<Property> runLinks(const RunOverview& run, const StepClock& clock);

}  // namespace warpglass::ui
