// FlashAttention-2's forward pass: one thread block takes a tile of queries of one head and walks over the
// keys.
#pragma once

#include "engine/kernels/attention_tiles.cuh"
#include "engine/kernels/tile_clock.cuh"

namespace warpglass::kernels {

struct ForwardArguments {
    HeadTensor q, k, v, output;
    float* logSumExp;
    int heads, length;
    /// scale · log₂ e: exponentials are powers of two.
    float scale;
};

/// blocks: 16-row blocks of queries a warp holds; keys: rows of k and v in a tile.
template <int headDimension, int warpCount, int blocks, int keyRows>
struct ForwardTiling {
    static constexpr int d = headDimension, warps = warpCount, kBlocks = blocks, keys = keyRows;
    static constexpr int threads = warps * 32, queries = warps * blocks * 16;
    static constexpr int stride = kTileStride<d>;
    static constexpr int bytes = (queries + 2 * keys) * stride * 2;
    /// q's operands stay in registers where they leave room for two thread blocks on a multiprocessor.
    static constexpr bool keepsQ = d * blocks <= 64;
};

inline constexpr float kLog2E = 1.4426950408889634f;
inline constexpr float kLn2 = 0.6931471805599453f;

/// The natural logarithm of Σ exp(score), from a row's largest score before scaling and Σ exp(score − largest), rounded once.
__device__ inline float logSumExpOf(float maximum, float sum, float scale) {
    return fmaf(maximum, scale * kLn2, logf(sum));
}

template <class T, class Tiling, bool causal, class... Clock>
__global__ void __launch_bounds__(Tiling::threads)
    flashForwardKernel(const ForwardArguments arguments, Clock... clocks) {
    constexpr int d = Tiling::d, keys = Tiling::keys, stride = Tiling::stride, kBlocks = Tiling::kBlocks;
    constexpr int kSteps = d / 16, kKeyTiles = keys / 8, kOutTiles = d / 8;
    extern __shared__ __align__(16) unsigned char shared[];
    const std::uint32_t tileQ = sharedAddress(shared), tileK = tileQ + Tiling::queries * stride * 2,
                        tileV = tileK + keys * stride * 2;
    const int head = blockIdx.y, batch = blockIdx.z, length = arguments.length;
    // Where causal, the last queries see the most keys: they begin first.
    const int first = (causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * Tiling::queries;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, pair = lane % 4 * 2;
    const int warpRow = warp * kBlocks * 16;
    const HeadRows<const T> q(arguments.q, batch, head), k(arguments.k, batch, head),
        v(arguments.v, batch, head);

    const int seen = causal ? min(length, first + Tiling::queries) : length;
    int tile = (seen + keys - 1) / keys - 1;
    using enum ClockedPhase;
    TileClock<Tiling::threads, d <= 64, Clock...> clock(0, clocks...);
    clock.beginTile((batch * arguments.heads + head) * gridDim.x + first / Tiling::queries, tile + 2);
    startTile<T, d, Tiling::queries, Tiling::threads>(tileQ, q, first, length);
    startTile<T, d, keys, Tiling::threads>(tileK, k, tile * keys, length);
    commitCopies();

    Accumulator out[kBlocks][kOutTiles] = {};
    float maximum[kBlocks][2], sum[kBlocks][2];
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
        for (int half = 0; half < 2; ++half)
            maximum[b][half] = -INFINITY, sum[b][half] = 0;
    FragmentA heldQ[Tiling::keepsQ ? kBlocks : 1][Tiling::keepsQ ? kSteps : 1];
    if constexpr (Tiling::keepsQ) {
        waitForCopies<0>();
        __syncthreads();
#pragma unroll
        for (int b = 0; b < kBlocks; ++b)
            for (int step = 0; step < kSteps; ++step)
                loadMatrices(heldQ[b][step], addressA<stride>(tileQ, warpRow + b * 16, step * 16));
    }

    for (; tile >= 0; --tile) {
        waitForCopies<0>();
        __syncthreads();
        clock.pass(kLoad, kProducts);
        startTile<T, d, keys, Tiling::threads>(tileV, v, tile * keys, length);
        commitCopies();

        Accumulator scores[kBlocks][kKeyTiles] = {};
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            FragmentA a[kBlocks];
#pragma unroll
            for (int b = 0; b < kBlocks; ++b) {
                if constexpr (Tiling::keepsQ) {
                    for (int i = 0; i < 4; ++i)
                        a[b][i] = heldQ[b][step][i];
                } else {
                    loadMatrices(a[b], addressA<stride>(tileQ, warpRow + b * 16, step * 16));
                }
            }
#pragma unroll
            for (int column = 0; column < kKeyTiles; column += 2) {
                std::uint32_t operand[4];
                loadMatrices(operand, addressB<stride>(tileK, column * 8, step * 16));
#pragma unroll
                for (int b = 0; b < kBlocks; ++b) {
                    multiplyAdd<T>(scores[b][column], a[b], operand[0], operand[1]);
                    multiplyAdd<T>(scores[b][column + 1], a[b], operand[2], operand[3]);
                }
            }
        }
        clock.pass(kProducts, kLoad);
        waitForCopies<0>();
        __syncthreads();
        clock.pass(kLoad, kSoftmax);
        if (tile > 0) {
            startTile<T, d, keys, Tiling::threads>(tileK, k, (tile - 1) * keys, length);
            commitCopies();
        }

        const int firstKey = tile * keys;
        if (firstKey + keys > length || (causal && firstKey + keys - 1 > first + warpRow)) {
#pragma unroll
            for (int b = 0; b < kBlocks; ++b)
                for (int column = 0; column < kKeyTiles; ++column)
                    for (int i = 0; i < 4; ++i) {
                        const int key = firstKey + column * 8 + pair + i % 2;
                        const int query = first + warpRow + b * 16 + group + i / 2 * 8;
                        if (key >= length || (causal && key > query))
                            scores[b][column][i] = -INFINITY;
                    }
        }
#pragma unroll
        for (int b = 0; b < kBlocks; ++b)
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                float raised = maximum[b][half];
#pragma unroll
                for (int column = 0; column < kKeyTiles; ++column)
                    raised =
                        fmaxf(raised, fmaxf(scores[b][column][half * 2], scores[b][column][half * 2 + 1]));
                raised = fmaxf(raised, __shfl_xor_sync(~0u, raised, 1));
                raised = fmaxf(raised, __shfl_xor_sync(~0u, raised, 2));
                // A row that has seen no key yet (its tile lies past the diagonal) must not compute −∞ −
                // (−∞).
                const float offset = raised == -INFINITY ? 0 : raised * arguments.scale;
                const float rescale = exp2Fast(maximum[b][half] * arguments.scale - offset);
                maximum[b][half] = raised;
                float added = 0;
#pragma unroll
                for (int column = 0; column < kKeyTiles; ++column)
#pragma unroll
                    for (int i = half * 2; i < half * 2 + 2; ++i) {
                        scores[b][column][i] = exp2Fast(scores[b][column][i] * arguments.scale - offset);
                        added += scores[b][column][i];
                    }
                sum[b][half] = sum[b][half] * rescale + added;
#pragma unroll
                for (int column = 0; column < kOutTiles; ++column) {
                    out[b][column][half * 2] *= rescale;
                    out[b][column][half * 2 + 1] *= rescale;
                }
            }
        clock.pass(kSoftmax, kProducts);
#pragma unroll
        for (int step = 0; step < keys / 16; ++step) {
            FragmentA weights[kBlocks];
#pragma unroll
            for (int b = 0; b < kBlocks; ++b)
                asOperand<T>(weights[b], scores[b][2 * step], scores[b][2 * step + 1]);
#pragma unroll
            for (int column = 0; column < kOutTiles; column += 2) {
                std::uint32_t operand[4];
                loadTransposed(operand, addressTransposedB<stride>(tileV, step * 16, column * 8));
#pragma unroll
                for (int b = 0; b < kBlocks; ++b) {
                    multiplyAdd<T>(out[b][column], weights[b], operand[0], operand[1]);
                    multiplyAdd<T>(out[b][column + 1], weights[b], operand[2], operand[3]);
                }
            }
        }
        clock.endRound(kProducts, tile > 0 ? kLoad : kStore);
    }

