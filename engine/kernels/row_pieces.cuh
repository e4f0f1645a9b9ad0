// Neighboring numbers of a tensor, a piece, read and written in one access and computed with in fp32; how
// the threads of a warp or a block share the pieces of a row; and what they have summed, for all of them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
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

/// Likewise n numbers of T in 16 bytes, where rows of that width can be read so, else 1.
template <class T, class Use>
cudaError_t withWidePieces(T, std::int64_t width, Use use) {
    constexpr int kWidest = 16 / sizeof(T);
    return width % kWidest == 0 ? use(std::integral_constant<int, kWidest>())
                                : use(std::integral_constant<int, 1>());
}

/// Calls use(std::integral_constant<int, p>()) with the first of p, q … pieces that hold a row of so many
/// among the lanes of a warp, or with the last.
template <int p, int... more, class Use>
void withKeptPieces(std::int64_t pieces, Use use) {
    if constexpr (sizeof...(more) > 0) {
        if (pieces > p * kWarp)
            return withKeptPieces<more...>(pieces, use);
    }
    use(std::integral_constant<int, p>());
}

/// n numbers of fp32 in registers.
template <int n>
struct Numbers {
    float at[n];
};

/// Whether n numbers of T lie two in a register.
template <class T, int n>
inline constexpr bool kInPairs = sizeof(T) == 2 && n % 2 == 0;

/// n numbers as they lie in memory. Those of 16 bits are words of two, which the compiler leaves so; single
/// ones it would take apart into a register each.
template <class T, int n>
struct alignas(n * sizeof(T)) Packed {
    using Part = std::conditional_t<kInPairs<T, n>, std::uint32_t, T>;
    static constexpr int kParts = n * sizeof(T) / sizeof(Part);
    Part parts[kParts];
};

template <class T>
__device__ inline float2 unpackedPair(std::uint32_t word) {
    if constexpr (std::is_same_v<T, __nv_bfloat16>)
        return {__uint_as_float(word << 16), __uint_as_float(word & 0xffff0000)};
    else
        return __half22float2(*reinterpret_cast<const __half2*>(&word));
}

template <class T>
__device__ inline std::uint32_t packedPair(float low, float high) {
    if constexpr (std::is_same_v<T, __nv_bfloat16>) {
        const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
        return *reinterpret_cast<const std::uint32_t*>(&pair);
    } else {
        const __half2 pair = __floats2half2_rn(low, high);
        return *reinterpret_cast<const std::uint32_t*>(&pair);
    }
}

template <int n, class T>
__device__ inline Packed<T, n> loadPacked(const T* from) {
    return *reinterpret_cast<const Packed<T, n>*>(from);
}

template <class T, int n>
__device__ inline Numbers<n> unpacked(const Packed<T, n>& packed) {
    Numbers<n> result;
    if constexpr (kInPairs<T, n>) {
#pragma unroll
        for (int i = 0; i < n; i += 2) {
            const float2 pair = unpackedPair<T>(packed.parts[i / 2]);
            result.at[i] = pair.x;
            result.at[i + 1] = pair.y;
        }
    } else {
#pragma unroll
        for (int i = 0; i < n; ++i)
            result.at[i] = static_cast<float>(packed.parts[i]);
    }
    return result;
}

template <class T, int n>
__device__ inline Packed<T, n> packed(const Numbers<n>& numbers) {
    Packed<T, n> result;
    if constexpr (kInPairs<T, n>) {
#pragma unroll
        for (int i = 0; i < n; i += 2)
            result.parts[i / 2] = packedPair<T>(numbers.at[i], numbers.at[i + 1]);
    } else {
#pragma unroll
        for (int i = 0; i < n; ++i)
            result.parts[i] = static_cast<T>(numbers.at[i]);
    }
    return result;
}

template <int n, class T>
__device__ inline Numbers<n> load(const T* from) {
    return unpacked(loadPacked<n>(from));
}

template <int n, class T>
__device__ inline void store(T* to, const Numbers<n>& numbers) {
    *reinterpret_cast<Packed<T, n>*>(to) = packed<T>(numbers);
}

/// How many pieces of a row a thread keeps in registers.
inline constexpr int kKept = 5;

/// Calls use(slot, piece) for each of this thread's pieces of a row that is its block's; slots from kKept on
/// have no register.
template <class Use>
__device__ inline void forPieces(int pieces, Use use) {
#pragma unroll
    for (int slot = 0; slot < kKept; ++slot) {
        const int piece = threadIdx.x + slot * blockDim.x;
        if (piece < pieces)
            use(slot, piece);
    }
    for (int piece = threadIdx.x + kKept * blockDim.x; piece < pieces; piece += blockDim.x)
        use(kKept, piece);
}

struct Plus {
    static constexpr float kNothing = 0;
    __device__ float operator()(float a, float b) const { return a + b; }
};

struct Greater {
    static constexpr float kNothing = -INFINITY;
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// What all threads of a warp have, combined and given to each.
template <class Combine>
__device__ inline float combinedInWarp(float value, Combine combine) {
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = combine(value, __shfl_xor_sync(0xffffffff, value, step));
    return value;
}

/// What all threads of a block of at most 1,024 have, combined and given to each. `shared` holds 33 floats,
/// and may be used again at once.
template <class Combine>
__device__ inline float combined(float value, float* shared, Combine combine) {
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const int warps = blockDim.x / kWarp;
    value = combinedInWarp(value, combine);
    __syncthreads();
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    return combinedInWarp(lane < warps ? shared[lane] : Combine::kNothing, combine);
}

/// Threads a row of that many pieces: whole warps, at most `most`, as few idle as can be.
inline int threadsFor(std::int64_t pieces, int most) {
    const std::int64_t turns = (pieces + most - 1) / most;
    const std::int64_t needed = (pieces + turns - 1) / turns;
    return static_cast<int>((needed + kWarp - 1) / kWarp * kWarp);
}

}  // namespace warpglass::kernels
