// Why a run cannot even begin, found out before anything is allocated. No LibTorch.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/run_config.h"
#include "engine/runner/runner_api.h"

namespace warpglass {

/// An error for an impossible configuration, for a device that is not there, and for a predicted peak larger
/// than the memory that is available: Linux would not refuse that memory but end the process when it is used.
/// `overcommit`, and WARPGLASS_ALLOW_OVERCOMMIT=1 in the environment, lift the last one.
Status refuseImpossible(const RunConfig& config, const DeviceInfo& cpu, bool overcommit);

}  // namespace warpglass
