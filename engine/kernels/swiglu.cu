#include <numeric>

#include "engine/kernels/row_pieces.cuh"

namespace warpglass::kernels {
namespace {

constexpr int kThreads = 256;

/// This thread's piece: false behind the last. Pieces are counted along rows, one row after another.
struct Place {
    /// In a tensor whose rows follow each other, and in one with a stride.
    std::int64_t dense, strided;
};
template <int n>
__device__ inline bool placeOf(std::int64_t rows, std::int64_t width, std::int64_t stride, Place& place) {
    const std::int64_t pieces = width / n;
    const std::int64_t piece = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (piece >= rows * pieces)
        return false;
    const std::int64_t row = piece / pieces;
    place = {piece * n, row * stride + (piece - row * pieces) * n};
    return true;
}

__device__ inline float sigmoid(float x) {
    return 1 / (1 + __expf(-x));
}

template <class T, int n>
__global__ void swigluKernel(SwigluForward call) {
    Place place;
    if (!placeOf<n>(call.rows, call.width, call.stride, place))
        return;
    const Numbers<n> gate = load<n>(static_cast<const T*>(call.gate) + place.strided),
                     value = load<n>(static_cast<const T*>(call.value) + place.strided);
    Numbers<n> hidden;
#pragma unroll
    for (int i = 0; i < n; ++i)
        hidden.at[i] = gate.at[i] * sigmoid(gate.at[i]) * value.at[i];
    store(static_cast<T*>(call.hidden) + place.dense, hidden);
}

template <class T, int n>
__global__ void swigluGradientKernel(SwigluBackward call) {
    Place place;
    if (!placeOf<n>(call.rows, call.width, call.stride, place))
        return;
    const Numbers<n> gate = load<n>(static_cast<const T*>(call.gate) + place.strided),
                     value = load<n>(static_cast<const T*>(call.value) + place.strided),
                     gradient = load<n>(static_cast<const T*>(call.hiddenGradient) + place.dense);
    Numbers<n> gateGradient, valueGradient;
#pragma unroll
    for (int i = 0; i < n; ++i) {
        const float s = sigmoid(gate.at[i]);
        valueGradient.at[i] = gradient.at[i] * gate.at[i] * s;
        gateGradient.at[i] = gradient.at[i] * value.at[i] * s * (1 + gate.at[i] * (1 - s));
    }
    store(static_cast<T*>(call.gateGradient) + place.strided, gateGradient);
    store(static_cast<T*>(call.valueGradient) + place.strided, valueGradient);
}

/// Sixteen bytes at once where rows allow it.
template <class Call, class Launch>
int launched(const Call& call, Launch launch) {
    if (call.rows == 0 || call.width == 0)
        return cudaSuccess;
    return withType(call.type, [&](auto type) {
        // What divides both the width and the stride divides this.
        return withWidePieces(type, std::gcd(call.width, call.stride), [&](auto n) {
            const std::int64_t pieces = call.rows * (call.width / n.value);
            launch(type, n, static_cast<unsigned>((pieces + kThreads - 1) / kThreads));
            return cudaGetLastError();
        });
    });
}

}  // namespace

int swigluForward(const SwigluForward& call, void* stream) {
    return launched(call, [&](auto type, auto n, unsigned blocks) {
        swigluKernel<decltype(type), n.value>
            <<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(call);
    });
}

int swigluBackward(const SwigluBackward& call, void* stream) {
    return launched(call, [&](auto type, auto n, unsigned blocks) {
        swigluGradientKernel<decltype(type), n.value>
            <<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(call);
    });
}

}  // namespace warpglass::kernels
