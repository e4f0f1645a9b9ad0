// FlashAttention-2's backward pass. One thread block takes a tile of keys of one head and walks over the
// queries that see it. Scores are computed transposed, a warp holding 16 keys against all queries of the
// tile, so that what a product leaves in registers is already the operand of the next: dV += Pᵀ dO and dK +=
// dSᵀ Q need no trip through shared memory. Only dQ = dS K, a sum over keys, takes dSᵀ from shared memory,
// and is added to global memory.
#pragma once

#include "engine/kernels/attention_tiles.cuh"
#include "engine/kernels/flash_forward.cuh"

namespace warpglass::kernels {

struct BackwardArguments {
    HeadTensor q, k, v, output, outputGradient, qGradient, kGradient, vGradient;
    const float* logSumExp;
    float *delta, *queryGradient;
    int heads, length;
    float scale;
    bool deterministic;

    /// Where a head's rows begin in logSumExp and delta.
    __device__ std::int64_t firstRow(int batch, int head) const {
        return (static_cast<std::int64_t>(batch) * heads + head) * length;
    }
};

/// The order in which thread blocks add to q's gradient where it has to be the same in every run. Until the
/// last kernel writes q's gradient, its rows hold the counts that this takes: the first row of each tile of
/// queries how many tiles of keys have been added, the very first row also how many items of work have been
/// taken. Blocks number themselves as they start, so that none waits for one that could start after it.
struct BackwardOrder {
    const BackwardArguments& arguments;

    __device__ explicit BackwardOrder(const BackwardArguments& of) : arguments(of) {}

    __device__ int* counts(int batch, int head, int row) const {
        return reinterpret_cast<int*>(HeadRows<std::uint16_t>(arguments.qGradient, batch, head).row(row));
    }
    /// How many tiles of keys have been added for the tile of queries that begins at `row`; a second count
    /// follows for the half that Hopper's second warpgroup adds.
    __device__ int* added(int batch, int head, int row) const { return counts(batch, head, row); }
    __device__ int* itemsTaken() const { return counts(0, 0, 0) + 2; }
    __device__ void clear(int batch, int head, int row) const {
        if (row % 32 == 0)
            *reinterpret_cast<int4*>(counts(batch, head, row)) = make_int4(0, 0, 0, 0);
    }
    /// Between counts of rows so far apart.
    __device__ std::int64_t stride(int rows) const { return arguments.qGradient.rowStride * rows / 2; }
    /// How many tiles of keys are added before this one: all with smaller keys or, where causal, all with
    /// larger keys that these queries see. In that order no block has to wait before its first addition.
    template <bool causal>
    __device__ static int turn(int keyTile, int keys, int firstQuery) {
        return causal ? firstQuery / keys - keyTile : keyTile;
    }
    __device__ static void await(const int* added, int turn) {
        int seen;
        do
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(added) : "memory");
        while (seen != turn);
    }
    __device__ static void pass(int* added) {
        asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(added) : "memory");
    }
};

/// delta = rowsum(dO ∘ O), a warp to a row. Clears the order's counts.
template <class T, int d>
__global__ void __launch_bounds__(256) flashDeltaKernel(const BackwardArguments arguments) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    const int head = blockIdx.y, batch = blockIdx.z;
    if (row >= arguments.length)
        return;
    const T* const output = HeadRows<const T>(arguments.output, batch, head).row(row);
    const T* const gradient = HeadRows<const T>(arguments.outputGradient, batch, head).row(row);
    float sum = 0;
    for (int i = lane * 2; i < d; i += 64)
        sum += static_cast<float>(output[i]) * static_cast<float>(gradient[i]) +
               static_cast<float>(output[i + 1]) * static_cast<float>(gradient[i + 1]);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
    if (lane == 0) {
        arguments.delta[arguments.firstRow(batch, head) + row] = sum;
        if (arguments.deterministic)
            BackwardOrder(arguments).clear(batch, head, row);
    }
}

