// Scale, mask and softmax of attention's scores in one kernel. A warp has a row in its registers; longer rows
// are a block's.
#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kMostThreads = 256;

/// Warps of a block where each has a row.
constexpr int kWarps = 4;
/// Pieces of a row that a lane keeps at most.
constexpr int kMostKept = 8;

/// How many columns a row sees.
template <class Call>
__device__ inline int seenColumns(const Call& call, std::int64_t row) {
    return static_cast<int>(call.causal ? row % call.length + 1 : call.length);
}

/// The row of this warp.
__device__ inline std::int64_t rowOfWarp() {
    return static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarp;
}

template <class T, int n, int kPieces>
__global__ void __launch_bounds__(kWarps* kWarp) maskedSoftmaxKernel(SoftmaxForward call) {
    const std::int64_t index = rowOfWarp();
    if (index >= call.rows)
        return;
    auto* row = static_cast<T*>(call.scores) + index * call.length;
    const int lane = threadIdx.x % kWarp, length = static_cast<int>(call.length),
              seen = seenColumns(call, index);
    Numbers<n> x[kPieces];
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot) {
        const int first = (slot * kWarp + lane) * n;
        if (first < seen)
            x[slot] = load<n>(row + first);
#pragma unroll
        for (int i = 0; i < n; ++i)
            x[slot].at[i] = first + i < seen ? x[slot].at[i] * call.scale : -INFINITY;
    }
    float most = -INFINITY;
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot)
#pragma unroll
        for (int i = 0; i < n; ++i)
            most = fmaxf(most, x[slot].at[i]);
    most = combinedInWarp(most, Greater());
    float sum = 0;
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot)
#pragma unroll
        for (int i = 0; i < n; ++i)
            sum += x[slot].at[i] = __expf(x[slot].at[i] - most);
    const float inverse = 1 / combinedInWarp(sum, Plus());
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot) {
        const int first = (slot * kWarp + lane) * n;
        if (first >= length)
            continue;
#pragma unroll
        for (int i = 0; i < n; ++i)
            x[slot].at[i] *= inverse;
        store(row + first, x[slot]);
    }
}

template <class T, int n, int kPieces>
__global__ void __launch_bounds__(kWarps* kWarp) maskedSoftmaxGradientKernel(SoftmaxBackward call) {
    const std::int64_t index = rowOfWarp();
    if (index >= call.rows)
        return;
    const auto* weights = static_cast<const T*>(call.weights) + index * call.length;
    auto* gradient = static_cast<T*>(call.gradient) + index * call.length;
    const int lane = threadIdx.x % kWarp, length = static_cast<int>(call.length),
              seen = seenColumns(call, index);
    // Beyond what the row sees its weights are 0, and so is their gradient.
    Packed<T, n> weightPieces[kPieces] = {}, gradientPieces[kPieces] = {};
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot) {
        const int first = (slot * kWarp + lane) * n;
        if (first < seen) {
            weightPieces[slot] = loadPacked<n>(weights + first);
            gradientPieces[slot] = loadPacked<n>(gradient + first);
        }
    }
    float products = 0;
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot) {
        const Numbers<n> p = unpacked(weightPieces[slot]), dp = unpacked(gradientPieces[slot]);
#pragma unroll
        for (int i = 0; i < n; ++i)
            products += p.at[i] * dp.at[i];
    }
    const float total = combinedInWarp(products, Plus());
#pragma unroll
    for (int slot = 0; slot < kPieces; ++slot) {
        const int first = (slot * kWarp + lane) * n;
        if (first >= length)
            continue;
        const Numbers<n> p = unpacked(weightPieces[slot]);
        Numbers<n> ds = unpacked(gradientPieces[slot]);
#pragma unroll
        for (int i = 0; i < n; ++i)
            ds.at[i] = call.scale * p.at[i] * (ds.at[i] - total);
        store(gradient + first, ds);
    }
}