    // Each warp writes its own rows over q's, then stores them in 16-byte pieces.
    __syncthreads();
    T* const staged = reinterpret_cast<T*>(shared);
    float* const logSumExp =
        arguments.logSumExp + (static_cast<std::int64_t>(batch) * arguments.heads + head) * length;
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float total = sum[b][half];
            total += __shfl_xor_sync(~0u, total, 1);
            total += __shfl_xor_sync(~0u, total, 2);
            const float inverse = 1 / total;
            const int row = warpRow + b * 16 + group + half * 8;
            if (pair == 0 && first + row < length)
                logSumExp[first + row] = logSumExpOf(maximum[b][half], total, arguments.scale);
#pragma unroll
            for (int column = 0; column < kOutTiles; ++column)
                *reinterpret_cast<std::uint32_t*>(staged + row * stride + column * 8 + pair) =
                    pack<T>(out[b][column][half * 2] * inverse, out[b][column][half * 2 + 1] * inverse);
        }
    __syncwarp();
    const HeadRows<T> output(arguments.output, batch, head);
    constexpr int kPieces = d / 8;
    for (int piece = lane; piece < kBlocks * 16 * kPieces; piece += 32) {
        const int row = warpRow + piece / kPieces, column = piece % kPieces * 8;
        if (first + row < length)
            *reinterpret_cast<uint4*>(output.row(first + row) + column) =
                *reinterpret_cast<const uint4*>(staged + row * stride + column);
    }
    clock.endRound(kStore, kStore);
    clock.endTile();
}

}  // namespace warpglass::kernels
