// What attention's own kernels compute and move (engine/kernels/flash_attention.h).
#pragma once

#include <span>

#include "engine/plan/kernel_work.h"

namespace warpglass {

/// Those for every GPU, for Hopper and for fp32 numbers; which of them a run launches, its GPU and its
/// configuration say.
std::span<const OwnKernel> flashKernels();

}  // namespace warpglass
