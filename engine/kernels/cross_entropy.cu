#include <cmath>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kMostThreads = 512;
/// Small blocks wait for their threads soonest, and many of them fill a multiprocessor: while some wait for
/// memory, others sum. A thread's part of a row of 10,000 stays in its registers.
constexpr int kThreadsOfSum = 128, kKeptOfSum = 10;

/// The largest of some numbers, and the sum of e to the power of each less the largest. Kept without the 1
/// that the largest adds itself: a sum near 1 would round what all others add, which is the loss of a sure
/// model.
struct LogSum {
    float most = -INFINITY, sumLess1 = -1;
};

__device__ inline LogSum together(LogSum a, LogSum b) {
    const LogSum high = a.most >= b.most ? a : b, low = a.most >= b.most ? b : a;
    const float scale = low.most == -INFINITY ? 1 : __expf(low.most - high.most);
    return {high.most, high.sumLess1 + (low.sumLess1 + 1) * scale};
}

__device__ inline LogSum togetherInWarp(LogSum value) {
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = together(value, {__shfl_xor_sync(0xffffffff, value.most, step),
                                 __shfl_xor_sync(0xffffffff, value.sumLess1, step)});
    return value;
}

template <int n>
__device__ inline Numbers<n> allOf(float value) {
    Numbers<n> result;
#pragma unroll
    for (int i = 0; i < n; ++i)
        result.at[i] = value;
    return result;
}

/// The greater of two pairs of 16-bit numbers, each for itself.
template <class T>
__device__ inline std::uint32_t greaterPair(std::uint32_t a, std::uint32_t b) {
    using Pair = std::conditional_t<std::is_same_v<T, __half>, __half2, __nv_bfloat162>;
    const Pair greater = __hmax2(*reinterpret_cast<const Pair*>(&a), *reinterpret_cast<const Pair*>(&b));
    return *reinterpret_cast<const std::uint32_t*>(&greater);
}

/// The largest number of some pieces.
template <class T, int n>
class MostOf {
public:
    __device__ void add(const Packed<T, n>& piece) {
        if constexpr (kInPairs<T, n>) {
#pragma unroll
            for (const std::uint32_t pair : piece.parts)
                m_pair = greaterPair<T>(m_pair, pair);
        } else {
            const Numbers<n> x = unpacked(piece);
#pragma unroll
            for (int i = 0; i < n; ++i)
                m_most = fmaxf(m_most, x.at[i]);
        }
    }
    __device__ float value() const {
        if constexpr (kInPairs<T, n>) {
            const float2 pair = unpackedPair<T>(m_pair);
            return fmaxf(pair.x, pair.y);
        } else {
            return m_most;
        }
    }

private:
    float m_most = -INFINITY;
    std::uint32_t m_pair = packedPair<T>(-INFINITY, -INFINITY);
};

/// A thread sums against the largest of its own numbers, so that the block waits for its threads once only.
template <class T, int n>
__global__ void __launch_bounds__(kThreadsOfSum) crossEntropyKernel(CrossEntropyForward call) {
    __shared__ LogSum shared[kWarp];
    const auto* logits = static_cast<const T*>(call.logits) + blockIdx.x * call.vocabulary;
    const int pieces = static_cast<int>(call.vocabulary / n);
    float atTarget = 0;
    if (threadIdx.x == 0)
        atTarget = static_cast<float>(logits[call.targets[blockIdx.x]]);
    // Slots beyond the row hold −∞, which adds nothing, so that no sum waits for a branch.
    Packed<T, n> kept[kKeptOfSum];
#pragma unroll
    for (int slot = 0; slot < kKeptOfSum; ++slot) {
        const int piece = threadIdx.x + slot * blockDim.x;
        kept[slot] = piece < pieces ? loadPacked<n>(logits + piece * n) : packed<T>(allOf<n>(-INFINITY));
    }
    const auto forOwnPieces = [&](auto use) {
#pragma unroll
        for (int slot = 0; slot < kKeptOfSum; ++slot)
            use(kept[slot]);
#pragma unroll 1
        for (int piece = threadIdx.x + kKeptOfSum * blockDim.x; piece < pieces; piece += blockDim.x)
            use(loadPacked<n>(logits + piece * n));
    };
    MostOf<T, n> most;
    forOwnPieces([&](const Packed<T, n>& piece) { most.add(piece); });
    LogSum own{most.value()};
    const float base = own.most == -INFINITY ? 0 : own.most;  // −∞ less −∞ is no number
    forOwnPieces([&](const Packed<T, n>& piece) {
        const Numbers<n> x = unpacked(piece);
        float ofPiece = 0;
#pragma unroll
        for (int i = 0; i < n; ++i)
            ofPiece += __expf(x.at[i] - base);
        own.sumLess1 += ofPiece;
    });
    own = togetherInWarp(own);
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    if (lane == 0)
        shared[warp] = own;
    __syncthreads();
    if (warp != 0)
        return;
    const LogSum total = togetherInWarp(lane < blockDim.x / kWarp ? shared[lane] : LogSum());
    if (lane != 0)
        return;
    const float logSum = log1pf(total.sumLess1);
    call.rowSums[2 * blockIdx.x] = total.most;
    call.rowSums[2 * blockIdx.x + 1] = logSum;
    // In this order the loss of a row whose target is its largest logit is not rounded to that logit's size.
    call.rowLosses[blockIdx.x] = (total.most - atTarget) + logSum;
}

