// Chooses tilings and launches attention's fp32 kernels for one width of tiles; each flash_fp32_WIDTH.cu
// instantiates it, so that they compile side by side. All tilings fit in the 99 KiB of shared memory that a
// thread block can have with compute capability 8.6 and 8.9.
#pragma once

#include <type_traits>

#include "engine/kernels/flash_attention_launch.cuh"
#include "engine/kernels/flash_backward_fp32.cuh"
#include "engine/kernels/flash_forward_fp32.cuh"

namespace warpglass::kernels {

/// Calls use(Products()) for the shape's type.
template <class Use>
cudaError_t withProducts(const AttentionShape& shape, Use use) {
    return shape.type == AttentionType::kTf32 ? use(Tf32Products()) : use(Fp32Products());
}

inline dim3 fp32Grid(const AttentionShape& shape, int rows) {
    return dim3(roundedUp(shape.length, rows), shape.heads, shape.batch);
}

template <int width>
cudaError_t launchForwardFp32(const AttentionShape& shape, const Fp32Arguments& arguments,
                              cudaStream_t stream) {
    return withProducts(shape, [&](auto products) {
        using Tiling = Fp32ForwardTiling<decltype(products), width, width <= 64 ? 4 : 3, 4, 32>;
        static_assert(Tiling::bytes <= 99 * 1024);
        return launchWith(flashForwardFp32Kernel<Tiling>, fp32Grid(shape, Tiling::queries), Tiling::threads,
                          Tiling::bytes, arguments, stream);
    });
}

template <int width>
cudaError_t launchBackwardFp32(const AttentionShape& shape, const Fp32Arguments& arguments,
                               cudaStream_t stream) {
    return withProducts(shape, [&](auto products) {
        using Tiling = Fp32BackwardTiling<decltype(products), width, 4, width <= 64 ? 4 : 2, 24>;
        static_assert(Tiling::bytes <= 99 * 1024);
        const dim3 grid = fp32Grid(shape, Tiling::held);
        cudaError_t error = launchWith(flashDeltaFp32Kernel<decltype(products)>, fp32Grid(shape, 8), 256, 0,
                                       arguments, stream);
        if (error == cudaSuccess)
            error = launchWith(flashBackwardFp32Kernel<Tiling>, grid, Tiling::threads, Tiling::bytes,
                               arguments, stream);
        return error != cudaSuccess ? error
                                    : launchWith(flashQueryGradientFp32Kernel<Tiling>, grid, Tiling::threads,
                                                 Tiling::bytes, arguments, stream);
    });
}

}  // namespace warpglass::kernels
