// Chooses tilings and launches attention's kernels for one head dimension; each flash_attention_D.cu
// instantiates it, so that they compile side by side.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "engine/kernels/flash_backward.cuh"
#include "engine/kernels/flash_forward.cuh"

namespace warpglass::kernels {

template <class Kernel, class Arguments, class... Clock>
cudaError_t launchWith(Kernel kernel, dim3 grid, int threads, int bytes, const Arguments& arguments,
                       cudaStream_t stream, const Clock&... clock) {
    if (bytes > 48 * 1024) {
        const cudaError_t error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        if (error != cudaSuccess)
            return error;
    }
    kernel<<<grid, threads, bytes, stream>>>(arguments, clock...);
    return cudaGetLastError();
}

inline int roundedUp(int value, int unit) {
    return (value + unit - 1) / unit;
}

template <int d>
using ChosenForwardTiling = ForwardTiling<d, 4, 2, d <= 64 ? 128 : 64>;

/// Both with a KernelClock: by the twins that write it.
template <class T, int d, class... Clock>
cudaError_t launchForward(const AttentionShape& shape, const ForwardArguments& arguments, cudaStream_t stream,
                          const Clock&... clock) {
    using Tiling = ChosenForwardTiling<d>;
    const dim3 grid(roundedUp(shape.length, Tiling::queries), shape.heads, shape.batch);
    return shape.causal ? launchWith(flashForwardKernel<T, Tiling, true, Clock...>, grid, Tiling::threads,
                                     Tiling::bytes, arguments, stream, clock...)
                        : launchWith(flashForwardKernel<T, Tiling, false, Clock...>, grid, Tiling::threads,
                                     Tiling::bytes, arguments, stream, clock...);
}

/// k's and v's gradients and the sum of q's, with a tiling for this GPU's shared memory.
template <class T, class Tiling, bool deterministic, class... Clock>
cudaError_t launchBackwardKernel(const AttentionShape& shape, const BackwardArguments& arguments,
                                 cudaStream_t stream, const Clock&... clock) {
    const dim3 byKeys(roundedUp(shape.length, Tiling::keys), shape.heads, shape.batch);
    const auto start = [&](auto kernel) {
        return launchWith(kernel, byKeys, Tiling::threads, Tiling::bytes, arguments, stream, clock...);
    };
    return shape.causal ? start(flashBackwardKernel<T, Tiling, true, deterministic, Clock...>)
                        : start(flashBackwardKernel<T, Tiling, false, deterministic, Clock...>);
}

/// Bytes of shared memory that a thread block can have: 227 KiB with compute capability 9.0, 163 with 8.0, 99
/// with 8.6 and 8.9.
inline cudaError_t sharedMemoryLimit(int& bytes) {
    int device = 0;
    const cudaError_t error = cudaGetDevice(&device);
    return error != cudaSuccess
               ? error
               : cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
}

/// The same with the larger of two tilings that this GPU has shared memory for.
template <class T, class Large, class Small, bool deterministic, class... Clock>
cudaError_t launchLargest(const AttentionShape& shape, const BackwardArguments& arguments, cudaStream_t stream,
                          const Clock&... clock) {
    if constexpr (Large::bytes > 99 * 1024) {
        int available = 0;
        const cudaError_t error = sharedMemoryLimit(available);
        if (error != cudaSuccess)
            return error;
        if (Large::bytes > available)
            return launchBackwardKernel<T, Small, deterministic>(shape, arguments, stream, clock...);
    }
    return launchBackwardKernel<T, Large, deterministic>(shape, arguments, stream, clock...);
}

template <class T, int d, class... Clock>
cudaError_t launchBackward(const AttentionShape& shape, const BackwardArguments& arguments, cudaStream_t stream,
                           const Clock&... clock) {
    using Large = BackwardTiling<d, 8, 64, 2>;
    using Small = BackwardTiling<d, 8, 32, 1>;
    const dim3 byRow(roundedUp(shape.length, 8), shape.heads, shape.batch);
    const auto sums = sizeof(float) * static_cast<std::size_t>(shape.batch) * shape.heads * shape.length * d;
    cudaError_t error = cudaMemsetAsync(arguments.queryGradient, 0, sums, stream);
    if (error == cudaSuccess)
        error = launchWith(flashDeltaKernel<T, d>, byRow, 256, 0, arguments, stream);
    // The larger one has no register left for the order, or for a clock, where d is 128.
    using Ordered = std::conditional_t<(d > 96), Small, Large>;
    using Unordered = std::conditional_t<sizeof...(Clock) == 0, Large, Ordered>;
    if (error == cudaSuccess)
        error = arguments.deterministic
                    ? launchLargest<T, Ordered, Small, true>(shape, arguments, stream, clock...)
                    : launchLargest<T, Unordered, Small, false>(shape, arguments, stream, clock...);
    if (error != cudaSuccess)
        return error;
    const dim3 byPiece(roundedUp(shape.length * (d / 4), 256), shape.heads, shape.batch);
    return launchWith(flashQueryGradientKernel<T, d>, byPiece, 256, 0, arguments, stream);
}

}  // namespace warpglass::kernels
