// A block has a row at a time, of which each thread keeps up to kKept pieces in registers; what a very wide
// row has beyond that is read again. The backward pass of rows that fit into a warp's registers has a row to
// a warp: no thread waits for another, so that some rows of a block load while others are summed.
#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kMostThreads = 256;

template <class T, int n>
__global__ void fusedNormKernel(NormForward call) {
    __shared__ float shared[kWarp + 1];
    const std::int64_t row = blockIdx.x * call.width;
    const int pieces = static_cast<int>(call.width / n);
    const auto* branch = static_cast<const T*>(call.branch);
    const float* summed = branch ? call.sum : call.x;
    Numbers<n> kept[kKept];
    float squares = 0;
    forPieces(pieces, [&](int slot, int piece) {
        const std::int64_t at = row + piece * n;
        Numbers<n> s = load<n>(call.x + at);
        if (branch) {
            const Numbers<n> added = load<n>(branch + at);
#pragma unroll
            for (int i = 0; i < n; ++i)
                s.at[i] += added.at[i];
            store(call.sum + at, s);
        }
#pragma unroll
        for (int i = 0; i < n; ++i)
            squares += s.at[i] * s.at[i];
        if (slot < kKept)
            kept[slot] = s;
    });
    const float total = combined(squares, shared, Plus());
    const float reciprocal = rsqrtf(total / static_cast<float>(call.width) + call.epsilon);
    if (threadIdx.x == 0)
        call.reciprocal[blockIdx.x] = reciprocal;
    forPieces(pieces, [&](int slot, int piece) {
        const Numbers<n> s = slot < kKept ? kept[slot] : load<n>(summed + row + piece * n);
        const Numbers<n> weight = load<n>(call.weight + piece * n);
        Numbers<n> y;
#pragma unroll
        for (int i = 0; i < n; ++i)
            y.at[i] = s.at[i] * reciprocal * weight.at[i];
        store(static_cast<T*>(call.output) + row + piece * n, y);
    });
}

/// Warps of a block where each has a row.
constexpr int kWarps = 4;
/// Pieces of a row that a lane keeps at most.
constexpr int kMostKept = 13;

/// ds = r·(w ∘ dy) − s·r³/D·Σ(w ∘ dy ∘ s); dw = Σ over rows of dy ∘ s·r.
template <class T, int n, int kPieces>
__global__ void __launch_bounds__(kWarps* kWarp) fusedNormGradientKernel(NormBackward call) {
    __shared__ Numbers<n> others[kWarps - 1][kPieces * kWarp];
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const int pieces = static_cast<int>(call.width / n);
    Numbers<n> weightGradient[kPieces] = {};
    const std::int64_t turn = static_cast<std::int64_t>(gridDim.x) * kWarps;
    for (std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * kWarps + warp; index < call.rows;
         index += turn) {
        const std::int64_t row = index * call.width;
        const auto* gradients = static_cast<const T*>(call.outputGradient) + row;
        Numbers<n> s[kPieces], ds[kPieces] = {};
        Packed<T, n> dy[kPieces];
        // All that the row needs is asked for at once. `through` may be what is written, so no load of it
        // could be moved ahead of the first store: each would wait for memory by itself.
#pragma unroll
        for (int slot = 0; slot < kPieces; ++slot) {
            const int piece = slot * kWarp + lane;
            if (piece < pieces) {
                s[slot] = load<n>(call.sum + row + piece * n);
                dy[slot] = loadPacked<n>(gradients + piece * n);
                if (call.through)
                    ds[slot] = load<n>(call.through + row + piece * n);
            }
        }
        const float reciprocal = call.reciprocal[index];
        float products = 0;
#pragma unroll
        for (int slot = 0; slot < kPieces; ++slot) {
            const int piece = slot * kWarp + lane;
            if (piece >= pieces)
                continue;
            const Numbers<n> weight = load<n>(call.weight + piece * n), given = unpacked(dy[slot]);
#pragma unroll
            for (int i = 0; i < n; ++i) {
                products += weight.at[i] * given.at[i] * s[slot].at[i];
                weightGradient[slot].at[i] += given.at[i] * s[slot].at[i] * reciprocal;
            }
        }
        const float total = combinedInWarp(products, Plus());
        const float factor = total * reciprocal * reciprocal * reciprocal / static_cast<float>(call.width);
#pragma unroll
        for (int slot = 0; slot < kPieces; ++slot) {
            const int piece = slot * kWarp + lane;
            if (piece >= pieces)
                continue;
            const std::int64_t at = row + piece * n;
            const Numbers<n> weight = load<n>(call.weight + piece * n), given = unpacked(dy[slot]);
#pragma unroll
            for (int i = 0; i < n; ++i)
                ds[slot].at[i] += reciprocal * weight.at[i] * given.at[i] - s[slot].at[i] * factor;
            store(call.sumGradient + at, ds[slot]);
            if (call.branchGradient)
                store(static_cast<T*>(call.branchGradient) + at, ds[slot]);
        }
    }
    if (warp > 0) {
#pragma unroll
        for (int slot = 0; slot < kPieces; ++slot)
            others[warp - 1][slot * kWarp + lane] = weightGradient[slot];
    }
    __syncthreads();
    if (warp > 0)
        return;
    float* partial = call.partials + blockIdx.x * call.width;
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot) {
        const int piece = slot * kWarp + lane;
        if (piece >= pieces)
            continue;
        for (int other = 0; other < kWarps - 1; ++other) {
#pragma unroll
            for (int i = 0; i < n; ++i)
                weightGradient[slot].at[i] += others[other][piece].at[i];
        }
        store(partial + piece * n, weightGradient[slot]);
    }
}

