#include "engine/kernels/kernels.h"

#include <cuda_runtime.h>

namespace warpglass::kernels {
namespace {

/// Compiled for the same GPUs as every other kernel here.
__global__ void nothing() {}

int checkDevice() {
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, nothing);
}

const char* errorText(int error) {
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

}  // namespace
}  // namespace warpglass::kernels

const warpglass::kernels::Kernels* warpglassKernels(int abi) {
    using namespace warpglass::kernels;
    static constexpr Kernels kKernels{
        &hasFlashAttention,   &flashForward,         &flashBackward, &hasKernelClock, &flashForwardClocked,
        &flashBackwardClocked, &makeClock, &freeClock, &readClock,  &normForward,    &normBackward,
        &swigluForward,       &swigluBackward,  &embeddingBackward,     &rotary,        &softmaxForward, &softmaxBackward,
        &crossEntropyForward, &crossEntropyBackward, &adamw,         &checkDevice,    &errorText};
    return abi == kKernelsAbi ? &kKernels : nullptr;
}
