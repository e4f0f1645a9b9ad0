// The tensors' addresses go with the launch as the kernel's parameter, of which CUDA takes 32,764 bytes:
// nothing is copied to the device before it, and a CUDA graph keeps them.
#include <algorithm>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kThreads = 256;
/// Numbers that a block updates.
constexpr int kChunk = 4096;
constexpr int kMostTensors = 512;

struct Table {
    AdamwTensor tensors[kMostTensors];
    /// The first chunk of each.
    int firstChunks[kMostTensors];
    int count;
    double learningRate, beta1, beta2, epsilon, weightDecay;
    const float *step, *scale, *foundInfinity;
};
static_assert(sizeof(Table) <= 32'764);

struct Factors {
    float decay, beta1, beta2, stepSize, rootCorrection, epsilon, gradient;
};

__device__ inline Factors factorsOf(const Table& table) {
    const double step = *table.step;
    const double correction1 = 1 - pow(table.beta1, step), correction2 = 1 - pow(table.beta2, step);
    return {static_cast<float>(1 - table.learningRate * table.weightDecay),
            static_cast<float>(table.beta1),
            static_cast<float>(table.beta2),
            static_cast<float>(table.learningRate / correction1),
            static_cast<float>(sqrt(correction2)),
            static_cast<float>(table.epsilon),
            table.scale ? 1 / *table.scale : 1.0f};
}

template <class T, int n>
__device__ inline void update(const AdamwTensor& tensor, std::int64_t at, const Factors& f) {
    Numbers<n> parameter = load<n>(tensor.parameter + at), first = load<n>(tensor.firstMoment + at),
               second = load<n>(tensor.secondMoment + at);
    const Numbers<n> gradients = load<n>(tensor.gradient + at);
#pragma unroll
    for (int i = 0; i < n; ++i) {
        const float gradient = gradients.at[i] * f.gradient;
        first.at[i] = f.beta1 * first.at[i] + (1 - f.beta1) * gradient;
        second.at[i] = f.beta2 * second.at[i] + (1 - f.beta2) * gradient * gradient;
        const float root = sqrtf(second.at[i]) / f.rootCorrection + f.epsilon;
        parameter.at[i] = parameter.at[i] * f.decay - f.stepSize * first.at[i] / root;
    }
    store(tensor.parameter + at, parameter);
    store(tensor.firstMoment + at, first);
    store(tensor.secondMoment + at, second);
    if (tensor.copy)
        store(static_cast<T*>(tensor.copy) + at, parameter);
}

template <class T>
__global__ void adamwKernel(const __grid_constant__ Table table) {
    __shared__ Factors shared;
    if (table.foundInfinity && *table.foundInfinity != 0)
        return;
    if (threadIdx.x == 0)
        shared = factorsOf(table);
    // The last tensor whose first chunk is not behind this block's.
    int low = 0, high = table.count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (table.firstChunks[middle] <= static_cast<int>(blockIdx.x))
            low = middle;
        else
            high = middle;
    }
    const AdamwTensor& tensor = table.tensors[low];
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x - table.firstChunks[low]) * kChunk;
    const std::int64_t end = min(begin + kChunk, tensor.count);
    __syncthreads();
    const Factors factors = shared;
    std::int64_t at = begin + threadIdx.x * 4;
    for (; at + 4 <= end; at += kThreads * 4)
        update<T, 4>(tensor, at, factors);
    for (; at < end; ++at)  // the last one to three numbers are one thread's
        update<T, 1>(tensor, at, factors);
}

}  // namespace

int adamw(const Adamw& call, void* stream) {
    const auto copies = call.type == NumberType::kFp32 ? NumberType::kBf16 : call.type;
    for (std::size_t first = 0; first < call.tensors.size(); first += kMostTensors) {
        Table table{};
        int chunks = 0;
        const std::size_t end = std::min(first + kMostTensors, call.tensors.size());
        for (std::size_t i = first; i < end; ++i) {
            if (call.tensors[i].count == 0)
                continue;
            table.tensors[table.count] = call.tensors[i];
            table.firstChunks[table.count++] = chunks;
            chunks += static_cast<int>((call.tensors[i].count + kChunk - 1) / kChunk);
        }
        if (chunks == 0)
            continue;
        table.learningRate = call.learningRate;
        table.beta1 = call.beta1;
        table.beta2 = call.beta2;
        table.epsilon = call.epsilon;
        table.weightDecay = call.weightDecay;
        table.step = call.step;
        table.scale = call.scale;
        table.foundInfinity = call.foundInfinity;
        const cudaError_t error = withType(copies, [&](auto type) {
            adamwKernel<decltype(type)>
                <<<static_cast<unsigned>(chunks), kThreads, 0, static_cast<cudaStream_t>(stream)>>>(table);
            return cudaGetLastError();
        });
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

}  // namespace warpglass::kernels