template <class T, int n>
__global__ void maskedSoftmaxOfLongRowKernel(SoftmaxForward call) {
    __shared__ float shared[kWarp + 1];
    auto* row = static_cast<T*>(call.scores) + blockIdx.x * call.length;
    const int pieces = static_cast<int>(call.length / n), seen = seenColumns(call, blockIdx.x);
    const auto scaled = [&](int piece) {
        Numbers<n> x;
        if (piece * n < seen)
            x = load<n>(row + piece * n);
#pragma unroll
        for (int i = 0; i < n; ++i)
            x.at[i] = piece * n + i < seen ? x.at[i] * call.scale : -INFINITY;
        return x;
    };
    Numbers<n> kept[kKept];
    float most = -INFINITY;
    forPieces(pieces, [&](int slot, int piece) {
        const Numbers<n> x = scaled(piece);
#pragma unroll
        for (int i = 0; i < n; ++i)
            most = fmaxf(most, x.at[i]);
        if (slot < kKept)
            kept[slot] = x;
    });
    most = combined(most, shared, Greater());
    float sum = 0;
    const auto exponentials = [&](Numbers<n> x) {
#pragma unroll
        for (int i = 0; i < n; ++i)
            x.at[i] = __expf(x.at[i] - most);
        return x;
    };
    forPieces(pieces, [&](int slot, int piece) {
        const Numbers<n> e = exponentials(slot < kKept ? kept[slot] : scaled(piece));
#pragma unroll
        for (int i = 0; i < n; ++i)
            sum += e.at[i];
        if (slot < kKept)
            kept[slot] = e;
    });
    const float inverse = 1 / combined(sum, shared, Plus());
    forPieces(pieces, [&](int slot, int piece) {
        Numbers<n> e = slot < kKept ? kept[slot] : exponentials(scaled(piece));
#pragma unroll
        for (int i = 0; i < n; ++i)
            e.at[i] *= inverse;
        store(row + piece * n, e);
    });
}

template <class T, int n>
__global__ void maskedSoftmaxGradientOfLongRowKernel(SoftmaxBackward call) {
    __shared__ float shared[kWarp + 1];
    const std::int64_t first = blockIdx.x * call.length;
    const auto* weights = static_cast<const T*>(call.weights) + first;
    auto* gradient = static_cast<T*>(call.gradient) + first;
    const int pieces = static_cast<int>(call.length / n), seen = seenColumns(call, blockIdx.x);
    // Beyond what the row sees its weights are 0, and so is their gradient.
    const auto loaded = [&](const T* from, int piece) {
        return piece * n < seen ? load<n>(from + piece * n) : Numbers<n>{};
    };
    Numbers<n> keptWeights[kKept], keptGradient[kKept];
    float products = 0;
    forPieces(pieces, [&](int slot, int piece) {
        const Numbers<n> p = loaded(weights, piece), dp = loaded(gradient, piece);
#pragma unroll
        for (int i = 0; i < n; ++i)
            products += p.at[i] * dp.at[i];
        if (slot < kKept) {
            keptWeights[slot] = p;
            keptGradient[slot] = dp;
        }
    });
    const float total = combined(products, shared, Plus());
    forPieces(pieces, [&](int slot, int piece) {
        const Numbers<n> p = slot < kKept ? keptWeights[slot] : loaded(weights, piece);
        Numbers<n> ds = slot < kKept ? keptGradient[slot] : loaded(gradient, piece);
#pragma unroll
        for (int i = 0; i < n; ++i)
            ds.at[i] = call.scale * p.at[i] * (ds.at[i] - total);
        store(gradient + piece * n, ds);
    });
}

/// Calls launch(type, n, p, blocks, threads); p is how many pieces of n numbers a lane keeps of its row, 0
/// where that is more than kMostKept.
template <class Call, class Launch>
int launched(const Call& call, Launch launch) {
    if (call.rows == 0 || call.length == 0)
        return cudaSuccess;
    return withType(call.type, [&](auto type) {
        return withWidePieces(type, call.length, [&](auto n) {
            const std::int64_t pieces = call.length / n.value;
            const auto with = [&](auto p) {
                const std::int64_t blocks = p.value > 0 ? (call.rows + kWarps - 1) / kWarps : call.rows;
                const int threads = p.value > 0 ? kWarps * kWarp : threadsFor(pieces, kMostThreads);
                launch(type, n, p, static_cast<unsigned>(blocks), threads);
            };
            if constexpr (n.value == 1)
                withKeptPieces<kMostKept, 0>(pieces, with);
            else
                withKeptPieces<1, 2, 4, kMostKept, 0>(pieces, with);
            return cudaGetLastError();
        });
    });
}

}  // namespace

int softmaxForward(const SoftmaxForward& call, void* stream) {
    const auto on = static_cast<cudaStream_t>(stream);
    return launched(call, [&](auto type, auto n, auto p, unsigned blocks, int threads) {
        if constexpr (p.value > 0)
            maskedSoftmaxKernel<decltype(type), n.value, p.value><<<blocks, threads, 0, on>>>(call);
        else
            maskedSoftmaxOfLongRowKernel<decltype(type), n.value><<<blocks, threads, 0, on>>>(call);
    });
}

int softmaxBackward(const SoftmaxBackward& call, void* stream) {
    const auto on = static_cast<cudaStream_t>(stream);
    return launched(call, [&](auto type, auto n, auto p, unsigned blocks, int threads) {
        if constexpr (p.value > 0)
            maskedSoftmaxGradientKernel<decltype(type), n.value, p.value><<<blocks, threads, 0, on>>>(call);
        else
            maskedSoftmaxGradientOfLongRowKernel<decltype(type), n.value><<<blocks, threads, 0, on>>>(call);
    });
}

}  // namespace warpglass::kernels
