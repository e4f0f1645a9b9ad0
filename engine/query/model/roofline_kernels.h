// The points of a roofline that are no GEMMs: kernels of ours, the library's of which it is known what they
// move, and the library's update of all parameters (roofline.h).
//
// Internal to engine/query. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/run_config.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/step_selection.h"

namespace warpglass {

/// What GEMMs of one point have in common: "blocks.*.attn/scores".
std::string productGroupName(std::string_view module, std::string_view part);

/// Adds them to those of the GEMMs, which get what attention's own kernels did not move.
void addKernelPoints(std::vector<RooflinePoint>& points, const Snapshot& snapshot, const RunConfig& config,
                     const WorkScope& scope, const StepSelection& steps);

}  // namespace warpglass
