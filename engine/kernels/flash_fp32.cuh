// What attention's kernels on fp32 numbers are made of: tiles in shared memory, and the two products of
// attention, by fused multiply-adds (fp32) or by tensor cores (tf32). A warp holds 8 · rows rows of a
// product, thread lane those of number lane / 4 + 8 · i; which columns it holds is the products' own. Every
// sum is added up in one order, so that results have the same bits in every run.
#pragma once

#include <cuda_runtime.h>

#include "engine/kernels/attention_tiles.cuh"

namespace warpglass::kernels {

/// What the kernels need of flashForward()'s and flashBackward()'s arguments.
struct Fp32Arguments {
    HeadTensor q, k, v, output, outputGradient, qGradient, kGradient, vGradient;
    float *logSumExp, *delta;
    int heads, length, headDimension;
    bool causal;
    float scale;

    /// Where a head's rows begin in logSumExp and delta.
    __device__ std::int64_t firstRow(int batch, int head) const {
        return (static_cast<std::int64_t>(batch) * heads + head) * length;
    }
};

/// Widths of tiles that there are kernels for: the least that holds the head dimension is taken.
template <int width>
cudaError_t launchForwardFp32(const AttentionShape& shape, const Fp32Arguments& arguments,
                              cudaStream_t stream);
template <int width>
cudaError_t launchBackwardFp32(const AttentionShape& shape, const Fp32Arguments& arguments,
                               cudaStream_t stream);

/// Numbers from one row of a tile to the next: an odd number of 16-byte pieces, so that eight rows lie in
/// different banks.
template <int width>
inline constexpr int kFp32Stride = width + 4;

/// Starts the copy of rows [first, first + rows) by all threads of the block; rows at or past `length` become
/// zeros. Columns at or past d are left as they are, and nothing reads them.
template <int width, int rows, int threads>
__device__ inline void startRows(float* tile, const HeadRows<const float>& from, int first, int length,
                                 int d) {
    constexpr int kPieces = width / 4;
    for (int piece = threadIdx.x; piece < rows * kPieces; piece += threads) {
        const int row = piece / kPieces, column = piece % kPieces * 4;
        const bool present = first + row < length;
        if (column < d)
            copyAsync(sharedAddress(tile + row * kFp32Stride<width> + column),
                      from.row(present ? first + row : 0) + column, present);
    }
}

__device__ inline std::uint32_t asTf32(float x) {
    std::uint32_t rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(x));
    return rounded;
}

/// Rounds what this thread has copied by startRows() to what the products read. Its copies have arrived.
template <class Products, int width, int rows, int threads>
__device__ inline void roundRows(float* tile, int d) {
    if constexpr (Products::kRounds) {
        constexpr int kPieces = width / 4;
        for (int piece = threadIdx.x; piece < rows * kPieces; piece += threads) {
            const int row = piece / kPieces, column = piece % kPieces * 4;
            if (column < d) {
                const auto at = reinterpret_cast<float4*>(tile + row * kFp32Stride<width> + column);
                const float4 x = *at;
                *reinterpret_cast<uint4*>(at) =
                    make_uint4(asTf32(x.x), asTf32(x.y), asTf32(x.z), asTf32(x.w));
            }
        }
    }
}

/// Fused multiply-adds in fp32. Sums are of partial sums, so that long ones round less: over d of 16 numbers,
/// over rows of a tile's.
struct Fp32Products {
    static constexpr bool kRounds = false;
    __device__ static float rounded(float x) { return x; }
    /// Weights go through a tile of the warp's own, whose rows have this many numbers.
    template <int columns>
    static constexpr int kStagedStride = columns + 4;

    /// The column, among the tile's rows, of a score that this thread holds.
    __device__ static int scoreColumn(int j) { return threadIdx.x % 4 + 4 * j; }

