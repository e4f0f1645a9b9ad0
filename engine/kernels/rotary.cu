#include <limits>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kThreads = 256;

__device__ inline std::int64_t placeOf(const HeadStrides& strides, unsigned sequence, unsigned position,
                                       unsigned head) {
    return sequence * strides.batch + position * strides.position + head * strides.head;
}

/// n numbers are n / 2 pairs. The pieces of a head are neighbors, then heads, positions and sequences; a row
/// of blocks has a tensor.
template <class T, int n>
__global__ void rotaryKernel(Rotary call) {
    // 32 bits divide several times as fast as 64.
    const auto length = static_cast<unsigned>(call.length), heads = static_cast<unsigned>(call.heads);
    const auto pieces = static_cast<unsigned>(call.headDimension) / n;
    const unsigned piece = blockIdx.x * kThreads + threadIdx.x;
    const unsigned headOfAll = piece / pieces, column = (piece - headOfAll * pieces) * n;
    const unsigned row = headOfAll / heads, head = headOfAll - row * heads;
    const unsigned sequence = row / length, position = row - sequence * length;
    if (sequence >= static_cast<unsigned>(call.batch))
        return;
    const int part = static_cast<int>(blockIdx.y);
    const auto* from = static_cast<const T*>(call.x[part]);
    auto* to = static_cast<T*>(call.output[part]);
    Numbers<n> x = load<n>(from + placeOf(call.strides, sequence, position, head) + column);
    if (part < call.turned) {
        const Numbers<n> turn =
            load<n>(call.rotations + static_cast<std::int64_t>(position) * call.headDimension + column);
#pragma unroll
        for (int i = 0; i < n; i += 2) {
            const float cosine = turn.at[i], sine = call.back ? -turn.at[i + 1] : turn.at[i + 1];
            const float real = x.at[i] * cosine - x.at[i + 1] * sine;
            x.at[i + 1] = x.at[i] * sine + x.at[i + 1] * cosine;
            x.at[i] = real;
        }
    }
    store(to + placeOf(call.outputStrides, sequence, position, head) + column, x);
}

}  // namespace

int rotary(const Rotary& call, void* stream) {
    const std::int64_t numbers = call.batch * call.length * call.heads * call.headDimension;
    if (numbers == 0)
        return cudaSuccess;
    return withType(call.type, [&](auto type) {
        const auto with = [&](auto n) {
            if (numbers / n.value > std::numeric_limits<unsigned>::max() - kThreads)
                return cudaErrorInvalidValue;  // pieces are counted in 32 bits
            const auto blocks = static_cast<unsigned>((numbers / n.value + kThreads - 1) / kThreads);
            rotaryKernel<decltype(type), n.value><<<dim3(blocks, static_cast<unsigned>(call.parts)), kThreads,
                                                    0, static_cast<cudaStream_t>(stream)>>>(call);
            return cudaGetLastError();
        };
        constexpr int kWidest = 16 / sizeof(type);
        const auto fits = [&](int n) {
            const auto fit = [n](const HeadStrides& s) {
                return s.batch % n == 0 && s.position % n == 0 && s.head % n == 0;
            };
            return call.headDimension % n == 0 && fit(call.strides) && fit(call.outputStrides);
        };
        return fits(kWidest) ? with(std::integral_constant<int, kWidest>())
               : fits(4)     ? with(std::integral_constant<int, 4>())
                             : with(std::integral_constant<int, 2>());
    });
}

}  // namespace warpglass::kernels
