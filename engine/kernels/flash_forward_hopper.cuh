// FlashAttention's forward pass in Hopper's own instructions, for head dimensions 64 and 128: tiles come by the tensor memory
// accelerator, one warpgroup asks for them, and two compute, each with 64 queries. While one computes its softmax the other has
// the tensor cores ("ping-pong"), and within each the next scores run beside the last values. After Shah et al.,
// "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision" (arXiv 2407.08608), sections 3.1 and 3.2.
#pragma once

#include <cuda.h>

#include "engine/kernels/attention_tiles.cuh"
#include "engine/kernels/flash_forward.cuh"
#include "engine/kernels/hopper.cuh"

namespace warpglass::kernels {

struct HopperForwardArguments {
    /// (column, row, head, batch); boxes of 64 columns, and of 64 rows of q or a tile's rows of k and v.
    CUtensorMap q, k, v;
    HeadTensor output;
    float* logSumExp;
    int heads, length;
    float scale;
};

template <int headDimension>
struct HopperForwardTiling {
    static constexpr int d = headDimension, groups = 2, queries = groups * 64, keys = 128, stages = 2;
    static constexpr int threads = (groups + 1) * 128;
    static constexpr int parts = d / 64;  // a tile is so many boxes side by side
    static constexpr int queryBytes = queries * d * 2, keyBytes = keys * d * 2;
    static constexpr int barriersAt = queryBytes + 2 * stages * keyBytes;
    /// Tiles begin at a multiple of 1,024 bytes.
    static constexpr int bytes = barriersAt + 8 * (1 + 4 * stages) + 1024;
};

/// A full and an empty barrier of each stage of k and v, and one for q.
template <int stages>
struct TileBarriers {
    std::uint32_t first;

