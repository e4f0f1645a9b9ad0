// Attention's kernels in Hopper's own instructions (compute capability 9.0), tried before the portable ones.
#pragma once

#include "engine/kernels/kernel_clock.h"

namespace warpglass::kernels {

/// flashForward() for head dimensions 64 and 128. False where this GPU, driver or shape has no such kernel:
/// nothing was started; else `error` is CUDA's of the launch. With a clock, by the twins that write it.
bool flashForwardHopper(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                        const HeadTensor& v, const HeadTensor& output, float* logSumExp, void* stream,
                        int& error, const KernelClock* clock = nullptr);

struct BackwardArguments;

/// flashBackward(), likewise.
bool flashBackwardHopper(const AttentionShape& shape, const BackwardArguments& arguments, void* stream,
                         int& error, const KernelClock* clock = nullptr);

}  // namespace warpglass::kernels
