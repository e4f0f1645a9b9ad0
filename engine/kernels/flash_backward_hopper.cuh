// FlashAttention-2's backward pass in Hopper's own instructions, for head dimensions 64 and 128. As in flash_backward.cuh,
// scores are computed transposed, so that Pᵀ and dSᵀ are operands of the next products where they lie in registers, and dSᵀ
// goes through shared memory for dQ = dS K alone. Thread blocks stay and take tiles of keys one after another. In each, one
// warp asks for tiles and one loads logSumExp and delta; two warpgroups compute, each with 64 of the keys for k's and v's
// gradients and with a 64 × 64 part of q's; two warps have those parts added to global memory by the copy engine. The roles,
// and the tiles of 128 × 128 and 64 × 128, are those of Shah et al., "FlashAttention-3" (arXiv 2407.08608), section 3.1 and
// appendix B, and of its published code.
#pragma once

#include <cuda.h>

#include "engine/kernels/flash_backward.cuh"
#include "engine/kernels/hopper.cuh"

namespace warpglass::kernels {

struct HopperBackwardArguments {
    /// (column, row, head, batch); boxes of 64 columns and a tile's rows.
    CUtensorMap q, k, v, outputGradient;
    BackwardArguments rows;
    int batches;
    /// So many heads have one tile of keys each done before the next tile of any of them.
    int headsTogether;
};

template <int headDimension>
struct HopperBackwardTiling {
    static constexpr int d = headDimension, keys = 128, queries = d == 64 ? 128 : 64, stages = 2;
    static constexpr int threads = 384;
    static constexpr int parts = d / 64;  // a tile is so many boxes side by side
    static constexpr int keyBytes = keys * d * 2, queryBytes = queries * d * 2, scoreBytes = keys * queries * 2;
    static constexpr int sumBytes = 64 * 64 * 4;  // a warpgroup's part of q's gradient
    static constexpr int scoresAt = 2 * keyBytes + 2 * stages * queryBytes, sumsAt = scoresAt + stages * scoreBytes;
    static constexpr int statisticsAt = sumsAt + 2 * sumBytes, barriersAt = statisticsAt + 2 * stages * queries * 4;
    /// Tiles begin at a multiple of 1,024 bytes.
    static constexpr int bytes = barriersAt + 8 * 21 + 1024;
};

/// A full and an empty barrier of each thing that warps hand to each other. Those of two stages take turns.
///
/// Why nothing in shared memory is written while it is read. A writer waits until the turn before is empty, writes, and arrives
/// at `full`; a reader waits for `full`, reads, and arrives at `empty`. An arrival releases what its thread did before, and
/// after __syncwarp() what its warp did; a completed wait acquires that. So a read comes after the writes of its turn and
/// before those of the next turn in its stage:
///
///     full, empty  written by                                   read by, until it arrives at `empty`
///     query        copies of q; warp 1's lanes: logSumExp       scores (q), exp(Sᵀ − logSumExp), dK += dSᵀ Q (q)
///     gradient     copies of dO; warp 1's lanes: delta          dPᵀ = V dOᵀ (dO), dSᵀ (delta), dV += Pᵀ dO (dO)
///     key          copies of k                                  scores, dQ = dS K
///     value        copies of v                                  dPᵀ; then each warp's own rows, which hold its results
///     score        both warpgroups: dSᵀ                         dQ = dS K
///     item         warp 0: an item's number                     the other warps
///
/// A wait knows its turn by parity alone, and cannot take it for the one after the next: before a barrier's next phase comes
/// one of its partner, which needs an arrival of each warp that waits for this one. `full` needs all that write in a turn: 33
/// arrivals are the 32 lanes' and the one that announces the copies' bytes, and the phase ends when these bytes have come, too.
/// Products and copies go by the asynchronous proxy. What others wrote before it reads there (dSᵀ, and sums, which the named
/// barriers hand over) or writes there (v's tile) is behind fenceTiles() of each thread that wrote; what it read has been read
/// at waitForProducts() and waitForReads(), which come before the arrival.
///
/// Copies write below scoresAt, and the statistics lie at statisticsAt, above: no copy and no access to a statistic have a byte
/// in common, in whatever order they run.
struct BackwardBarriers {
    std::uint32_t first;

