// libwarpglass-kernels as who loads it sees it: our CUDA kernels behind one C function. No CUDA header is
// needed to use it.
#pragma once

#include "engine/kernels/flash_attention.h"
#include "engine/kernels/kernel_clock.h"
#include "engine/kernels/step_kernels.h"

namespace warpglass::kernels {

/// The functions of the headers of this folder; their comments hold.
struct Kernels {
    decltype(&kernels::hasFlashAttention) hasFlashAttention;
    decltype(&kernels::flashForward) flashForward;
    decltype(&kernels::flashBackward) flashBackward;
    decltype(&kernels::hasKernelClock) hasKernelClock;
    decltype(&kernels::flashForwardClocked) flashForwardClocked;
    decltype(&kernels::flashBackwardClocked) flashBackwardClocked;
    decltype(&kernels::makeClock) makeClock;
    decltype(&kernels::freeClock) freeClock;
    decltype(&kernels::readClock) readClock;
    decltype(&kernels::normForward) normForward;
    decltype(&kernels::normBackward) normBackward;
    decltype(&kernels::swigluForward) swigluForward;
    decltype(&kernels::swigluBackward) swigluBackward;
    decltype(&kernels::embeddingBackward) embeddingBackward;
    decltype(&kernels::rotary) rotary;
    decltype(&kernels::softmaxForward) softmaxForward;
    decltype(&kernels::softmaxBackward) softmaxBackward;
    decltype(&kernels::crossEntropyForward) crossEntropyForward;
    decltype(&kernels::crossEntropyBackward) crossEntropyBackward;
    decltype(&kernels::adamw) adamw;
    /// 0 where this library has machine code, or PTX that the driver can compile, for the calling thread's
    /// device; else CUDA's error.
    int (*checkDevice)();
    /// CUDA's words for an error that one of them gave.
    const char* (*errorText)(int error);
};

/// Raised when anything that this header shows changes shape.
inline constexpr int kKernelsAbi = 8;

}  // namespace warpglass::kernels

extern "C" {
/// Null when `abi` is not this library's kKernelsAbi. Any thread; what it points to lives as long as the
/// library.
__attribute__((visibility("default"))) const warpglass::kernels::Kernels* warpglassKernels(int abi);
}