    __device__ std::uint32_t query() const { return first; }
    __device__ std::uint32_t full(bool values, int stage) const { return first + 8 * (1 + values * stages + stage); }
    __device__ std::uint32_t empty(bool values, int stage) const { return first + 8 * (1 + (2 + values) * stages + stage); }
};

template <class T, int d, bool causal, class... Clock>
__global__ void __launch_bounds__(HopperForwardTiling<d>::threads, 1)
    flashForwardHopperKernel(const __grid_constant__ HopperForwardArguments arguments,
                             Clock... clocks) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    using Tiling = HopperForwardTiling<d>;
    constexpr int keys = Tiling::keys, stages = Tiling::stages, parts = Tiling::parts;
    extern __shared__ unsigned char unaligned[];
    unsigned char* const shared = unaligned + (1024 - sharedAddress(unaligned) % 1024) % 1024;
    const std::uint32_t tileQ = sharedAddress(shared), tilesK = tileQ + Tiling::queryBytes,
                        tilesV = tilesK + stages * Tiling::keyBytes;
    const TileBarriers<stages> barriers{tileQ + Tiling::barriersAt};
    const int head = blockIdx.y, batch = blockIdx.z, length = arguments.length;
    const int first = (causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * Tiling::queries;
    const int group = threadIdx.x / 128 - 1;  // −1 asks for tiles
    const int seen = causal ? min(length, first + Tiling::queries) : length;
    const int tiles = (seen + keys - 1) / keys;

    if (threadIdx.x == 0) {
        initBarrier(barriers.query(), 1);
        for (int stage = 0; stage < stages; ++stage)
            for (const bool values : {false, true}) {
                initBarrier(barriers.full(values, stage), 1);
                initBarrier(barriers.empty(values, stage), Tiling::groups);
            }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    if (group < 0) {
        shrinkRegisters<24>();
        if (threadIdx.x != 0)
            return;
        arriveExpecting(barriers.query(), Tiling::queryBytes);
        for (int each = 0; each < Tiling::groups; ++each)
            for (int part = 0; part < parts; ++part)
                copyBox(tileQ + (each * parts + part) * 64 * 128, &arguments.q, barriers.query(), part * 64,
                        first + each * 64, head, batch);
        const auto ask = [&](bool values, int i, const CUtensorMap& map, std::uint32_t tilesAt) {
            const int stage = i % stages;
            if (i >= stages)
                waitFor(barriers.empty(values, stage), (i / stages - 1) % 2);
            arriveExpecting(barriers.full(values, stage), Tiling::keyBytes);
            for (int part = 0; part < parts; ++part)
                copyBox(tilesAt + stage * Tiling::keyBytes + part * keys * 128, &map, barriers.full(values, stage),
                        part * 64, (tiles - 1 - i) * keys, head, batch);
        };
        for (int i = 0; i < tiles; ++i) {
            ask(false, i, arguments.k, tilesK);
            ask(true, i, arguments.v, tilesV);
        }
        return;
    }

    growRegisters<240>();
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32, pair = lane % 4 * 2;
    const int row = first + group * 64 + warp * 16 + lane / 4;  // and row + 8
    const std::uint32_t ownQ = tileQ + group * 64 * d * 2;
    float out[d / 2] = {};
    float maximum[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};
    float scores[keys / 2];
    std::uint32_t weights[keys / 16][4];

    const auto startScores = [&](int i) {
        const std::uint32_t tileK = tilesK + i % stages * Tiling::keyBytes;
        beginProducts();
#pragma unroll
        for (int step = 0; step < d / 16; ++step)
            WarpgroupProduct<T, keys>::shared(
                scores, tileDescriptor(ownQ + step / 4 * 64 * 128 + step % 4 * 32),
                tileDescriptor(tileK + step / 4 * keys * 128 + step % 4 * 32), step > 0);
        commitProducts();
    };
    const auto startValues = [&](int i) {
        const std::uint32_t tileV = tilesV + i % stages * Tiling::keyBytes;
        beginProducts();
#pragma unroll
        for (int step = 0; step < keys / 16; ++step)
            WarpgroupProduct<T, d>::registers(out, weights[step], tileDescriptor(tileV + step * 2048, keys * 128));
        commitProducts();
    };
    const auto release = [&](bool values, int i) {
        if (threadIdx.x % 128 == 0)
            arrive(barriers.empty(values, i % stages));
    };
    /// The scores become weights; gives what the output so far is multiplied by.
    const auto softmax = [&](int i, float(&rescale)[2]) {
        const int firstKey = (tiles - 1 - i) * keys;
        if (firstKey + keys > length || (causal && firstKey + keys - 1 > first + group * 64)) {
#pragma unroll
            for (int j = 0; j < keys / 2; ++j) {
                const int key = firstKey + j / 4 * 8 + pair + j % 2;
                if (key >= length || (causal && key > row + j % 4 / 2 * 8))
                    scores[j] = -INFINITY;
            }
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float raised = maximum[half];
#pragma unroll
            for (int j = half * 2; j < keys / 2; j += 4)
                raised = fmaxf(raised, fmaxf(scores[j], scores[j + 1]));
            raised = fmaxf(raised, __shfl_xor_sync(~0u, raised, 1));
            raised = fmaxf(raised, __shfl_xor_sync(~0u, raised, 2));
            const float offset = raised == -INFINITY ? 0 : raised * arguments.scale;
            rescale[half] = exp2Fast(maximum[half] * arguments.scale - offset);
            maximum[half] = raised;
            float added = 0;
#pragma unroll
            for (int j = half * 2; j < keys / 2; j += 4)
#pragma unroll
                for (int k = j; k < j + 2; ++k) {
                    scores[k] = exp2Fast(scores[k] * arguments.scale - offset);
                    added += scores[k];
                }
            sum[half] = sum[half] * rescale[half] + added;
        }
    };
    const auto packWeights = [&] {
#pragma unroll
        for (int step = 0; step < keys / 16; ++step)
#pragma unroll
            for (int j = 0; j < 4; ++j)
                weights[step][j] = pack<T>(scores[step * 8 + j * 2], scores[step * 8 + j * 2 + 1]);
    };

    using enum ClockedPhase;
    TileClock<128, false, Clock...> clock(128, clocks...);
    clock.beginTile((batch * arguments.heads + head) * gridDim.x + first / Tiling::queries, tiles + 1);
    // Whose turn it is to start products: barrier 1 + group.
    if (group == 0)
        announce(1, 256);
    waitFor(barriers.query(), 0);
    waitFor(barriers.full(false, 0), 0);
    clock.pass(kLoad, kProducts);
    float rescale[2];
    meet(1 + group, 256);
    startScores(0);
    announce(2 - group, 256);
    waitForProducts<0>();
    pin(scores);
    clock.pass(kProducts, kSoftmax);
    release(false, 0);
    softmax(0, rescale);
    packWeights();
    clock.endRound(kSoftmax, kLoad);
    for (int i = 1; i < tiles; ++i) {
        waitFor(barriers.full(false, i % stages), i / stages % 2);
        clock.pass(kLoad, kProducts);
        meet(1 + group, 256);
        pin(scores);
        startScores(i);
        clock.pass(kProducts, kLoad);
        waitFor(barriers.full(true, (i - 1) % stages), (i - 1) / stages % 2);
        clock.pass(kLoad, kProducts);
        pin(out);
        startValues(i - 1);
        announce(2 - group, 256);
        waitForProducts<1>();
        pin(scores);
        clock.pass(kProducts, kSoftmax);
        release(false, i);
        softmax(i, rescale);
        clock.pass(kSoftmax, kProducts);
        waitForProducts<0>();
        pin(out);
        clock.pass(kProducts, kSoftmax);
        release(true, i - 1);
        packWeights();
#pragma unroll
        for (int j = 0; j < d / 2; ++j)
            out[j] *= rescale[j % 4 / 2];
        clock.endRound(kSoftmax, kLoad);
    }
    waitFor(barriers.full(true, (tiles - 1) % stages), (tiles - 1) / stages % 2);
    clock.pass(kLoad, kProducts);
    pin(out);
    startValues(tiles - 1);
    waitForProducts<0>();
    pin(out);
    clock.pass(kProducts, kStore);
    if (group == 0)
        meet(1, 256);  // the last turn, which nobody takes

    // Over q's own rows, in 16-byte pieces whose place depends on the row, so that no two rows' share a bank.
    T* const staged = reinterpret_cast<T*>(shared) + (group * 64 + warp * 16) * d;
    constexpr int kPieces = d / 8;
    float* const logSumExp = arguments.logSumExp + (static_cast<std::int64_t>(batch) * arguments.heads + head) * length;
    asm volatile("bar.sync %0, 128;" ::"r"(3 + group) : "memory");  // all of the group have read q
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float total = sum[half];
        total += __shfl_xor_sync(~0u, total, 1);
        total += __shfl_xor_sync(~0u, total, 2);
        const float inverse = 1 / total;
        const int local = lane / 4 + half * 8;
        if (pair == 0 && row + half * 8 < length)
            logSumExp[row + half * 8] = logSumExpOf(maximum[half], total, arguments.scale);
#pragma unroll
        for (int piece = 0; piece < kPieces; ++piece)
            *reinterpret_cast<std::uint32_t*>(staged + local * d + (piece ^ local % 8) * 8 + pair) =
                pack<T>(out[piece * 4 + half * 2] * inverse, out[piece * 4 + half * 2 + 1] * inverse);
    }
    __syncwarp();
    const HeadRows<T> output(arguments.output, batch, head);
#pragma unroll
    for (int i = lane; i < 16 * kPieces; i += 32) {
        const int local = i / kPieces, piece = i % kPieces, query = first + group * 64 + warp * 16 + local;
        if (query < length)
            *reinterpret_cast<uint4*>(output.row(query) + piece * 8) =
                *reinterpret_cast<const uint4*>(staged + local * d + (piece ^ local % 8) * 8);
    }
    clock.endRound(kStore, kStore);
    clock.endTile();
#endif
}

}  // namespace warpglass::kernels