/// queryRows: rows of q and dO in a tile; stages: tiles in flight.
template <int headDimension, int warpCount, int queryRows, int stageCount>
struct BackwardTiling {
    static constexpr int d = headDimension, warps = warpCount, queries = queryRows, stages = stageCount;
    static constexpr int threads = warps * 32, keys = warps * 16;
    static constexpr int stride = kTileStride<d>, scoreStride = queries + 8;
    /// k and v's operands stay in registers where there is room.
    static constexpr bool keepsOperands = d <= 64;
    static constexpr int tileBytes = queries * stride * 2;
    static constexpr int bytes =
        2 * keys * stride * 2 + stages * 2 * tileBytes + keys * scoreStride * 2 + stages * 2 * queries * 4 +
        16;
};

template <class T>
__device__ inline void addTo(float* to, float first, float second) {
#if __CUDA_ARCH__ >= 900
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(first), "f"(second) : "memory");
#else
    atomicAdd(to, first);
    atomicAdd(to + 1, second);
#endif
}

/// Starts the copy of logSumExp and delta for a tile of queries. Past the end both are 0, as q and dO are:
/// such queries add nothing to any gradient.
template <int queries, int threads>
__device__ inline void startStatistics(std::uint32_t logSumExp, std::uint32_t delta,
                                       const BackwardArguments& arguments, std::int64_t firstRow, int first) {
    for (int i = threadIdx.x; i < queries; i += threads) {
        const bool present = first + i < arguments.length;
        const std::int64_t row = firstRow + (present ? first + i : 0);
        copyWordAsync(logSumExp + i * 4, arguments.logSumExp + row, present);
        copyWordAsync(delta + i * 4, arguments.delta + row, present);
    }
}

