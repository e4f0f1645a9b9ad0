// FlashAttention-2's forward pass on fp32 numbers, as flash_forward.cuh has it for 16 bits.
#pragma once

#include "engine/kernels/flash_fp32.cuh"

namespace warpglass::kernels {

/// rowCount: rows of queries a thread holds; keyRows: rows of k and v in a tile.
template <class ItsProducts, int tileWidth, int warps, int rowCount, int keyRows>
struct Fp32ForwardTiling {
    using Products = ItsProducts;
    static constexpr int width = tileWidth, threads = warps * 32, rows = rowCount, queries = warps * rows * 8,
                         keys = keyRows, stride = kFp32Stride<width>,
                         stagedStride = Products::template kStagedStride<keys>;
    static constexpr int bytes = ((queries + 2 * keys) * stride + queries * stagedStride) * 4;
};

/// Scores are scaled and rounded, and then their distance from the largest is taken: of a row whose largest
/// score outweighs all others, log-sum-exp is that score, and its weight is 1 in the backward pass too.
template <class Tiling>
__global__ void __launch_bounds__(Tiling::threads, 2) flashForwardFp32Kernel(const Fp32Arguments arguments) {
    using Products = typename Tiling::Products;
    constexpr int width = Tiling::width, keys = Tiling::keys, stride = Tiling::stride, rows = Tiling::rows,
                  threads = Tiling::threads, queries = Tiling::queries, kColumns = keys / 4,
                  kSums = width / 4;
    extern __shared__ __align__(16) float numbers[];
    float *const tileQ = numbers, *const tileK = tileQ + queries * stride,
                 *const tileV = tileK + keys * stride;
    const int d = width == 64 ? 64 : arguments.headDimension;
    const int head = blockIdx.y, batch = blockIdx.z, length = arguments.length;
    const bool causal = arguments.causal;
    // Where causal, the last queries see the most keys: they begin first.
    const int first = (causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * queries;
    const int warpRow = threadIdx.x / 32 * rows * 8, group = threadIdx.x % 32 / 4;
    float* const staged = tileV + keys * stride + warpRow * Tiling::stagedStride;
    const HeadRows<const float> q(arguments.q, batch, head), k(arguments.k, batch, head),
        v(arguments.v, batch, head);

    startRows<width, queries, threads>(tileQ, q, first, length, d);
    startRows<width, keys, threads>(tileK, k, 0, length, d);
    commitCopies();
    waitForCopies<0>();
    roundRows<Products, width, queries, threads>(tileQ, d);

    float out[rows][kSums] = {}, maximum[rows], sum[rows] = {};
#pragma unroll
    for (int i = 0; i < rows; ++i)
        maximum[i] = -INFINITY;

    const int seen = causal ? min(length, first + queries) : length;
    for (int firstKey = 0; firstKey < seen; firstKey += keys) {
        waitForCopies<0>();
        roundRows<Products, width, keys, threads>(tileK, d);
        __syncthreads();
        startRows<width, keys, threads>(tileV, v, firstKey, length, d);
        commitCopies();
        float scores[rows][kColumns] = {};
        Products::template addScores<stride>(scores, tileQ + warpRow * stride, tileK, d);
        waitForCopies<0>();
        roundRows<Products, width, keys, threads>(tileV, d);
        __syncthreads();
        if (firstKey + keys < seen) {
            startRows<width, keys, threads>(tileK, k, firstKey + keys, length, d);
            commitCopies();
        }

        const bool masked = firstKey + keys > length || (causal && firstKey + keys - 1 > first + warpRow);
#pragma unroll
        for (int i = 0; i < rows; ++i) {
            const int query = first + warpRow + group + i * 8;
            float raised = maximum[i];
#pragma unroll
            for (int j = 0; j < kColumns; ++j) {
                const int key = firstKey + Products::scoreColumn(j);
                const bool hidden = masked && (key >= length || (causal && key > query));
                scores[i][j] = hidden ? -INFINITY : __fmul_rn(scores[i][j], arguments.scale);
                raised = fmaxf(raised, scores[i][j]);
            }
            // Every row sees the first key, so that it is finite from the first tile on.
            raised = fmaxf(raised, __shfl_xor_sync(~0u, raised, 1));
            raised = fmaxf(raised, __shfl_xor_sync(~0u, raised, 2));
            const float rescale = expf(maximum[i] - raised);
            maximum[i] = raised;
            float added = 0;
#pragma unroll
            for (int j = 0; j < kColumns; ++j) {
                scores[i][j] = expf(scores[i][j] - raised);
                added += scores[i][j];
            }
            sum[i] = sum[i] * rescale + added;
#pragma unroll
            for (int j = 0; j < kSums; ++j)
                out[i][j] *= rescale;
        }
        Products::template addWeighted<stride>(out, scores, staged, tileV, d);
    }

    float* const logSumExp = arguments.logSumExp + arguments.firstRow(batch, head);
    const HeadRows<float> output(arguments.output, batch, head);
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        float total = sum[i];
        total += __shfl_xor_sync(~0u, total, 1);
        total += __shfl_xor_sync(~0u, total, 2);
        const int query = first + warpRow + group + i * 8;
        if (query >= length)
            continue;
#pragma unroll
        for (int j = 0; j < kSums; ++j)
            out[i][j] /= total;
        if (threadIdx.x % 4 == 0)
            logSumExp[query] = maximum[i] + logf(total);
        Products::store(output.row(query), out[i], d);
    }
}

}  // namespace warpglass::kernels
