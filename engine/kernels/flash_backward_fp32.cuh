// FlashAttention-2's backward pass on fp32 numbers: delta, and then two kernels. A block of the first has a
// tile of keys and walks over the queries for the gradients of k and v; one of the second has a tile of
// queries and walks over the keys for that of q. Scores and their gradients are so computed twice, but
// nothing is added up in memory: no order to wait for, and no tensor of sums.
#pragma once

#include "engine/kernels/flash_fp32.cuh"

namespace warpglass::kernels {

/// delta = rowsum(dO ∘ O), a warp to a row, of dO as the products read it: what it is subtracted from is made
/// of that.
template <class Products>
__global__ void __launch_bounds__(256) flashDeltaFp32Kernel(const Fp32Arguments arguments) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    const int head = blockIdx.y, batch = blockIdx.z;
    if (row >= arguments.length)
        return;
    const float* const output = HeadRows<const float>(arguments.output, batch, head).row(row);
    const float* const gradient = HeadRows<const float>(arguments.outputGradient, batch, head).row(row);
    float sum = 0;
    for (int i = lane; i < arguments.headDimension; i += 32)
        sum = fmaf(output[i], Products::rounded(gradient[i]), sum);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
    if (lane == 0)
        arguments.delta[arguments.firstRow(batch, head) + row] = sum;
}

/// rowCount: rows of its own that a thread holds; walkedRows: rows in a tile of those that its block walks
/// over.
template <class ItsProducts, int tileWidth, int warps, int rowCount, int walkedRows>
struct Fp32BackwardTiling {
    using Products = ItsProducts;
    static constexpr int width = tileWidth, threads = warps * 32, rows = rowCount, held = warps * rows * 8,
                         walked = walkedRows, stride = kFp32Stride<width>,
                         stagedStride = Products::template kStagedStride<walked>;
    static constexpr int bytes = (2 * (held + walked) * stride + held * stagedStride + 2 * walked) * 4;
};

/// Shared memory of a block: two tiles of its own rows, two of those that it walks over, and room for
/// weights.
template <class Tiling>
struct Fp32BackwardTiles {
    static constexpr int width = Tiling::width, stride = Tiling::stride, threads = Tiling::threads;
    float *held[2], *walked[2], *staged, *logSumExps, *deltas;
    int d, length;

    __device__ Fp32BackwardTiles(float* numbers, const Fp32Arguments& arguments)
        : held{numbers, numbers + Tiling::held * stride},
          walked{numbers + 2 * Tiling::held * stride, numbers + (2 * Tiling::held + Tiling::walked) * stride},
          staged(numbers + 2 * (Tiling::held + Tiling::walked) * stride),
          logSumExps(staged + Tiling::held * Tiling::stagedStride),
          deltas(logSumExps + Tiling::walked),
          d(width == 64 ? 64 : arguments.headDimension),
          length(arguments.length) {
        staged += warpRow() * Tiling::stagedStride;
    }
    /// The first of the warp's rows in the held tiles.
    __device__ static int warpRow() { return threadIdx.x / 32 * Tiling::rows * 8; }

    __device__ void load(const HeadTensor& first, const HeadTensor& second, int batch, int head,
                         int row) const {
        load<Tiling::held>(held, first, second, batch, head, row);
    }
    __device__ void walk(const HeadTensor& first, const HeadTensor& second, int batch, int head,
                         int row) const {
        load<Tiling::walked>(walked, first, second, batch, head, row);
    }
    /// Products of this warp's rows of the held tiles with the walked ones.
    __device__ void multiply(float (&first)[Tiling::rows][Tiling::walked / 4],
                             float (&second)[Tiling::rows][Tiling::walked / 4]) const {
        Tiling::Products::template addScores<stride>(first, held[0] + warpRow() * stride, walked[0], d);
        Tiling::Products::template addScores<stride>(second, held[1] + warpRow() * stride, walked[1], d);
    }

private:
    template <int rows>
    __device__ void load(float* const (&tiles)[2], const HeadTensor& first, const HeadTensor& second,
                         int batch, int head, int row) const {
        startRows<width, rows, threads>(tiles[0], HeadRows<const float>(first, batch, head), row, length, d);
        startRows<width, rows, threads>(tiles[1], HeadRows<const float>(second, batch, head), row, length, d);
        commitCopies();
        waitForCopies<0>();
        roundRows<typename Tiling::Products, width, rows, threads>(tiles[0], d);
        roundRows<typename Tiling::Products, width, rows, threads>(tiles[1], d);
    }
};

/// Times `factor`.
template <class Products, int columns>
__device__ inline void storeScaled(float* row, float (&sums)[columns], float factor, int d) {
#pragma unroll
    for (float& each : sums)
        each *= factor;
    Products::store(row, sums, d);
}

