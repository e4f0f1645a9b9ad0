#include "engine/kernels/flash_backward_hopper.cuh"

#include <algorithm>

#include "engine/kernels/flash_hopper.h"
#include "engine/kernels/hopper_launch.cuh"

namespace warpglass::kernels {
namespace {

template <class T, int d, bool causal>
cudaError_t launch(const AttentionShape& shape, HopperBackwardArguments arguments, cudaStream_t stream) {
    using Tiling = HopperBackwardTiling<d>;
    const auto kernel = flashBackwardHopperKernel<T, d, causal>;
    int device = 0, processors = 0;
    cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::bytes);
    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    const int keyTiles = (shape.length + Tiling::keys - 1) / Tiling::keys, items = keyTiles * shape.heads * shape.batch;
    // One head at a time is best for the caches. Where additions wait for each other, a head's tiles start one after another.
    if (arguments.rows.deterministic)
        arguments.headsTogether = (processors + keyTiles - 1) / keyTiles;
    const int pieces = 256 / (d / 8);
    const dim3 byRow((shape.length + pieces - 1) / pieces, shape.heads, shape.batch);
    flashPrepareHopperKernel<T, d><<<byRow, 256, 0, stream>>>(arguments.rows);
    kernel<<<std::min(items, processors), Tiling::threads, Tiling::bytes, stream>>>(arguments);
    flashQueryGradientHopperKernel<T, d><<<byRow, 256, 0, stream>>>(arguments.rows);
    return cudaGetLastError();
}

template <class T, int d>
cudaError_t launch(const AttentionShape& shape, const HopperBackwardArguments& arguments, cudaStream_t stream) {
    return shape.causal ? launch<T, d, true>(shape, arguments, stream) : launch<T, d, false>(shape, arguments, stream);
}

template <int d>
cudaError_t launch(const AttentionShape& shape, const HopperBackwardArguments& arguments, cudaStream_t stream) {
    return shape.type == HalfType::kBf16 ? launch<__nv_bfloat16, d>(shape, arguments, stream)
                                         : launch<__half, d>(shape, arguments, stream);
}

}  // namespace

bool flashBackwardHopper(const AttentionShape& shape, const BackwardArguments& rows, void* stream, int& error) {
    if ((shape.headDimension != 64 && shape.headDimension != 128) || !deviceIsHopper())
        return false;
    HopperBackwardArguments arguments{{}, {}, {}, {}, rows, shape.batch, 1};
    const int keys = HopperBackwardTiling<64>::keys;
    const int queries = shape.headDimension == 64 ? HopperBackwardTiling<64>::queries : HopperBackwardTiling<128>::queries;
    if (!makeMap(arguments.q, shape, rows.q, queries) || !makeMap(arguments.k, shape, rows.k, keys) ||
        !makeMap(arguments.v, shape, rows.v, keys) || !makeMap(arguments.outputGradient, shape, rows.outputGradient, queries))
        return false;
    const auto on = static_cast<cudaStream_t>(stream);
    error = shape.headDimension == 64 ? launch<64>(shape, arguments, on) : launch<128>(shape, arguments, on);
    return true;
}

}  // namespace warpglass::kernels
