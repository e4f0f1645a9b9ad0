#include <cmath>

#include "engine/kernels/four_numbers.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kMostThreads = 512;

struct Greater {
    static constexpr float kNothing = -INFINITY;
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// Each thread's maximum and sum grow together (Milakov & Gimelshein 2018, arXiv 1805.02867), so that a row
/// is read once.
template <class T, int n>
__global__ void crossEntropyKernel(CrossEntropyForward call) {
    __shared__ float shared[kWarp + 1];
    const auto* logits = static_cast<const T*>(call.logits) + blockIdx.x * call.vocabulary;
    const int pieces = static_cast<int>(call.vocabulary / n);
    float most = -INFINITY, sum = 0;
    for (int piece = threadIdx.x; piece < pieces; piece += blockDim.x) {
        const Numbers<n> x = load<n>(logits + piece * n);
        float greatest = most;
#pragma unroll
        for (int i = 0; i < n; ++i)
            greatest = fmaxf(greatest, x.at[i]);
        if (greatest > most) {
            sum *= __expf(most - greatest);
            most = greatest;
        }
#pragma unroll
        for (int i = 0; i < n; ++i)
            sum += most == -INFINITY ? 0.0f : __expf(x.at[i] - most);
    }
    const float greatest = combined(most, shared, Greater());
    const float total = combined(most == -INFINITY ? 0.0f : sum * __expf(most - greatest), shared, Plus());
    if (threadIdx.x != 0)
        return;
    const float logSumExp = greatest + logf(total);
    call.logSumExp[blockIdx.x] = logSumExp;
    call.rowLosses[blockIdx.x] = logSumExp - static_cast<float>(logits[call.targets[blockIdx.x]]);
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
    const float logSumExp = call.logSumExp[blockIdx.x];
    const float factor = *call.lossGradient / static_cast<float>(call.rows);
    const std::int64_t target = call.targets[blockIdx.x];
    for (int piece = threadIdx.x; piece < pieces; piece += blockDim.x) {
        Numbers<n> x = load<n>(logits + piece * n);
#pragma unroll
        for (int i = 0; i < n; ++i) {
            const float probability = __expf(x.at[i] - logSumExp);
            x.at[i] = (piece * n + i == target ? probability - 1 : probability) * factor;
        }
        store(logits + piece * n, x);
    }
}

template <class Call, class Launch>
int launched(const Call& call, Launch launch) {
    if (call.rows == 0 || call.vocabulary == 0)
        return cudaSuccess;
    return withType(call.type, [&](auto type) {
        return withPieces(call.vocabulary % 4 == 0, [&](auto n) {
            launch(type, n, static_cast<unsigned>(call.rows),
                   threadsFor(call.vocabulary / n.value, kMostThreads));
            return cudaGetLastError();
        });
    });
}

}  // namespace

int crossEntropyForward(const CrossEntropyForward& call, void* stream) {
    const auto on = static_cast<cudaStream_t>(stream);
    const int error = launched(call, [&](auto type, auto n, unsigned rows, int threads) {
        crossEntropyKernel<decltype(type), n.value><<<rows, threads, 0, on>>>(call);
    });
    if (error != cudaSuccess || call.rows == 0)
        return error;
    crossEntropyMeanKernel<<<1, 1024, 0, on>>>(call.rowLosses, call.rows, call.loss);
    return cudaGetLastError();
}

int crossEntropyBackward(const CrossEntropyBackward& call, void* stream) {
    return launched(call, [&](auto type, auto n, unsigned rows, int threads) {
        crossEntropyGradientKernel<decltype(type), n.value>
            <<<rows, threads, 0, static_cast<cudaStream_t>(stream)>>>(call);
    });
}

}  // namespace warpglass::kernels
