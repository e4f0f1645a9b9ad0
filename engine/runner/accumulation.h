// The sums of engine/plan/accumulation.h, computed by LibTorch.
#pragma once

#include <vector>

#include "engine/plan/accumulation.h"

namespace warpglass {

/// The sum after each term, on the CPU. Throws what LibTorch throws; StopRequested inside a SafePointScope.
std::vector<double> accumulate(const Accumulation& way);

}  // namespace warpglass
