// Hopper's own instructions, compute capability 9.0a: asynchronous products of a warpgroup (wgmma), copies of tiles by the tensor
// memory accelerator, barriers in shared memory. After the PTX manual, sections "wgmma", "cp.async.bulk.tensor" and "mbarrier".
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace warpglass::kernels {

// clang-format off
#define WARPGLASS_EIGHT(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), "+f"(c[i + 6]), "+f"(c[i + 7])
#define WARPGLASS_PART_64 WARPGLASS_EIGHT(0), WARPGLASS_EIGHT(8), WARPGLASS_EIGHT(16), WARPGLASS_EIGHT(24)
#define WARPGLASS_PART_128 WARPGLASS_PART_64, WARPGLASS_EIGHT(32), WARPGLASS_EIGHT(40), WARPGLASS_EIGHT(48), WARPGLASS_EIGHT(56)
#define WARPGLASS_NAMES_64 \
    "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define WARPGLASS_NAMES_128 WARPGLASS_NAMES_64 \
    ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
#define WARPGLASS_PRODUCT(n, type, adds, operands) \
    asm volatile("{.reg .pred p; setp." adds "; wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." type "." type " {" \
                 WARPGLASS_NAMES_##n "}, " operands ";}" : WARPGLASS_PART_##n

/// C (64 × n, fp32) = A B or C + A B for a warpgroup; B (16 × n) and A (64 × 16) by descriptors of shared memory.
/// shared(): A's and B's rows of k are contiguous. transposed(): A's rows of m and B's rows of n are. registers(): A is in
/// registers, and B's rows of n are contiguous.
template <class T, int n>
struct WarpgroupProduct;

// The instruction's operands o0, o1, … are those behind the part of C that a thread holds.
#define WARPGLASS_PRODUCTS(T, type, n, o0, o1, o2, o3, o4) \
    template <> \
    struct WarpgroupProduct<T, n> { \
        __device__ static void shared(float (&c)[n / 2], std::uint64_t a, std::uint64_t b, bool add) { \
            WARPGLASS_PRODUCT(n, type, "ne.b32 p, " o2 ", 0", o0 ", " o1 ", p, 1, 1, 0, 0") \
                         : "l"(a), "l"(b), "r"(static_cast<int>(add))); \
        } \
        __device__ static void transposed(float (&c)[n / 2], std::uint64_t a, std::uint64_t b, bool add) { \
            WARPGLASS_PRODUCT(n, type, "ne.b32 p, " o2 ", 0", o0 ", " o1 ", p, 1, 1, 1, 1") \
                         : "l"(a), "l"(b), "r"(static_cast<int>(add))); \
        } \
        __device__ static void registers(float (&c)[n / 2], const std::uint32_t (&a)[4], std::uint64_t b) { \
            WARPGLASS_PRODUCT(n, type, "eq.u32 p, 1, 1", "{" o0 "," o1 "," o2 "," o3 "}, " o4 ", p, 1, 1, 1") \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)); \
        } \
    }
WARPGLASS_PRODUCTS(__nv_bfloat16, "bf16", 64, "%32", "%33", "%34", "%35", "%36");
WARPGLASS_PRODUCTS(__nv_bfloat16, "bf16", 128, "%64", "%65", "%66", "%67", "%68");
WARPGLASS_PRODUCTS(__half, "f16", 64, "%32", "%33", "%34", "%35", "%36");
WARPGLASS_PRODUCTS(__half, "f16", 128, "%64", "%65", "%66", "%67", "%68");

#undef WARPGLASS_PRODUCTS
#undef WARPGLASS_PRODUCT
#undef WARPGLASS_NAMES_128
#undef WARPGLASS_NAMES_64
#undef WARPGLASS_PART_128
#undef WARPGLASS_PART_64
#undef WARPGLASS_EIGHT
// clang-format on

/// A tile of rows of 128 bytes with the 128-byte swizzle, 1,024 bytes to eight rows. `next` is the distance in bytes to the
/// next 64 columns where n is contiguous and more than 64.
__device__ inline std::uint64_t tileDescriptor(std::uint32_t address, std::uint32_t next = 16) {
    return static_cast<std::uint64_t>((address & 0x3FFFF) >> 4) | static_cast<std::uint64_t>(next >> 4) << 16 |
           static_cast<std::uint64_t>(1024 >> 4) << 32 | 1ull << 62;
}

/// That of a tile some bytes further on. Only the address changes, and it does not leave its 14 bits.
__device__ inline std::uint64_t further(std::uint64_t descriptor, int bytes) {
    return (descriptor & ~0xFFFFFFFFull) | (static_cast<std::uint32_t>(descriptor) + (bytes >> 4));
}

/// Registers written before are seen by the products that follow.
__device__ inline void beginProducts() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commitProducts() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int pending>
__device__ inline void waitForProducts() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}
/// Keeps the compiler from moving registers that a product is still writing or reading.
template <int n>
__device__ inline void pin(float (&c)[n]) {
#pragma unroll
    for (int i = 0; i < n; ++i)
        asm volatile("" : "+f"(c[i])::"memory");
}

/// Likewise for an operand A in registers.
template <int n>
__device__ inline void pin(std::uint32_t (&a)[n][4]) {
#pragma unroll
    for (int i = 0; i < n; ++i)
        asm volatile("" : "+r"(a[i][0]), "+r"(a[i][1]), "+r"(a[i][2]), "+r"(a[i][3])::"memory");
}

template <int registers>
__device__ inline void growRegisters() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void shrinkRegisters() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ inline void initBarrier(std::uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
__device__ inline void arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void arriveExpecting(std::uint32_t barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void waitFor(std::uint32_t barrier, int parity) {
    asm volatile(
        "{.reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
        "@done bra over;\n"
        "bra again;\n"
        "over: }" ::"r"(barrier),
        "r"(parity)
        : "memory");
}

/// Copies a box of a 4-dimensional tensor map (column, row, head, batch) into shared memory; zeros where there is no row.
__device__ inline void copyBox(std::uint32_t to, const void* map, std::uint32_t barrier, int column, int row, int head,
                               int batch) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], "
        "[%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(column), "r"(row), "r"(head), "r"(batch)
        : "memory");
}

/// Four 8 × 8 matrices into shared memory, the opposite of loadMatrices().
__device__ inline void storeMatrices(std::uint32_t address, const std::uint32_t (&r)[4]) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(address), "r"(r[0]), "r"(r[1]),
                 "r"(r[2]), "r"(r[3])
                 : "memory");
}

/// What this thread wrote to shared memory comes before what copies and products read there.
__device__ inline void fenceTiles() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// What this thread saw in global memory comes before what its stores and additions do there.
__device__ inline void fenceSums() { asm volatile("fence.proxy.async.global;" ::: "memory"); }

/// Adds `bytes` bytes of floats in shared memory to those at `to`; both and `bytes` are multiples of 16.
__device__ inline void startAdding(float* to, std::uint32_t from, int bytes) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes)
                 : "memory");
}
/// Writes them there instead.
__device__ inline void startStoring(float* to, std::uint32_t from, int bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes) : "memory");
}
__device__ inline void commitStores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Until shared memory has been read by this thread's stores and additions.
__device__ inline void waitForReads() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
/// Until they have been done.
__device__ inline void waitForStores() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

/// Named barriers of a thread block, 1 to 15; `threads` counts who waits and who only arrives.
__device__ inline void meet(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ inline void announce(int barrier, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

}  // namespace warpglass::kernels