    /// scores[i][j] += Σ over d of the warp's row times the tile's.
    template <int stride, int rows, int columns>
    __device__ static void addScores(float (&scores)[rows][columns], const float* its, const float* tile,
                                     int d) {
        its += threadIdx.x % 32 / 4 * stride;
        tile += threadIdx.x % 4 * stride;
        constexpr int kHalf =
            columns / 2;  // at a time, which leaves registers for the sums that the kernel keeps
#pragma unroll
        for (int some = 0; some < columns; some += kHalf) {
#pragma unroll 1
            for (int first = 0; first < d; first += 16) {
                float partial[rows][kHalf] = {};
#pragma unroll
                for (int k = first; k < first + 16; k += 4) {
                    float4 a[rows];
#pragma unroll
                    for (int i = 0; i < rows; ++i)
                        a[i] = *reinterpret_cast<const float4*>(its + i * 8 * stride + k);
#pragma unroll
                    for (int j = 0; j < kHalf; ++j) {
                        const float4 b = *reinterpret_cast<const float4*>(tile + (some + j) * 4 * stride + k);
#pragma unroll
                        for (int i = 0; i < rows; ++i) {
                            float& sum = partial[i][j];
                            sum = fmaf(a[i].x, b.x, sum);
                            sum = fmaf(a[i].y, b.y, sum);
                            sum = fmaf(a[i].z, b.z, sum);
                            sum = fmaf(a[i].w, b.w, sum);
                        }
                    }
                }
#pragma unroll
                for (int i = 0; i < rows; ++i)
#pragma unroll
                    for (int j = 0; j < kHalf; ++j)
                        scores[i][some + j] += partial[i][j];
            }
        }
    }

    /// sums += weights times the tile, whose rows are the weights' columns.
    template <int stride, int rows, int columns, int sumColumns>
    __device__ static void addWeighted(float (&sums)[rows][sumColumns], const float (&weights)[rows][columns],
                                       float* staged, const float* tile, int d) {
        constexpr int kStaged = kStagedStride<columns * 4>;
        const int member = threadIdx.x % 4;
        staged += threadIdx.x % 32 / 4 * kStaged;
        tile += member * 4;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < rows; ++i)
#pragma unroll
            for (int j = 0; j < columns; ++j)
                staged[i * 8 * kStaged + member + 4 * j] = weights[i][j];
        __syncwarp();
        // 32 columns at a time; those at or past d are of numbers that mean nothing and are stored nowhere.
#pragma unroll
        for (int m = 0; m < sumColumns; m += 8) {
            if (m * 4 >= d)
                break;
            float partial[rows][8] = {};
#pragma unroll 1
            for (int first = 0; first < columns * 4; first += 4) {
                float w[rows][4];
#pragma unroll
                for (int i = 0; i < rows; ++i)
                    *reinterpret_cast<float4*>(w[i]) =
                        *reinterpret_cast<const float4*>(staged + i * 8 * kStaged + first);
#pragma unroll
                for (int u = 0; u < 4; ++u)
#pragma unroll
                    for (int half = 0; half < 8; half += 4) {
                        const float4 x =
                            *reinterpret_cast<const float4*>(tile + (first + u) * stride + (m + half) * 4);
#pragma unroll
                        for (int i = 0; i < rows; ++i) {
                            partial[i][half] = fmaf(w[i][u], x.x, partial[i][half]);
                            partial[i][half + 1] = fmaf(w[i][u], x.y, partial[i][half + 1]);
                            partial[i][half + 2] = fmaf(w[i][u], x.z, partial[i][half + 2]);
                            partial[i][half + 3] = fmaf(w[i][u], x.w, partial[i][half + 3]);
                        }
                    }
            }
#pragma unroll
            for (int i = 0; i < rows; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sums[i][m + j] += partial[i][j];
        }
    }

    /// Writes one of this thread's rows of sums.
    template <int sumColumns>
    __device__ static void store(float* row, const float (&sums)[sumColumns], int d) {
        row += threadIdx.x % 4 * 4;
#pragma unroll
        for (int m = 0; m < sumColumns / 4; ++m)
            if (m * 16 < d)
                *reinterpret_cast<float4*>(row + m * 16) =
                    make_float4(sums[4 * m], sums[4 * m + 1], sums[4 * m + 2], sums[4 * m + 3]);
    }
};