    __device__ std::uint32_t itemFull(int turn) const { return first + 8 * (turn % 2); }
    __device__ std::uint32_t itemEmpty(int turn) const { return first + 8 * (2 + turn % 2); }
    __device__ std::uint32_t keyFull() const { return first + 8 * 4; }
    __device__ std::uint32_t keyEmpty() const { return first + 8 * 5; }
    __device__ std::uint32_t valueFull() const { return first + 8 * 6; }
    __device__ std::uint32_t valueEmpty() const { return first + 8 * 7; }
    __device__ std::uint32_t queryFull(int turn) const { return first + 8 * (8 + turn % 2); }
    __device__ std::uint32_t queryEmpty(int turn) const { return first + 8 * (10 + turn % 2); }
    __device__ std::uint32_t gradientFull(int turn) const { return first + 8 * (12 + turn % 2); }
    __device__ std::uint32_t gradientEmpty(int turn) const { return first + 8 * (14 + turn % 2); }
    __device__ std::uint32_t scoreFull(int turn) const { return first + 8 * (16 + turn % 2); }
    __device__ std::uint32_t scoreEmpty(int turn) const { return first + 8 * (18 + turn % 2); }
    /// The numbers of the two items.
    __device__ std::uint32_t item(int turn) const { return first + 8 * 20 + 4 * (turn % 2); }

    __device__ void init() const {
        for (int turn = 0; turn < 2; ++turn) {
            initBarrier(itemFull(turn), 1);
            initBarrier(itemEmpty(turn), 11);  // warps, all but the one that asks; 8 are those that compute
            initBarrier(queryFull(turn), 33);  // the copy, and the lanes that load logSumExp
            initBarrier(queryEmpty(turn), 8);
            initBarrier(gradientFull(turn), 33);
            initBarrier(gradientEmpty(turn), 8);
            initBarrier(scoreFull(turn), 8);
            initBarrier(scoreEmpty(turn), 8);
        }
        initBarrier(keyFull(), 1);
        initBarrier(keyEmpty(), 8);
        initBarrier(valueFull(), 1);
        initBarrier(valueEmpty(), 8);
    }
};
/// Until what two stages' barrier announces has happened for this turn, or for the turn before in this stage.
__device__ inline void waitForTurn(std::uint32_t barrier, int turn) { waitFor(barrier, turn / 2 % 2); }
__device__ inline void waitForTurnBefore(std::uint32_t barrier, int turn) {
    if (turn >= 2)
        waitFor(barrier, (turn / 2 - 1) % 2);
}

/// A tile of keys of one head, and the tiles of queries that see it.
template <class Tiling, bool causal>
struct BackwardItem {
    int keyTile, head, batch, firstKey, firstTile, tiles;

    __device__ BackwardItem(const HopperBackwardArguments& arguments, int number) {
        const int length = arguments.rows.length, keyTiles = (length + Tiling::keys - 1) / Tiling::keys;
        const int group = number / (arguments.headsTogether * keyTiles) * arguments.headsTogether;
        const int together = min(arguments.headsTogether, arguments.rows.heads * arguments.batches - group);
        number -= group * keyTiles;
        keyTile = number / together;
        // Where causal, every addition waits for that of the next tile of keys, so that tile comes first.
        if (causal && arguments.rows.deterministic)
            keyTile = keyTiles - 1 - keyTile;
        head = (group + number % together) % arguments.rows.heads;
        batch = (group + number % together) / arguments.rows.heads;
        firstKey = keyTile * Tiling::keys;
        firstTile = causal ? firstKey / Tiling::queries : 0;
        tiles = (length + Tiling::queries - 1) / Tiling::queries - firstTile;
    }
    __device__ static int count(const HopperBackwardArguments& arguments) {
        return (arguments.rows.length + Tiling::keys - 1) / Tiling::keys * arguments.rows.heads * arguments.batches;
    }
};

template <class T, int d, bool causal, class... Clock>
__global__ void __launch_bounds__(HopperBackwardTiling<d>::threads, 1)
    flashBackwardHopperKernel(const __grid_constant__ HopperBackwardArguments arguments,
                              Clock... clocks) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    using Tiling = HopperBackwardTiling<d>;
    using Item = BackwardItem<Tiling, causal>;
    constexpr int keys = Tiling::keys, queries = Tiling::queries, parts = Tiling::parts;
    extern __shared__ unsigned char unaligned[];
    unsigned char* const shared = unaligned + (1024 - sharedAddress(unaligned) % 1024) % 1024;
    const std::uint32_t tileK = sharedAddress(shared), tileV = tileK + Tiling::keyBytes, tilesQ = tileV + Tiling::keyBytes,
                        tilesG = tilesQ + Tiling::stages * Tiling::queryBytes, tilesS = tileK + Tiling::scoresAt;
    float* const logSumExps = reinterpret_cast<float*>(shared + Tiling::statisticsAt);
    float* const deltas = logSumExps + Tiling::stages * queries;
    const BackwardBarriers barriers{tileK + Tiling::barriersAt};
    const int length = arguments.rows.length, items = Item::count(arguments);
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const int group = __shfl_sync(~0u, threadIdx.x / 128, 0) - 1;  // −1 asks, loads and adds

