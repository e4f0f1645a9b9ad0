// What the experiments that only compute ask LibTorch for: the sums of engine/plan/accumulation.h, and the
// types of every tensor of a small network under autocast, taken from a pass of it.
#pragma once

#include <vector>

#include "engine/capture/torch_headers.h"
#include "engine/plan/accumulation.h"
#include "engine/plan/run_config.h"
#include "engine/runner/runner_api.h"

namespace warpglass {

/// The sum after each term, on the CPU. Throws what LibTorch throws; StopRequested inside a SafePointScope.
std::vector<double> accumulate(const Accumulation& way);

/// As Runner::autocastTypes(). Throws what LibTorch throws.
std::vector<NamedType> autocastTypes(at::Device device, Precision precision);

}  // namespace warpglass
