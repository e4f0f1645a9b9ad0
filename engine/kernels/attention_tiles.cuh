// Tiles of q, k, v in shared memory, as the forward and the backward kernel of attention read them. A row of
// d elements is followed by 8 that stay empty: an odd number of 16-byte pieces a row, so that ldmatrix's
// eight rows lie in different banks whatever d is.
#pragma once

#include "engine/kernels/flash_attention.h"
#include "engine/kernels/tensor_core.cuh"

namespace warpglass::kernels {

/// Elements from one row of a tile to the next.
template <int d>
inline constexpr int kTileStride = d + 8;

/// One head of a HeadTensor.
template <class T>
struct HeadRows {
    T* data;
    std::int64_t rowStride;

    __device__ HeadRows(const HeadTensor& tensor, int batch, int head)
        : data(static_cast<T*>(tensor.data) + batch * tensor.batchStride + head * tensor.headStride),
          rowStride(tensor.rowStride) {}
    __device__ T* row(int index) const { return data + index * rowStride; }
};

/// Starts the copy of rows [first, first + rows) by all threads of the block; rows at or past `length` become
/// zeros.
template <class T, int d, int rows, int threads>
__device__ inline void startTile(std::uint32_t tile, const HeadRows<const T>& from, int first, int length) {
    constexpr int kPieces = d / 8;
#pragma unroll
    for (int piece = threadIdx.x; piece < rows * kPieces; piece += threads) {
        const int row = piece / kPieces, column = piece % kPieces * 8;
        const bool present = first + row < length;
        copyAsync(tile + (row * kTileStride<d> + column) * 2, from.row(present ? first + row : 0) + column,
                  present);
    }
}

/// Addresses for loadMatrices of a tile whose rows are d long. Lane's share of a 16 × 16 block at (row,
/// column): as operand A, rows are A's rows.
template <int stride>
__device__ inline std::uint32_t addressA(std::uint32_t tile, int row, int column) {
    const int lane = threadIdx.x % 32;
    return tile + ((row + lane % 16) * stride + column + lane / 16 * 8) * 2;
}

/// As operand A transposed (loadTransposed): the tile's rows are A's columns.
template <int stride>
__device__ inline std::uint32_t addressTransposedA(std::uint32_t tile, int row, int column) {
    const int lane = threadIdx.x % 32;
    return tile + ((row + lane % 8 + lane / 16 * 8) * stride + column + lane / 8% 2 * 8) * 2;
}

/// As two operands B whose columns are the tile's rows (loadMatrices): registers 0, 1 are the first, 2, 3 the
/// second.
template <int stride>
__device__ inline std::uint32_t addressB(std::uint32_t tile, int row, int column) {
    const int lane = threadIdx.x % 32;
    return tile + ((row + lane % 8 + lane / 16 * 8) * stride + column + lane / 8% 2 * 8) * 2;
}

/// As two operands B whose rows are the tile's rows (loadTransposed).
template <int stride>
__device__ inline std::uint32_t addressTransposedB(std::uint32_t tile, int row, int column) {
    const int lane = threadIdx.x % 32;
    return tile + ((row + lane % 16) * stride + column + lane / 16 * 8) * 2;
}

}  // namespace warpglass::kernels