template <class T, class Tiling, bool causal, bool deterministic, class... Clock>
__global__ void __launch_bounds__(Tiling::threads, 1)
    flashBackwardKernel(const BackwardArguments arguments, Clock... clocks) {
    constexpr int d = Tiling::d, stride = Tiling::stride, scoreStride = Tiling::scoreStride;
    constexpr int queries = Tiling::queries, keys = Tiling::keys, threads = Tiling::threads;
    constexpr int kSteps = d / 16, kQueryTiles = queries / 8, kOutTiles = d / 8;
    extern __shared__ __align__(16) unsigned char shared[];
    const std::uint32_t tileK = sharedAddress(shared), tileV = tileK + keys * stride * 2,
                        tilesQ = tileV + keys * stride * 2,
                        tilesG = tilesQ + Tiling::stages * Tiling::tileBytes,
                        tileS = tilesG + Tiling::stages * Tiling::tileBytes;
    T* const scoreTile = reinterpret_cast<T*>(shared + (tileS - tileK));
    float* const logSumExps = reinterpret_cast<float*>(scoreTile + keys * scoreStride);
    float* const deltas = logSumExps + Tiling::stages * queries;

    const int length = arguments.length;
    // This block's tile of keys, head and batch, in shared memory because no register is left for them.
    volatile int* const place = reinterpret_cast<int*>(deltas + Tiling::stages * queries);
    if (threadIdx.x == 0) {
        int keyTile = blockIdx.x, head = blockIdx.y, batch = blockIdx.z;
        if constexpr (deterministic) {
            const int number = atomicAdd(BackwardOrder(arguments).itemsTaken(), 1), keyTiles = gridDim.x;
            // Where causal, every addition waits for that of the next tile of keys, so that tile comes first.
            keyTile = causal ? keyTiles - 1 - number % keyTiles : number % keyTiles;
            head = number / keyTiles % arguments.heads;
            batch = number / keyTiles / arguments.heads;
        }
        place[0] = keyTile;
        place[1] = head;
        place[2] = batch;
    }
    __syncthreads();
    const int firstKey = place[0] * keys, head = place[1], batch = place[2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
    const HeadRows<const T> q(arguments.q, batch, head), k(arguments.k, batch, head),
        v(arguments.v, batch, head), gradient(arguments.outputGradient, batch, head);
    const std::int64_t firstRow = arguments.firstRow(batch, head);
    float* const queryGradient = arguments.queryGradient + firstRow * d;

    const auto startQueries = [&](int tile) {
        const int stage = tile % Tiling::stages, first = tile * queries;
        startTile<T, d, queries, threads>(tilesQ + stage * Tiling::tileBytes, q, first, length);
        startTile<T, d, queries, threads>(tilesG + stage * Tiling::tileBytes, gradient, first, length);
        startStatistics<queries, threads>(sharedAddress(logSumExps + stage * queries),
                                          sharedAddress(deltas + stage * queries), arguments, firstRow,
                                          first);
        commitCopies();
    };

    const int tiles = (length + queries - 1) / queries;
    int tile = causal ? firstKey / queries : 0;
    using enum ClockedPhase;
    TileClock<threads, d <= 64, Clock...> clock(0, clocks...);
    clock.beginTile((batch * arguments.heads + head) * gridDim.x + firstKey / keys, tiles - tile + 1);
    startTile<T, d, keys, threads>(tileK, k, firstKey, length);
    startTile<T, d, keys, threads>(tileV, v, firstKey, length);
    startQueries(tile);

    FragmentA heldK[Tiling::keepsOperands ? kSteps : 1], heldV[Tiling::keepsOperands ? kSteps : 1];
    if constexpr (Tiling::keepsOperands) {
        waitForCopies<0>();
        __syncthreads();
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            loadMatrices(heldK[step], addressA<stride>(tileK, warp * 16, step * 16));
            loadMatrices(heldV[step], addressA<stride>(tileV, warp * 16, step * 16));
        }
    }

    Accumulator dK[kOutTiles] = {}, dV[kOutTiles] = {};
    for (; tile < tiles; ++tile) {
        waitForCopies<0>();
        __syncthreads();
        clock.pass(kLoad, kProducts);
        if constexpr (Tiling::stages > 1) {
            if (tile + 1 < tiles)
                startQueries(tile + 1);
        }
        const int stage = tile % Tiling::stages, first = tile * queries;
        const std::uint32_t tileQ = tilesQ + stage * Tiling::tileBytes,
                            tileG = tilesG + stage * Tiling::tileBytes;
        const float* const logSumExp = logSumExps + stage * queries;
        const float* const delta = deltas + stage * queries;

        // Sᵀ = K Qᵀ.
        Accumulator p[kQueryTiles] = {};
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            FragmentA a;
            if constexpr (Tiling::keepsOperands) {
                for (int i = 0; i < 4; ++i)
                    a[i] = heldK[step][i];
            } else {
                loadMatrices(a, addressA<stride>(tileK, warp * 16, step * 16));
            }
#pragma unroll
            for (int column = 0; column < kQueryTiles; column += 2) {
                std::uint32_t operand[4];
                loadMatrices(operand, addressB<stride>(tileQ, column * 8, step * 16));
                multiplyAdd<T>(p[column], a, operand[0], operand[1]);
                multiplyAdd<T>(p[column + 1], a, operand[2], operand[3]);
            }
        }
        // dPᵀ = V dOᵀ.
        Accumulator ds[kQueryTiles] = {};
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            FragmentA a;
            if constexpr (Tiling::keepsOperands) {
                for (int i = 0; i < 4; ++i)
                    a[i] = heldV[step][i];
            } else {
                loadMatrices(a, addressA<stride>(tileV, warp * 16, step * 16));
            }
#pragma unroll
            for (int column = 0; column < kQueryTiles; column += 2) {
                std::uint32_t operand[4];
                loadMatrices(operand, addressB<stride>(tileG, column * 8, step * 16));
                multiplyAdd<T>(ds[column], a, operand[0], operand[1]);
                multiplyAdd<T>(ds[column + 1], a, operand[2], operand[3]);
            }
        }
        clock.pass(kProducts, kSoftmax);
        // Pᵀ = exp(Sᵀ − logSumExp).
        if ((causal && first < firstKey + warp * 16 + 15) || firstKey + keys > length) {
            const int key = firstKey + warp * 16 + group;
#pragma unroll
            for (int column = 0; column < kQueryTiles; ++column)
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const int query = first + column * 8 + pair + i % 2, its = key + i / 2 * 8;
                    if (its >= length || (causal && its > query))
                        p[column][i] = -INFINITY;
                }
        }
