// Four neighbouring numbers of a tensor, read and written in one access and computed with in fp32; and what
// threads of a block have summed, for all of them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

#include "engine/kernels/step_kernels.h"

namespace warpglass::kernels {

inline constexpr int kWarp = 32;

/// Calls use(T()) for the type's C++ type.
template <class Use>
cudaError_t withType(NumberType type, Use use) {
    switch (type) {
        case NumberType::kFp32:
            return use(float());
        case NumberType::kBf16:
            return use(__nv_bfloat16());
        case NumberType::kFp16:
            return use(__half());
    }
    return cudaErrorInvalidValue;
}

/// Calls use(std::integral_constant<int, n>()): 4 where rows of that width can be read so, else 1.
template <class Use>
cudaError_t withPieces(bool byFour, Use use) {
    return byFour ? use(std::integral_constant<int, 4>()) : use(std::integral_constant<int, 1>());
}

/// n numbers of fp32 in registers.
template <int n>
struct Numbers {
    float at[n];
};

template <class T, int n>
struct alignas(n * sizeof(T)) Packed {
    T at[n];
};

template <int n, class T>
__device__ inline Numbers<n> load(const T* from) {
    const auto packed = *reinterpret_cast<const Packed<T, n>*>(from);
    Numbers<n> result;
#pragma unroll
    for (int i = 0; i < n; ++i)
        result.at[i] = static_cast<float>(packed.at[i]);
    return result;
}

template <int n, class T>
__device__ inline void store(T* to, const Numbers<n>& numbers) {
    Packed<T, n> packed;
#pragma unroll
    for (int i = 0; i < n; ++i)
        packed.at[i] = static_cast<T>(numbers.at[i]);
    *reinterpret_cast<Packed<T, n>*>(to) = packed;
}

struct Plus {
    static constexpr float kNothing = 0;
    __device__ float operator()(float a, float b) const { return a + b; }
};

/// Of all threads of a block of at most 1,024, given to each. `shared` holds 33 floats, and may be used again
/// at once.
template <class Combine>
__device__ inline float combined(float value, float* shared, Combine combine) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const int warps = blockDim.x / kWarp;
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffff, value, step));
    __syncthreads();
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    value = lane < warps ? shared[lane] : Combine::kNothing;
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffff, value, step));
    return value;
}

/// Threads a row of that many pieces: whole warps, at most `most`, as few idle as can be.
inline int threadsFor(std::int64_t pieces, int most) {
    const std::int64_t turns = (pieces + most - 1) / most;
    const std::int64_t needed = (pieces + turns - 1) / turns;
    return static_cast<int>((needed + kWarp - 1) / kWarp * kWarp);
}

}  // namespace warpglass::kernels