/// One block, so that the order of the sum is the same in every run.
__global__ void crossEntropyMeanKernel(const float* numbers, std::int64_t count, float* mean) {
    __shared__ float shared[kWarp + 1];
    float sum = 0;
#pragma unroll 16
    for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x)
        sum += numbers[i];
    const float total = combined(sum, shared, Plus());
    if (threadIdx.x == 0)
        *mean = total / static_cast<float>(count);
}

template <class T, int n>
__global__ void crossEntropyGradientKernel(CrossEntropyBackward call) {
    auto* logits = static_cast<T*>(call.logits) + blockIdx.x * call.vocabulary;
    const int pieces = static_cast<int>(call.vocabulary / n);
    const float most = call.rowSums[2 * blockIdx.x], logSum = call.rowSums[2 * blockIdx.x + 1];
    const float factor = *call.lossGradient / static_cast<float>(call.rows);
    const std::int64_t target = call.targets[blockIdx.x];
    for (int piece = threadIdx.x; piece < pieces; piece += blockDim.x) {
        Numbers<n> x = load<n>(logits + piece * n);
        float atTarget = 0;
#pragma unroll
        for (int i = 0; i < n; ++i) {
            const float logProbability = (x.at[i] - most) - logSum;
            atTarget = piece * n + i == target ? logProbability : atTarget;
            x.at[i] = __expf(logProbability) * factor;
        }
        if (piece == target / n) {
            // p − 1, of which rounding p would leave little where the model is sure.
            const float gradient = expm1f(atTarget) * factor;
#pragma unroll
            for (int i = 0; i < n; ++i)
                x.at[i] = piece * n + i == target ? gradient : x.at[i];
        }
        store(logits + piece * n, x);
    }
}

template <class Call, class Launch>
int launched(const Call& call, int mostThreads, Launch launch) {
    if (call.rows == 0 || call.vocabulary == 0)
        return cudaSuccess;
    return withType(call.type, [&](auto type) {
        return withWidePieces(type, call.vocabulary, [&](auto n) {
            launch(type, n, static_cast<unsigned>(call.rows),
                   threadsFor(call.vocabulary / n.value, mostThreads));
            return cudaGetLastError();
        });
    });
}

}  // namespace

int crossEntropyForward(const CrossEntropyForward& call, void* stream) {
    const auto on = static_cast<cudaStream_t>(stream);
    const int error = launched(call, kThreadsOfSum, [&](auto type, auto n, unsigned rows, int threads) {
        crossEntropyKernel<decltype(type), n.value><<<rows, threads, 0, on>>>(call);
    });
    if (error != cudaSuccess || call.rows == 0)
        return error;
    crossEntropyMeanKernel<<<1, 1024, 0, on>>>(call.rowLosses, call.rows, call.loss);
    return cudaGetLastError();
}

int crossEntropyBackward(const CrossEntropyBackward& call, void* stream) {
    return launched(call, kMostThreads, [&](auto type, auto n, unsigned rows, int threads) {
        crossEntropyGradientKernel<decltype(type), n.value>
            <<<rows, threads, 0, static_cast<cudaStream_t>(stream)>>>(call);
    });
}

}  // namespace warpglass::kernels