#pragma unroll
        for (int column = 0; column < kQueryTiles; ++column) {
            float2 statistic = *reinterpret_cast<const float2*>(logSumExp + column * 8 + pair);
            statistic.x *= kLog2E;
            statistic.y *= kLog2E;
#pragma unroll
            for (int i = 0; i < 4; ++i)
                p[column][i] =
                    exp2Fast(p[column][i] * arguments.scale - (i % 2 == 0 ? statistic.x : statistic.y));
        }

        // dSᵀ = Pᵀ ∘ (dPᵀ − delta). Both become operands of 16 bits; dSᵀ goes to shared memory as well.
        FragmentA weights[queries / 16], scoreGradients[queries / 16];
#pragma unroll
        for (int step = 0; step < queries / 16; ++step) {
            asOperand<T>(weights[step], p[2 * step], p[2 * step + 1]);
#pragma unroll
            for (int column = 2 * step; column < 2 * step + 2; ++column) {
                const float2 statistic = *reinterpret_cast<const float2*>(delta + column * 8 + pair);
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    ds[column][i] = p[column][i] * (ds[column][i] - (i % 2 == 0 ? statistic.x : statistic.y));
            }
            FragmentA& a = scoreGradients[step];
            asOperand<T>(a, ds[2 * step], ds[2 * step + 1]);
            std::uint32_t* const row = reinterpret_cast<std::uint32_t*>(
                scoreTile + (warp * 16 + group) * scoreStride + step * 16 + pair);
            row[0] = a[0];
            row[4 * scoreStride] = a[1];
            row[4] = a[2];
            row[4 * scoreStride + 4] = a[3];
        }

        clock.pass(kSoftmax, kProducts);
        // dV += Pᵀ dO, dK += dSᵀ Q.
#pragma unroll
        for (int step = 0; step < queries / 16; ++step) {
#pragma unroll
            for (int column = 0; column < kOutTiles; column += 2) {
                std::uint32_t operand[4];
                loadTransposed(operand, addressTransposedB<stride>(tileG, step * 16, column * 8));
                multiplyAdd<T>(dV[column], weights[step], operand[0], operand[1]);
                multiplyAdd<T>(dV[column + 1], weights[step], operand[2], operand[3]);
            }
        }
        if constexpr (Tiling::stages > 1)
            __syncthreads();
#pragma unroll
        for (int step = 0; step < queries / 16; ++step) {
#pragma unroll
            for (int column = 0; column < kOutTiles; column += 2) {
                std::uint32_t operand[4];
                loadTransposed(operand, addressTransposedB<stride>(tileQ, step * 16, column * 8));
                multiplyAdd<T>(dK[column], scoreGradients[step], operand[0], operand[1]);
                multiplyAdd<T>(dK[column + 1], scoreGradients[step], operand[2], operand[3]);
            }
        }
        if constexpr (Tiling::stages == 1) {
            __syncthreads();
            if (tile + 1 < tiles)
                startQueries(tile + 1);
        }

        // dQ += dS K: 16 queries to a warp, its columns shared among the warps that have the same queries.
        constexpr int kRowBlocks = queries / 16, kSharing = Tiling::warps / kRowBlocks;
        const int rowBlock = warp % kRowBlocks;
        constexpr int kPairs = (d / 16 + kSharing - 1) / kSharing;
        Accumulator dQ[2 * kPairs] = {};
