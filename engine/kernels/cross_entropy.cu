#include <cmath>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kMostThreads = 512;
/// A thread's part of a row of 10,000 stays in its registers.
constexpr int kThreadsOfSum = 256;

/// The largest of some numbers, and the sum of e to the power of each less the largest.
struct LogSum {
    float most = -INFINITY, sum = 0;
};

__device__ inline LogSum together(LogSum a, LogSum b) {
    const float most = fmaxf(a.most, b.most);
    if (most == -INFINITY)
        return {most, a.sum + b.sum};
    return {most, a.sum * __expf(a.most - most) + b.sum * __expf(b.most - most)};
}

__device__ inline LogSum togetherInWarp(LogSum value) {
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2)
        value = together(value, {__shfl_xor_sync(0xffffffff, value.most, step),
                                 __shfl_xor_sync(0xffffffff, value.sum, step)});
    return value;
}

/// A thread sums against the largest of its own numbers, so that the block waits for its threads once only.
template <class T, int n>
__global__ void crossEntropyKernel(CrossEntropyForward call) {
    __shared__ LogSum shared[kWarp];
    const auto* logits = static_cast<const T*>(call.logits) + blockIdx.x * call.vocabulary;
    const int pieces = static_cast<int>(call.vocabulary / n);
    float atTarget = 0;
    if (threadIdx.x == 0)
        atTarget = static_cast<float>(logits[call.targets[blockIdx.x]]);
    Packed<T, n> kept[kKept];
    forPieces(pieces, [&](int slot, int piece) {
        if (slot < kKept)
            kept[slot] = loadPacked<n>(logits + piece * n);
    });
    LogSum own;
    const auto numbers = [&](int slot, int piece) {
        return unpacked(slot < kKept ? kept[slot] : loadPacked<n>(logits + piece * n));
    };
    forPieces(pieces, [&](int slot, int piece) {
        const Numbers<n> x = numbers(slot, piece);
#pragma unroll
        for (int i = 0; i < n; ++i)
            own.most = fmaxf(own.most, x.at[i]);
    });
    const float base = own.most == -INFINITY ? 0 : own.most;  // −∞ less −∞ is no number
    forPieces(pieces, [&](int slot, int piece) {
        const Numbers<n> x = numbers(slot, piece);
#pragma unroll
        for (int i = 0; i < n; ++i)
            own.sum += __expf(x.at[i] - base);
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
    const float logSum = logf(total.sum);
    call.rowSums[2 * blockIdx.x] = total.most;
    call.rowSums[2 * blockIdx.x + 1] = logSum;
    // In this order the loss of a row whose target is its largest logit is not rounded to that logit's size.
    call.rowLosses[blockIdx.x] = (total.most - atTarget) + logSum;
}

/// One block, so that the order of the sum is the same in every run.
__global__ void crossEntropyMeanKernel(const float* numbers, std::int64_t count, float* mean) {
    __shared__ float shared[kWarp + 1];
    float sum = 0;
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