/// The gradients of k and v: Sᵀ = K Qᵀ, dPᵀ = V dOᵀ, dV += Pᵀ dO, dK += dSᵀ Q.
template <class Tiling>
__global__ void __launch_bounds__(Tiling::threads, 2) flashBackwardFp32Kernel(const Fp32Arguments arguments) {
    using Products = typename Tiling::Products;
    constexpr int stride = Tiling::stride, rows = Tiling::rows, kColumns = Tiling::walked / 4,
                  kSums = Tiling::width / 4;
    extern __shared__ __align__(16) float numbers[];
    const Fp32BackwardTiles<Tiling> tiles(numbers, arguments);
    const int head = blockIdx.y, batch = blockIdx.z, length = arguments.length;
    const int firstKey = blockIdx.x * Tiling::held,
              itsKey = firstKey + tiles.warpRow() + static_cast<int>(threadIdx.x % 32 / 4);
    const std::int64_t firstRow = arguments.firstRow(batch, head);
    tiles.load(arguments.k, arguments.v, batch, head, firstKey);

    float dK[rows][kSums] = {}, dV[rows][kSums] = {};
    for (int first = arguments.causal ? firstKey / Tiling::walked * Tiling::walked : 0; first < length;
         first += Tiling::walked) {
        tiles.walk(arguments.q, arguments.outputGradient, batch, head, first);
        for (int i = threadIdx.x; i < Tiling::walked; i += Tiling::threads) {
            const bool present = first + i < length;
            tiles.logSumExps[i] = present ? arguments.logSumExp[firstRow + first + i] : 0;
            tiles.deltas[i] = present ? arguments.delta[firstRow + first + i] : 0;
        }
        __syncthreads();
        float p[rows][kColumns] = {}, dS[rows][kColumns] = {};
        tiles.multiply(p, dS);
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
            const int column = Products::scoreColumn(j), query = first + column;
            const float logSumExp = tiles.logSumExps[column], delta = tiles.deltas[column];
#pragma unroll
            for (int i = 0; i < rows; ++i) {
                const bool hidden = query >= length || (arguments.causal && itsKey + i * 8 > query);
                p[i][j] = hidden ? 0 : expf(__fmul_rn(p[i][j], arguments.scale) - logSumExp);
                dS[i][j] = p[i][j] * (dS[i][j] - delta);
            }
        }
        Products::template addWeighted<stride>(dV, p, tiles.staged, tiles.walked[1], tiles.d);
        Products::template addWeighted<stride>(dK, dS, tiles.staged, tiles.walked[0], tiles.d);
        __syncthreads();
    }

    const HeadRows<float> toK(arguments.kGradient, batch, head), toV(arguments.vGradient, batch, head);
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        const int key = itsKey + i * 8;
        if (key < length) {
            storeScaled<Products>(toK.row(key), dK[i], arguments.scale, tiles.d);
            Products::store(toV.row(key), dV[i], tiles.d);
        }
    }
}

/// The gradient of q: S = Q Kᵀ, dP = dO Vᵀ, dQ += dS K.
template <class Tiling>
__global__ void __launch_bounds__(Tiling::threads, 2)
    flashQueryGradientFp32Kernel(const Fp32Arguments arguments) {
    using Products = typename Tiling::Products;
    constexpr int stride = Tiling::stride, rows = Tiling::rows, kColumns = Tiling::walked / 4,
                  kSums = Tiling::width / 4;
    extern __shared__ __align__(16) float numbers[];
    const Fp32BackwardTiles<Tiling> tiles(numbers, arguments);
    const int head = blockIdx.y, batch = blockIdx.z, length = arguments.length;
    // Where causal, the last queries see the most keys: they begin first.
    const int firstQuery = (arguments.causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * Tiling::held,
              itsQuery = firstQuery + tiles.warpRow() + static_cast<int>(threadIdx.x % 32 / 4);
    tiles.load(arguments.q, arguments.outputGradient, batch, head, firstQuery);

    float logSumExp[rows], delta[rows], dQ[rows][kSums] = {};
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        const std::int64_t row = arguments.firstRow(batch, head) + min(itsQuery + i * 8, length - 1);
        logSumExp[i] = arguments.logSumExp[row];
        delta[i] = arguments.delta[row];
    }
    const int seen = arguments.causal ? min(length, firstQuery + Tiling::held) : length;
    for (int first = 0; first < seen; first += Tiling::walked) {
        tiles.walk(arguments.k, arguments.v, batch, head, first);
        __syncthreads();
        float p[rows][kColumns] = {}, dS[rows][kColumns] = {};
        tiles.multiply(p, dS);
#pragma unroll
        for (int i = 0; i < rows; ++i)
#pragma unroll
            for (int j = 0; j < kColumns; ++j) {
                const int key = first + Products::scoreColumn(j);
                const bool hidden = key >= length || (arguments.causal && key > itsQuery + i * 8);
                const float weight = hidden ? 0 : expf(__fmul_rn(p[i][j], arguments.scale) - logSumExp[i]);
                dS[i][j] = weight * (dS[i][j] - delta[i]);
            }
        Products::template addWeighted<stride>(dQ, dS, tiles.staged, tiles.walked[0], tiles.d);
        __syncthreads();
    }

    const HeadRows<float> output(arguments.qGradient, batch, head);
#pragma unroll
    for (int i = 0; i < rows; ++i)
        if (itsQuery + i * 8 < length)
            storeScaled<Products>(output.row(itsQuery + i * 8), dQ[i], arguments.scale, tiles.d);
}

}  // namespace warpglass::kernels