#pragma unroll
        for (int step = 0; step < keys / 16; ++step) {
            FragmentA a;
            loadTransposed(a, addressTransposedA<scoreStride>(tileS, step * 16, rowBlock * 16));
#pragma unroll
            for (int i = 0; i < kPairs; ++i) {
                const int column = (warp / kRowBlocks + i * kSharing) * 16;
                if (column < d) {
                    std::uint32_t operand[4];
                    loadTransposed(operand, addressTransposedB<stride>(tileK, step * 16, column));
                    multiplyAdd<T>(dQ[2 * i], a, operand[0], operand[1]);
                    multiplyAdd<T>(dQ[2 * i + 1], a, operand[2], operand[3]);
                }
            }
        }
        clock.pass(kProducts, kStore);
        if constexpr (deterministic) {
            const BackwardOrder order(arguments);
            if (threadIdx.x == 0)
                order.await(order.added(place[2], place[1], first),
                            order.turn<causal>(place[0], keys, first));
            __syncthreads();
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int query = first + rowBlock * 16 + group + half * 8;
            if (query >= length)
                continue;
#pragma unroll
            for (int i = 0; i < kPairs; ++i) {
                const int column = (warp / kRowBlocks + i * kSharing) * 16;
                if (column < d) {
                    float* const to = queryGradient + static_cast<std::int64_t>(query) * d + column + pair;
                    addTo<T>(to, dQ[2 * i][half * 2], dQ[2 * i][half * 2 + 1]);
                    addTo<T>(to + 8, dQ[2 * i + 1][half * 2], dQ[2 * i + 1][half * 2 + 1]);
                }
            }
        }
        if constexpr (deterministic) {
            const BackwardOrder order(arguments);
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0)
                order.pass(order.added(place[2], place[1], first));
        }
        clock.endRound(kStore, tile + 1 < tiles ? kLoad : kStore);
    }

    // Gradients of k and v through the tiles of k and v, a warp its own rows.
    __syncthreads();
    const float scale = arguments.scale * kLn2;
    T* const stagedK = reinterpret_cast<T*>(shared);
    T* const stagedV = stagedK + keys * stride;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int row = (warp * 16 + group + half * 8) * stride + pair;
#pragma unroll
        for (int column = 0; column < kOutTiles; ++column) {
            *reinterpret_cast<std::uint32_t*>(stagedK + row + column * 8) =
                pack<T>(dK[column][half * 2] * scale, dK[column][half * 2 + 1] * scale);
            *reinterpret_cast<std::uint32_t*>(stagedV + row + column * 8) =
                pack<T>(dV[column][half * 2], dV[column][half * 2 + 1]);
        }
    }
    __syncwarp();
    const HeadRows<T> toK(arguments.kGradient, place[2], place[1]),
        toV(arguments.vGradient, place[2], place[1]);
    constexpr int kPieces = d / 8;
    for (int piece = lane; piece < 16 * kPieces; piece += 32) {
        const int row = warp * 16 + piece / kPieces, column = piece % kPieces * 8;
        if (firstKey + row < length) {
            *reinterpret_cast<uint4*>(toK.row(firstKey + row) + column) =
                *reinterpret_cast<const uint4*>(stagedK + row * stride + column);
            *reinterpret_cast<uint4*>(toV.row(firstKey + row) + column) =
                *reinterpret_cast<const uint4*>(stagedV + row * stride + column);
        }
    }
    clock.endRound(kStore, kStore);
    clock.endTile();
}

/// q's gradient, added up in fp32, times the scale, in 16 bits.
template <class T, int d>
__global__ void __launch_bounds__(256) flashQueryGradientKernel(const BackwardArguments arguments) {
    constexpr int kPieces = d / 4;
    const int head = blockIdx.y, batch = blockIdx.z;
    const int piece = blockIdx.x * 256 + threadIdx.x, row = piece / kPieces, column = piece % kPieces * 4;
    if (row >= arguments.length)
        return;
    const float4 sum = *reinterpret_cast<const float4*>(arguments.queryGradient +
                                                        (arguments.firstRow(batch, head) + row) * d + column);
    const float scale = arguments.scale * kLn2;
    const uint2 packed{pack<T>(sum.x * scale, sum.y * scale), pack<T>(sum.z * scale, sum.w * scale)};
    *reinterpret_cast<uint2*>(HeadRows<T>(arguments.qGradient, batch, head).row(row) + column) = packed;
}

}  // namespace warpglass::kernels