template <class T, int n>
__global__ void fusedNormGradientOfWideRowKernel(NormBackward call) {
    __shared__ float shared[kWarp + 1];
    const int pieces = static_cast<int>(call.width / n);
    float* partial = call.partials + blockIdx.x * call.width;
    Numbers<n> weightGradient[kKept];
    forPieces(pieces, [&](int slot, int piece) {
        if (slot < kKept)
            weightGradient[slot] = {};
        else
            store(partial + piece * n, Numbers<n>{});
    });
    for (std::int64_t index = blockIdx.x; index < call.rows; index += gridDim.x) {
        const std::int64_t row = index * call.width;
        const float reciprocal = call.reciprocal[index];
        const auto* gradients = static_cast<const T*>(call.outputGradient) + row;
        Numbers<n> kept[kKept], keptGradient[kKept];
        float products = 0;
        forPieces(pieces, [&](int slot, int piece) {
            const Numbers<n> s = load<n>(call.sum + row + piece * n), dy = load<n>(gradients + piece * n),
                             weight = load<n>(call.weight + piece * n);
            Numbers<n> added;
#pragma unroll
            for (int i = 0; i < n; ++i) {
                products += weight.at[i] * dy.at[i] * s.at[i];
                added.at[i] = dy.at[i] * s.at[i] * reciprocal;
            }
            if (slot < kKept) {
                kept[slot] = s;
                keptGradient[slot] = dy;
#pragma unroll
                for (int i = 0; i < n; ++i)
                    weightGradient[slot].at[i] += added.at[i];
            } else {
                const Numbers<n> before = load<n>(partial + piece * n);
#pragma unroll
                for (int i = 0; i < n; ++i)
                    added.at[i] += before.at[i];
                store(partial + piece * n, added);
            }
        });
        const float total = combined(products, shared, Plus());
        const float factor = total * reciprocal * reciprocal * reciprocal / static_cast<float>(call.width);
        forPieces(pieces, [&](int slot, int piece) {
            const std::int64_t at = row + piece * n;
            const Numbers<n> s = slot < kKept ? kept[slot] : load<n>(call.sum + at),
                             dy = slot < kKept ? keptGradient[slot] : load<n>(gradients + piece * n),
                             weight = load<n>(call.weight + piece * n);
            Numbers<n> ds = call.through ? load<n>(call.through + at) : Numbers<n>{};
#pragma unroll
            for (int i = 0; i < n; ++i)
                ds.at[i] += reciprocal * weight.at[i] * dy.at[i] - s.at[i] * factor;
            store(call.sumGradient + at, ds);
            if (call.branchGradient)
                store(static_cast<T*>(call.branchGradient) + at, ds);
        });
    }
    forPieces(pieces, [&](int slot, int piece) {
        if (slot < kKept)
            store(partial + piece * n, weightGradient[slot]);
    });
}

constexpr int kColumns = 32, kLines = 16;

/// A block sums kColumns columns; its lines take rows in turn and are then added in order.
__global__ void fusedNormWeightGradientKernel(const float* partials, int rows, std::int64_t width,
                                              float* sums) {
    __shared__ float lines[kLines][kColumns];
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kColumns + threadIdx.x;
    float sum = 0;
    if (column < width) {
        for (int row = threadIdx.y; row < rows; row += kLines)
            sum += partials[row * width + column];
    }
    lines[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= width)
        return;
    for (int line = 1; line < kLines; ++line)
        sum += lines[line][threadIdx.x];
    sums[column] = sum;
}

}  // namespace

int normForward(const NormForward& call, void* stream) {
    if (call.rows == 0 || call.width == 0)
        return cudaSuccess;
    return withType(call.type, [&](auto type) {
        return withPieces(call.width % 4 == 0, [&](auto n) {
            const int threads = threadsFor(call.width / n.value, kMostThreads);
            fusedNormKernel<decltype(type), n.value>
                <<<static_cast<unsigned>(call.rows), threads, 0, static_cast<cudaStream_t>(stream)>>>(call);
            return cudaGetLastError();
        });
    });
}

int normBackward(const NormBackward& call, void* stream) {
    if (call.rows == 0 || call.width == 0)
        return cudaSuccess;
    const auto on = static_cast<cudaStream_t>(stream);
    const auto partials = static_cast<unsigned>(call.partialRows);
    const cudaError_t error = withType(call.type, [&](auto type) {
        if (call.width % 4 == 0 && call.width <= 4 * kWarp * kMostKept) {
            // The widths of tiny, small, medium, large and xl fill them.
            withKeptPieces<2, 6, 8, 10, kMostKept>(call.width / 4, [&](auto p) {
                fusedNormGradientKernel<decltype(type), 4, p.value>
                    <<<partials, kWarps * kWarp, 0, on>>>(call);
            });
            return cudaGetLastError();
        }
        return withPieces(call.width % 4 == 0, [&](auto n) {
            const int threads = threadsFor(call.width / n.value, kMostThreads);
            fusedNormGradientOfWideRowKernel<decltype(type), n.value><<<partials, threads, 0, on>>>(call);
            return cudaGetLastError();
        });
    });
    if (error != cudaSuccess)
        return error;
    const auto blocks = static_cast<unsigned>((call.width + kColumns - 1) / kColumns);
    fusedNormWeightGradientKernel<<<blocks, dim3(kColumns, kLines), 0, on>>>(
        call.partials, static_cast<int>(partials), call.width, call.weightGradient);
    return cudaGetLastError();
}

}  // namespace warpglass::kernels
