#include "engine/kernels/four_numbers.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kThreads = 256;

/// n numbers are n / 2 pairs.
template <class T, int n>
__global__ void rotaryKernel(Rotary call) {
    const std::int64_t width = call.heads * call.headDimension, pieces = width / n;
    const std::int64_t piece = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (piece >= call.batch * call.length * pieces)
        return;
    const std::int64_t row = piece / pieces, column = (piece - row * pieces) * n;
    const std::int64_t at = row * call.stride + column;
    const Numbers<n> x = load<n>(static_cast<const T*>(call.x) + at);
    const Numbers<n> turn =
        load<n>(call.rotations + row % call.length * call.headDimension + column % call.headDimension);
    Numbers<n> turned;
#pragma unroll
    for (int i = 0; i < n; i += 2) {
        const float cosine = turn.at[i], sine = call.back ? -turn.at[i + 1] : turn.at[i + 1];
        turned.at[i] = x.at[i] * cosine - x.at[i + 1] * sine;
        turned.at[i + 1] = x.at[i] * sine + x.at[i + 1] * cosine;
    }
    store(static_cast<T*>(call.output) + at, turned);
}

}  // namespace

int rotary(const Rotary& call, void* stream) {
    const std::int64_t numbers = call.batch * call.length * call.heads * call.headDimension;
    if (numbers == 0)
        return cudaSuccess;
    return withType(call.type, [&](auto type) {
        const auto with = [&](auto n) {
            const auto blocks = static_cast<unsigned>((numbers / n.value + kThreads - 1) / kThreads);
            rotaryKernel<decltype(type), n.value>
                <<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(call);
            return cudaGetLastError();
        };
        return call.headDimension % 4 == 0 && call.stride % 4 == 0 ? with(std::integral_constant<int, 4>())
                                                                   : with(std::integral_constant<int, 2>());
    });
}

}  // namespace warpglass::kernels
