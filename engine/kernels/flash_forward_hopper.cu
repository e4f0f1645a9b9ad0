#include "engine/kernels/flash_forward_hopper.cuh"

#include "engine/kernels/flash_hopper.h"
#include "engine/kernels/hopper_launch.cuh"

namespace warpglass::kernels {
namespace {

template <class T, int d, bool causal>
cudaError_t launch(const AttentionShape& shape, const HopperForwardArguments& arguments, cudaStream_t stream) {
    using Tiling = HopperForwardTiling<d>;
    const auto kernel = flashForwardHopperKernel<T, d, causal>;
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::bytes);
    if (error != cudaSuccess)
        return error;
    const dim3 grid((shape.length + Tiling::queries - 1) / Tiling::queries, shape.heads, shape.batch);
    kernel<<<grid, Tiling::threads, Tiling::bytes, stream>>>(arguments);
    return cudaGetLastError();
}

template <class T, int d>
cudaError_t launch(const AttentionShape& shape, const HopperForwardArguments& arguments, cudaStream_t stream) {
    return shape.causal ? launch<T, d, true>(shape, arguments, stream) : launch<T, d, false>(shape, arguments, stream);
}

template <int d>
cudaError_t launch(const AttentionShape& shape, const HopperForwardArguments& arguments, cudaStream_t stream) {
    return shape.type == AttentionType::kBf16 ? launch<__nv_bfloat16, d>(shape, arguments, stream)
                                         : launch<__half, d>(shape, arguments, stream);
}

}  // namespace

bool flashForwardHopper(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k, const HeadTensor& v,
                        const HeadTensor& output, float* logSumExp, void* stream, int& error) {
    if ((shape.headDimension != 64 && shape.headDimension != 128) || !deviceIsHopper())
        return false;
    HopperForwardArguments arguments{{}, {}, {}, output, logSumExp, shape.heads, shape.length, shape.scale * kLog2E};
    constexpr int keys = HopperForwardTiling<64>::keys;
    if (!makeMap(arguments.q, shape, q, 64) || !makeMap(arguments.k, shape, k, keys) ||
        !makeMap(arguments.v, shape, v, keys))
        return false;
    const auto on = static_cast<cudaStream_t>(stream);
    error = shape.headDimension == 64 ? launch<64>(shape, arguments, on) : launch<128>(shape, arguments, on);
    return true;
}

}  // namespace warpglass::kernels