/// Operands rounded to tf32 (to nearest, ties away from zero), sums in fp32. Fragments as the PTX manual's
/// section "mma.m16n8k8" has them.
struct Tf32Products {
    static constexpr bool kRounds = true;
    __device__ static float rounded(float x) { return __uint_as_float(asTf32(x)); }
    template <int>
    static constexpr int kStagedStride = 0;

    __device__ static int scoreColumn(int j) { return j / 2 * 8 + threadIdx.x % 4 * 2 + j % 2; }

    template <int n>
    __device__ static void multiplyAdd(float (&upper)[n], float (&lower)[n], int column, const FragmentA& a,
                                       std::uint32_t b0, std::uint32_t b1) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+f"(upper[column]), "+f"(upper[column + 1]), "+f"(lower[column]), "+f"(lower[column + 1])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }

    /// An 8 × 8 matrix of 16-bit numbers is to ldmatrix what 8 × 4 of 32 bits are.
    template <int stride, int rows, int columns>
    __device__ static void addScores(float (&scores)[rows][columns], const float* its, const float* tile,
                                     int d) {
        const int lane = threadIdx.x % 32;
        const std::uint32_t from = sharedAddress(its + lane % 16 * stride + lane / 16 * 4),
                            to = sharedAddress(tile + lane % 8 * stride + lane / 8 * 4);
#pragma unroll 1
        for (int k = 0; k < d; k += 16) {
            FragmentA a[rows / 2][2];
#pragma unroll
            for (int block = 0; block < rows / 2; ++block)
#pragma unroll
                for (int half = 0; half < 2; ++half)
                    loadMatrices(a[block][half], from + (block * 16 * stride + k + half * 8) * 4);
#pragma unroll
            for (int j = 0; j < columns; j += 2) {
                std::uint32_t b[4];
                loadMatrices(b, to + (j * 4 * stride + k) * 4);
#pragma unroll
                for (int block = 0; block < rows / 2; ++block)
#pragma unroll
                    for (int half = 0; half < 2; ++half)
                        multiplyAdd(scores[2 * block], scores[2 * block + 1], j, a[block][half], b[2 * half],
                                    b[2 * half + 1]);
            }
        }
    }

    /// The weights that a thread holds are its operands if the tile's rows are taken in the order 0, 2, 4, 6,
    /// 1, 3, 5, 7.
    template <int stride, int rows, int columns, int sumColumns>
    __device__ static void addWeighted(float (&sums)[rows][sumColumns], const float (&weights)[rows][columns],
                                       float*, const float* tile, int d) {
        tile += threadIdx.x % 4 * 2 * stride + threadIdx.x % 32 / 4;
#pragma unroll
        for (int j = 0; j < columns; j += 2) {
            FragmentA a[rows / 2];
#pragma unroll
            for (int block = 0; block < rows / 2; ++block)
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    a[block][i] = asTf32(weights[2 * block + i % 2][j + i / 2]);
            const float* const from = tile + j * 4 * stride;
#pragma unroll
            for (int m = 0; m < sumColumns; m += 2) {
                if (m * 4 >= d)
                    break;
                const std::uint32_t b0 = __float_as_uint(from[m * 4]),
                                    b1 = __float_as_uint(from[stride + m * 4]);
#pragma unroll
                for (int block = 0; block < rows / 2; ++block)
                    multiplyAdd(sums[2 * block], sums[2 * block + 1], m, a[block], b0, b1);
            }
        }
    }

    template <int sumColumns>
    __device__ static void store(float* row, const float (&sums)[sumColumns], int d) {
        row += threadIdx.x % 4 * 2;
#pragma unroll
        for (int m = 0; m < sumColumns; m += 2)
            if (m * 4 < d)
                *reinterpret_cast<float2*>(row + m * 4) = make_float2(sums[m], sums[m + 1]);
    }
};

}  // namespace warpglass::kernels
