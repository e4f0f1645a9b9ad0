// Why a run cannot even begin, found out before anything is allocated. No LibTorch.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/valid_config.h"
#include "engine/runner/runner_api.h"

namespace warpglass {

/// An error for a configuration that needsOvercommit() (engine/plan) of the memory that is available.
/// `overcommit`: a person wants it all the same.
Status refuseImpossible(const ValidConfig& config, const DeviceInfo& cpu, bool overcommit);

}  // namespace warpglass