    if (threadIdx.x == 0) {
        barriers.init();
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    const auto takeItem = [&](int turn) {
        waitForTurn(barriers.itemFull(turn), turn);
        int number;
        asm volatile("ld.shared.s32 %0, [%1];" : "=r"(number) : "r"(barriers.item(turn)) : "memory");
        __syncwarp();
        if (lane == 0)
            arrive(barriers.itemEmpty(turn));
        return number;
    };
    // Named barriers: two between a warpgroup and the warp that has its sums added, and one of the warpgroup alone.
    constexpr int kSumsFull = 1, kSumsEmpty = 3, kGroup = 5;

    if (group < 0) {
        shrinkRegisters<24>();
        if (warp == 0) {
            if (lane != 0)
                return;
            int* const taken = BackwardOrder(arguments.rows).itemsTaken();
            for (int turn = 0, step = 0;; ++turn) {
                waitForTurnBefore(barriers.itemEmpty(turn), turn);
                const int number = atomicAdd(taken, 1);
                asm volatile("st.shared.s32 [%0], %1;" ::"r"(barriers.item(turn)), "r"(number) : "memory");
                arrive(barriers.itemFull(turn));
                if (number >= items)
                    return;
                const Item item(arguments, number);
                const auto ask = [&](const CUtensorMap& map, std::uint32_t tile, std::uint32_t barrier, int rows, int first) {
                    arriveExpecting(barrier, rows * d * 2);
                    for (int part = 0; part < parts; ++part)
                        copyBox(tile + part * rows * 128, &map, barrier, part * 64, first, item.head, item.batch);
                };
#pragma unroll 1
                for (int i = 0; i < item.tiles; ++i, ++step) {
                    const int first = (item.firstTile + i) * queries;
                    waitForTurnBefore(barriers.queryEmpty(step), step);
                    ask(arguments.q, tilesQ + step % 2 * Tiling::queryBytes, barriers.queryFull(step), queries, first);
                    if (i == 0) {
                        if (turn > 0)
                            waitFor(barriers.keyEmpty(), (turn - 1) % 2);
                        ask(arguments.k, tileK, barriers.keyFull(), keys, item.firstKey);
                    }
                    waitForTurnBefore(barriers.gradientEmpty(step), step);
                    ask(arguments.outputGradient, tilesG + step % 2 * Tiling::queryBytes, barriers.gradientFull(step), queries,
                        first);
                    if (i == 0) {
                        if (turn > 0)
                            waitFor(barriers.valueEmpty(), (turn - 1) % 2);
                        ask(arguments.v, tileV, barriers.valueFull(), keys, item.firstKey);
                    }
                }
            }
        } else if (warp == 1) {
            constexpr int kEach = queries / 32;
            for (int turn = 0, step = 0;; ++turn) {
                const int number = takeItem(turn);
                if (number >= items)
                    return;
                const Item item(arguments, number);
                std::int64_t at = arguments.rows.firstRow(item.batch, item.head) + item.firstTile * queries + lane;
                int left = length - item.firstTile * queries - lane;
#pragma unroll 1
                for (; left + lane > 0; left -= queries, at += queries, ++step) {
                    // Past the end both are 0, as q and dO are: such queries add nothing to any gradient.
                    float logSumExp[kEach], delta[kEach];
#pragma unroll
                    for (int j = 0; j < kEach; ++j) {
                        logSumExp[j] = j * 32 < left ? arguments.rows.logSumExp[at + j * 32] * kLog2E : 0;
                        delta[j] = j * 32 < left ? arguments.rows.delta[at + j * 32] : 0;
                    }
                    waitForTurnBefore(barriers.queryEmpty(step), step);
#pragma unroll
                    for (int j = 0; j < kEach; ++j)
                        logSumExps[step % 2 * queries + j * 32 + lane] = logSumExp[j];
                    arrive(barriers.queryFull(step));
                    waitForTurnBefore(barriers.gradientEmpty(step), step);
#pragma unroll
                    for (int j = 0; j < kEach; ++j)
                        deltas[step % 2 * queries + j * 32 + lane] = delta[j];
                    arrive(barriers.gradientFull(step));
                }
            }
        } else {
            const int of = warp - 2;
            const std::uint32_t sums = tileK + Tiling::sumsAt + of * Tiling::sumBytes;
            for (int turn = 0;; ++turn) {
                const int number = takeItem(turn);
                if (number >= items)
                    return;
                const Item item(arguments, number);
                const int first = item.firstTile * queries;
                int left = length - first - (parts == 1 ? of * 64 : 0);
                // A head's sums lie in columns of 64, each with all of its rows, so that a warpgroup's part is in one piece.
                float* to = arguments.rows.queryGradient + arguments.rows.firstRow(item.batch, item.head) * d +
                            (static_cast<std::int64_t>(parts == 1 ? 0 : of) * length + length - left) * 64;
                const BackwardOrder order(arguments.rows);
                int* added = order.added(item.batch, item.head, first) + of;
#pragma unroll 1
                for (int i = 0; i < item.tiles; ++i) {
                    if (i == 0)
                        announce(kSumsEmpty + of, 160);
                    const int bytes = min(left, 64) * 256, before = causal ? i * queries / keys : item.keyTile;
                    const bool adds = lane == 0 && bytes > 0, waits = adds && arguments.rows.deterministic;
                    if (waits) {
                        order.await(added, before);
                        fenceSums();
                    }
                    __syncwarp();
                    meet(kSumsFull + of, 160);
                    if (adds) {
                        if (waits && before == 0)
                            startStoring(to, sums, bytes);
                        else
                            startAdding(to, sums, bytes);
                        commitStores();
                        waitForReads();
                    }
                    __syncwarp();
                    // Not after the last one of all, for which nobody waits.
                    if (i + 1 < item.tiles)
                        announce(kSumsEmpty + of, 160);
                    if (waits) {
                        waitForStores();
                        order.pass(added);
                    }
                    __syncwarp();
                    left -= queries;
                    to += queries * 64;
                    added += order.stride(queries);
                }
            }
        }
        return;
    }

    growRegisters<240>();
    const int pair = lane % 4 * 2;
    const std::uint32_t ownK = tileK + group * 64 * 128, ownV = tileV + group * 64 * 128;
    // Where this lane's row of four 8 × 8 matrices of dSᵀ lies, and what its place in the row is swizzled with.
    const int scoreRow = group * 64 + warp * 16 + lane % 16, swizzle = lane % 8;
    float* const ownSums = reinterpret_cast<float*>(shared + Tiling::sumsAt + group * Tiling::sumBytes);
    float p[queries / 2], ds[queries / 2], dQ[32];
    std::uint32_t weights[queries / 16][4], scoreGradients[queries / 16][4];
    const auto release = [&](std::uint32_t barrier) {
        __syncwarp();
        if (lane == 0)
            arrive(barrier);
    };
    /// Sᵀ = K Qᵀ, or dPᵀ = V dOᵀ.
    const auto startProduct = [&](float(&c)[queries / 2], std::uint32_t own, std::uint32_t tile) {
        const std::uint64_t a = tileDescriptor(own), b = tileDescriptor(tile);
        pin(c);
        beginProducts();
#pragma unroll
        for (int each = 0; each < d / 16; ++each)
            WarpgroupProduct<T, queries>::shared(c, further(a, each / 4 * keys * 128 + each % 4 * 32),
                                                 further(b, each / 4 * queries * 128 + each % 4 * 32), each > 0);
        commitProducts();
    };
    using enum ClockedPhase;
    TileClock<128, d == 64, Clock...> clock(128, clocks...);
    const auto startScores = [&](int step) {
        waitForTurn(barriers.queryFull(step), step);
        clock.pass(kLoad, kProducts);
        startProduct(p, ownK, tilesQ + step % 2 * Tiling::queryBytes);
    };
    const auto startWeightGradients = [&](int step) {
        waitForTurn(barriers.gradientFull(step), step);
        clock.pass(kLoad, kProducts);
        startProduct(ds, ownV, tilesG + step % 2 * Tiling::queryBytes);
    };
    /// dV += Pᵀ dO, or dK += dSᵀ Q.
    const auto startGradient = [&](float(&c)[d / 2], const std::uint32_t(&a)[queries / 16][4], std::uint32_t tile) {
        const std::uint64_t b = tileDescriptor(tile, queries * 128);
        pin(c);
        beginProducts();
#pragma unroll
        for (int each = 0; each < queries / 16; ++each)
            WarpgroupProduct<T, d>::registers(c, a[each], further(b, each * 2048));
        commitProducts();
    };

    for (int turn = 0, step = 0;; ++turn) {
        const int number = takeItem(turn);
        if (number >= items)
            return;
        const Item item(arguments, number);
        clock.beginTile((item.batch * arguments.rows.heads + item.head) * ((length + keys - 1) / keys) + item.keyTile,
                        item.tiles + 1);
        float dK[d / 2] = {}, dV[d / 2] = {};
        /// From the products just started: Pᵀ = exp(Sᵀ − logSumExp), and then dPᵀ.
        const auto finishScores = [&](int tile) {
            const int firstQuery = tile * queries;
            const float* const logSumExp = logSumExps + step % 2 * queries + pair;
            waitForProducts<1>();
            pin(p);
            if ((causal && firstQuery < item.firstKey + group * 64 + 63) || item.firstKey + keys > length) {
                const int key = item.firstKey + group * 64 + warp * 16 + lane / 4;
#pragma unroll
                for (int j = 0; j < queries / 2; ++j) {
                    const int query = firstQuery + j / 4 * 8 + pair + j % 2, its = key + j % 4 / 2 * 8;
                    if (its >= length || (causal && its > query))
                        p[j] = -INFINITY;
                }
            }
            clock.pass(kProducts, kSoftmax);  // not before the mask, where no register is left for it
#pragma unroll
            for (int j = 0; j < queries / 2; j += 4) {
                const float2 statistic = *reinterpret_cast<const float2*>(logSumExp + j * 2);
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    p[j + i] = exp2Fast(p[j + i] * arguments.rows.scale - (i % 2 == 0 ? statistic.x : statistic.y));
            }
            clock.pass(kSoftmax, kProducts);
            waitForProducts<0>();
            pin(ds);
            clock.pass(kProducts, kSoftmax);
        };
        /// The gradients of one tile of queries, and the start of the next.
        const auto addGradients = [&](int tile, auto last) {
            const float* const delta = deltas + step % 2 * queries + pair;
            const std::uint32_t tileQ = tilesQ + step % 2 * Tiling::queryBytes, tileG = tilesG + step % 2 * Tiling::queryBytes,
                                tileS = tilesS + step % 2 * Tiling::scoreBytes;
            // dSᵀ = Pᵀ ∘ (dPᵀ − delta).
#pragma unroll
            for (int j = 0; j < queries / 2; j += 4) {
                const float2 statistic = *reinterpret_cast<const float2*>(delta + j * 2);
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    ds[j + i] = p[j + i] * (ds[j + i] - (i % 2 == 0 ? statistic.x : statistic.y));
            }
#pragma unroll
            for (int each = 0; each < queries / 16; ++each)
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    weights[each][j] = pack<T>(p[each * 8 + j * 2], p[each * 8 + j * 2 + 1]);
                    scoreGradients[each][j] = pack<T>(ds[each * 8 + j * 2], ds[each * 8 + j * 2 + 1]);
                }
            clock.pass(kSoftmax, kProducts);
            startGradient(dV, weights, tileG);
            waitForTurnBefore(barriers.scoreEmpty(step), step);
#pragma unroll
            for (int each = 0; each < queries / 16; ++each)
                storeMatrices(tileS + each / 4 * keys * 128 + scoreRow * 128 + ((each % 4 * 2 + lane / 16) ^ swizzle) * 16,
                              scoreGradients[each]);
            fenceTiles();
            release(barriers.scoreFull(step));
            startGradient(dK, scoreGradients, tileQ);
            // dQ = dS K, of 64 queries or 64 columns.
            waitForTurn(barriers.scoreFull(step), step);
            const std::uint64_t a = tileDescriptor(tileS + (parts == 1 ? group * keys * 128 : 0)),
                                b = tileDescriptor(tileK + (parts == 1 ? 0 : group * keys * 128));
            beginProducts();
#pragma unroll
            for (int each = 0; each < keys / 16; ++each)
                WarpgroupProduct<T, 64>::transposed(dQ, further(a, each * 2048), further(b, each * 2048), each > 0);
            commitProducts();
            waitForProducts<1>();
            pin(dV);
            pin(dK);
            pin(weights);
            pin(scoreGradients);
            release(barriers.queryEmpty(step));
            release(barriers.gradientEmpty(step));
            if constexpr (!last.value) {
                clock.pass(kProducts, kLoad);
                startScores(step + 1);
            }
            waitForProducts<last.value ? 0 : 1>();
            pin(dQ);
            release(barriers.scoreEmpty(step));
            if constexpr (last.value)
                release(barriers.keyEmpty());
            clock.pass(kProducts, kStore);
            // Rows of 64 floats, whose pieces of 8 are swizzled with the row, so that four rows lie in different banks.
            meet(kSumsEmpty + group, 160);
#pragma unroll
            for (int j = 0; j < 32; j += 2) {
                const int row = warp * 16 + lane / 4 + j % 4 / 2 * 8;
                *reinterpret_cast<float2*>(ownSums + row * 64 + (j / 4 ^ row % 4) * 8 + pair) = make_float2(dQ[j], dQ[j + 1]);
            }
            fenceTiles();
            announce(kSumsFull + group, 160);
            ++step;
            if constexpr (!last.value) {
                clock.pass(kStore, kLoad);
                startWeightGradients(step);
                finishScores(tile + 1);
            }
            if constexpr (last.value)
                clock.endRound(kStore, kStore);
            else
                clock.endRound(kSoftmax, kSoftmax);
        };

        waitFor(barriers.keyFull(), turn % 2);
        startScores(step);
        clock.pass(kProducts, kLoad);
        waitFor(barriers.valueFull(), turn % 2);
        startWeightGradients(step);
        finishScores(item.firstTile);
        for (int i = 0; i + 1 < item.tiles; ++i)
            addGradients(item.firstTile + i, std::false_type());
        addGradients(item.firstTile + item.tiles - 1, std::true_type());

        // The gradients through this warp's own rows of v, in 16-byte pieces that are swizzled as tiles are.
        meet(kGroup + group, 128);  // all of the group have read v
        unsigned char* const staged = shared + Tiling::keyBytes + (group * 64 + warp * 16) * 128;
        constexpr int kPieces = d / 8;
        const auto place = [&](int row, int piece) {
            return staged + piece / 8 * keys * 128 + row * 128 + (piece % 8 ^ row % 8) * 16;
        };
        const auto store = [&](const float(&gradient)[d / 2], float scale, const HeadTensor& to) {
#pragma unroll
            for (int j = 0; j < d / 2; j += 2)
                *reinterpret_cast<std::uint32_t*>(place(lane / 4 + j % 4 / 2 * 8, j / 4) + pair * 2) =
                    pack<T>(gradient[j] * scale, gradient[j + 1] * scale);
            __syncwarp();
            const HeadRows<T> rows(to, item.batch, item.head);
#pragma unroll
            for (int i = lane; i < 16 * kPieces; i += 32) {
                const int row = i / kPieces, key = item.firstKey + group * 64 + warp * 16 + row;
                if (key < length)
                    *reinterpret_cast<uint4*>(rows.row(key) + i % kPieces * 8) =
                        *reinterpret_cast<const uint4*>(place(row, i % kPieces));
            }
            __syncwarp();
        };
        store(dV, 1, arguments.rows.vGradient);
        store(dK, arguments.rows.scale * kLn2, arguments.rows.kGradient);
        fenceTiles();
        release(barriers.valueEmpty());
        clock.endRound(kStore, kStore);
        clock.endTile();
    }
#endif
}

}  // namespace warpglass::kernels
