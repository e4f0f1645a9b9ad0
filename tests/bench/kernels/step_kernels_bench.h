// Each kernel of a step (engine/kernels/step_kernels.h) beside what the library runs in its place and beside
// its limit, which is the bytes that it must move over what a copy moves per second on this GPU. bf16, and
// tensors that are larger than the caches: 16,384 tokens of xl's widths, and the parameters of large.
#pragma once

#include "engine/kernels/kernels.h"

namespace warpglass::bench {

/// Prints Markdown. Needs a GPU.
void compareStepKernels(const kernels::Kernels& own, int rounds);

}  // namespace warpglass::bench
