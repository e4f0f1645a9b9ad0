// The instructions that attention's kernels are made of, for compute capability 8.0 and later: 16 × 8 × 16
// products, loads of their operands from shared memory, and asynchronous copies into it. Names and layouts of
// fragments follow the PTX manual, sections "mma.m16n8k16", "ldmatrix" and "cp.async".
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace warpglass::kernels {

/// A 16 × 16 operand A: this thread's four registers of two 16-bit elements.
using FragmentA = std::uint32_t[4];
/// This thread's part of a 16 × 8 accumulator: rows g and g + 8 (g = lane / 4), columns 2t and 2t + 1 (t =
/// lane % 4).
using Accumulator = float[4];

__device__ inline std::uint32_t sharedAddress(const void* pointer) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

template <class T>
__device__ inline void multiplyAdd(Accumulator& c, const FragmentA& a, std::uint32_t b0, std::uint32_t b1);

template <>
__device__ inline void multiplyAdd<__nv_bfloat16>(Accumulator& c, const FragmentA& a, std::uint32_t b0,
                                                  std::uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <>
__device__ inline void multiplyAdd<__half>(Accumulator& c, const FragmentA& a, std::uint32_t b0,
                                           std::uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// Four 8 × 8 matrices; lane l gives the address of row l % 8 of matrix l / 8.
__device__ inline void loadMatrices(std::uint32_t (&r)[4], std::uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

__device__ inline void loadTransposed(std::uint32_t (&r)[4], std::uint32_t address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

/// Sixteen bytes, zeros where there is nothing to read.
__device__ inline void copyAsync(std::uint32_t to, const void* from, bool present) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(present ? 16 : 0));
}

/// Four bytes, zero where there is nothing to read.
__device__ inline void copyWordAsync(std::uint32_t to, const void* from, bool present) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(present ? 4 : 0));
}

__device__ inline void commitCopies() {
    asm volatile("cp.async.commit_group;");
}

template <int pending>
__device__ inline void waitForCopies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending));
}

template <class T>
__device__ inline std::uint32_t pack(float low, float high);

template <>
__device__ inline std::uint32_t pack<__nv_bfloat16>(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
}

template <>
__device__ inline std::uint32_t pack<__half>(float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
}

/// Two neighboring 16 × 8 accumulators as the 16 × 16 operand of the next product.
template <class T>
__device__ inline void asOperand(FragmentA& a, const Accumulator& left, const Accumulator& right) {
    a[0] = pack<T>(left[0], left[1]);
    a[1] = pack<T>(left[2], left[3]);
    a[2] = pack<T>(right[0], right[1]);
    a[3] = pack<T>(right[2], right[3]);
}

__device__ inline float exp2Fast(float x) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
}

}  // namespace warpglass::kernels
