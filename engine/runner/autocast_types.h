// The types of every tensor of a small network under autocast, taken from a pass of it.
#pragma once

#include <vector>

#include "engine/capture/torch_headers.h"
#include "engine/plan/run_config.h"
#include "engine/runner/runner_api.h"

namespace warpglass {

/// As Runner::autocastTypes(). Throws what LibTorch throws.
std::vector<NamedType> autocastTypes(at::Device device, Precision precision);

}  // namespace warpglass
