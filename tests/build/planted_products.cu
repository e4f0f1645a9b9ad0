// Products of a warpgroup with an operand in registers: those of one turn are read while the next one's are
// loaded.
//
// PLANTED_OVERWRITE writes registers before the wait for the product that reads them, which PTX forbids. The
// pinned ptxas (13.0.88) says nothing and has one product read what was written; 13.3.73 makes the products
// wait for each other. This is what the fault does to a program that is right. PLANTED_WAIT changes a sum
// while products add to it: every ptxas makes them wait for each other.
#include "engine/kernels/hopper.cuh"

namespace warpglass::kernels {

__global__ void __launch_bounds__(128)
    plantedProducts(const std::uint32_t* from, float* to, std::uint64_t tile, int turns) {
    float sums[32] = {};
    std::uint32_t even[4], odd[4];
    const auto load = [&](std::uint32_t(&a)[4], int turn) {
        for (int i = 0; i < 4; ++i)
            a[i] = from[(turn * 4 + i) * 128 + threadIdx.x] * 3 + turn;
    };
    const auto multiply = [&](const std::uint32_t(&a)[4]) {
        beginProducts();
        WarpgroupProduct<__nv_bfloat16, 64>::registers(sums, a, tile);
        commitProducts();
    };
    load(even, 0);
    multiply(even);
    for (int turn = 1; turn < turns; turn += 2) {
        load(odd, turn);
        multiply(odd);
#ifdef PLANTED_WAIT
        sums[0] += 1;
#endif
        waitForProducts<1>();
#ifndef PLANTED_OVERWRITE
        load(even, turn + 1);
        multiply(even);
#else
        multiply(even);
        for (std::uint32_t& each : even)
            asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(each));
#endif
        waitForProducts<1>();
    }
    waitForProducts<0>();
    pin(sums);
    for (int i = 0; i < 32; ++i)
        to[i * 128 + threadIdx.x] = sums[i];
}

}  // namespace warpglass::kernels
