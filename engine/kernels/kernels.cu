#include "engine/kernels/kernels.h"

#include <cuda_runtime.h>

namespace warpglass::kernels {
namespace {

const char* errorText(int error) {
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

}  // namespace
}  // namespace warpglass::kernels

const warpglass::kernels::Kernels* warpglassKernels(int abi) {
    using namespace warpglass::kernels;
    static constexpr Kernels kKernels{&hasFlashAttention, &flashForward, &flashBackward, &errorText};
    return abi == kKernelsAbi ? &kKernels : nullptr;
}
