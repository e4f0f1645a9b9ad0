// Why a run cannot even begin, found out before anything is allocated. No LibTorch.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/run_config.h"
#include "engine/runner/runner_api.h"

namespace warpglass {

/// An error for an impossible configuration, and for one that needsOvercommit() (engine/plan) of the memory
/// that is available. `overcommit`: a person wants it all the same, which lifts the second.
Status refuseImpossible(const RunConfig& config, const DeviceInfo& cpu, bool overcommit);

}  // namespace warpglass
