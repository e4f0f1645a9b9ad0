#include "engine/kernels/flash_backward_hopper.cuh"

#include <algorithm>

#include "engine/kernels/flash_hopper.h"
#include "engine/kernels/hopper_launch.cuh"

namespace warpglass::kernels {
namespace {

/// Comes first: delta = rowsum(dO ∘ O), d / 8 lanes to a row. Clears the order's counts, and the sums of q's gradient where
/// there is no order and so no first addition that could write them.
template <class T, int d>
__global__ void __launch_bounds__(256) flashPrepareHopperKernel(const BackwardArguments arguments) {
    constexpr int kLanes = d / 8;
    const int head = blockIdx.y, batch = blockIdx.z, lane = threadIdx.x % kLanes;
    const int row = blockIdx.x * (256 / kLanes) + threadIdx.x / kLanes;
    const bool present = row < arguments.length;
    const std::int64_t at = arguments.firstRow(batch, head) + row;
    float sum = 0;
    if (present) {
        const uint4 output =
            *reinterpret_cast<const uint4*>(HeadRows<const T>(arguments.output, batch, head).row(row) + lane * 8);
        const uint4 gradient =
            *reinterpret_cast<const uint4*>(HeadRows<const T>(arguments.outputGradient, batch, head).row(row) + lane * 8);
        const T *const outputs = reinterpret_cast<const T*>(&output), *const gradients = reinterpret_cast<const T*>(&gradient);
#pragma unroll
        for (int i = 0; i < 8; ++i)
            sum += static_cast<float>(outputs[i]) * static_cast<float>(gradients[i]);
        if (!arguments.deterministic) {
            float4* const sums = reinterpret_cast<float4*>(arguments.queryGradient + at * d + lane * 8);
            sums[0] = sums[1] = make_float4(0, 0, 0, 0);
        }
        if (lane == 0)
            BackwardOrder(arguments).clear(batch, head, row);
    }
#pragma unroll
    for (int distance = kLanes / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
    if (present && lane == 0)
        arguments.delta[at] = sum;
}

/// Comes last: q's gradient, times the scale, in 16 bits.
template <class T, int d>
__global__ void __launch_bounds__(256) flashQueryGradientHopperKernel(const BackwardArguments arguments) {
    constexpr int kPieces = d / 8;
    const int head = blockIdx.y, batch = blockIdx.z;
    const int number = blockIdx.x * 256 + threadIdx.x, row = number / kPieces, piece = number % kPieces;
    if (row >= arguments.length)
        return;
    const float4* const sums = reinterpret_cast<const float4*>(
        arguments.queryGradient + arguments.firstRow(batch, head) * d +
        (static_cast<std::int64_t>(piece / 8) * arguments.length + row) * 64 + (piece % 8 ^ row % 4) * 8);
    const float scale = arguments.scale * kLn2;
    const float4 a = sums[0], b = sums[1];
    *reinterpret_cast<uint4*>(HeadRows<T>(arguments.qGradient, batch, head).row(row) + piece * 8) =
        make_uint4(pack<T>(a.x * scale, a.y * scale), pack<T>(a.z * scale, a.w * scale), pack<T>(b.x * scale, b.y * scale),
                   pack<T>(b.z * scale, b.w * scale));
}

template <class T, int d, bool causal, class... Clock>
cudaError_t launch(const AttentionShape& shape, HopperBackwardArguments arguments, cudaStream_t stream,
                   const Clock&... clock) {
    using Tiling = HopperBackwardTiling<d>;
    const auto kernel = flashBackwardHopperKernel<T, d, causal, Clock...>;
    int device = 0, processors = 0;
    cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::bytes);
    if (error == cudaSuccess)
        error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    if (shape.length == 0 || shape.heads == 0 || shape.batch == 0)
        return cudaSuccess;
    const int keyTiles = (shape.length + Tiling::keys - 1) / Tiling::keys, items = keyTiles * shape.heads * shape.batch;
    arguments.rows.deterministic |= shape.length <= kLongestInOrder;
    // One head at a time is best for the caches. Where additions wait for each other, a head's tiles start one after another.
    if (arguments.rows.deterministic)
        arguments.headsTogether = (processors + keyTiles - 1) / keyTiles;
    const int pieces = 256 / (d / 8);
    const dim3 byRow((shape.length + pieces - 1) / pieces, shape.heads, shape.batch);
    flashPrepareHopperKernel<T, d><<<byRow, 256, 0, stream>>>(arguments.rows);
    kernel<<<std::min(items, processors), Tiling::threads, Tiling::bytes, stream>>>(arguments, clock...);
    flashQueryGradientHopperKernel<T, d><<<byRow, 256, 0, stream>>>(arguments.rows);
    return cudaGetLastError();
}

}  // namespace

bool flashBackwardHopper(const AttentionShape& shape, const BackwardArguments& rows, void* stream, int& error,
                         const KernelClock* clock) {
    if (!hasHopperKernels(shape))
        return false;
    HopperBackwardArguments arguments{{}, {}, {}, {}, rows, shape.batch, 1};
    const int keys = HopperBackwardTiling<64>::keys;
    const int queries = shape.headDimension == 64 ? HopperBackwardTiling<64>::queries : HopperBackwardTiling<128>::queries;
    if (!makeMap(arguments.q, shape, rows.q, queries) || !makeMap(arguments.k, shape, rows.k, keys) ||
        !makeMap(arguments.v, shape, rows.v, keys) || !makeMap(arguments.outputGradient, shape, rows.outputGradient, queries))
        return false;
    const auto on = static_cast<cudaStream_t>(stream);
    error = withHopperKernel(shape, [&](auto type, auto d, auto causal) {
        return clock ? launch<decltype(type), d.value, causal.value>(shape, arguments, on, *clock)
                     : launch<decltype(type), d.value, causal.value>(shape, arguments, on);
    });
    return true;
}

}  // namespace warpglass::kernels
