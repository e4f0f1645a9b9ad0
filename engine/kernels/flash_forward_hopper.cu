#include "engine/kernels/flash_forward_hopper.cuh"

#include "engine/kernels/flash_hopper.h"
#include "engine/kernels/hopper_launch.cuh"

namespace warpglass::kernels {
namespace {

template <class T, int d, bool causal, class... Clock>
cudaError_t launch(const AttentionShape& shape, const HopperForwardArguments& arguments, cudaStream_t stream,
                   const Clock&... clock) {
    using Tiling = HopperForwardTiling<d>;
    const auto kernel = flashForwardHopperKernel<T, d, causal, Clock...>;
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::bytes);
    if (error != cudaSuccess)
        return error;
    const dim3 grid((shape.length + Tiling::queries - 1) / Tiling::queries, shape.heads, shape.batch);
    kernel<<<grid, Tiling::threads, Tiling::bytes, stream>>>(arguments, clock...);
    return cudaGetLastError();
}

}  // namespace

bool flashForwardHopper(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k, const HeadTensor& v,
                        const HeadTensor& output, float* logSumExp, void* stream, int& error, const KernelClock* clock) {
    if (!hasHopperKernels(shape))
        return false;
    HopperForwardArguments arguments{{}, {}, {}, output, logSumExp, shape.heads, shape.length, shape.scale * kLog2E};
    constexpr int keys = HopperForwardTiling<64>::keys;
    if (!makeMap(arguments.q, shape, q, 64) || !makeMap(arguments.k, shape, k, keys) ||
        !makeMap(arguments.v, shape, v, keys))
        return false;
    const auto on = static_cast<cudaStream_t>(stream);
    error = withHopperKernel(shape, [&](auto type, auto d, auto causal) {
        return clock ? launch<decltype(type), d.value, causal.value>(shape, arguments, on, *clock)
                     : launch<decltype(type), d.value, causal.value>(shape, arguments, on);
    });
    return true;
}

}  // namespace warpglass::kernels
