// Starts the twins of attention's kernels that write a clock (kernel_clock.h).
#include <cuda_runtime.h>

#include <type_traits>

#include "engine/kernels/flash_arguments.cuh"
#include "engine/kernels/flash_attention_launch.cuh"
#include "engine/kernels/flash_hopper.h"

namespace warpglass::kernels {

#define WARPGLASS_EXTERN_CLOCKED(T, d)                                                     \
    extern template cudaError_t launchForward<T, d, KernelClock>(                          \
        const AttentionShape&, const ForwardArguments&, cudaStream_t, const KernelClock&); \
    extern template cudaError_t launchBackward<T, d, KernelClock>(                         \
        const AttentionShape&, const BackwardArguments&, cudaStream_t, const KernelClock&);
WARPGLASS_EXTERN_CLOCKED(__half, 64)
WARPGLASS_EXTERN_CLOCKED(__nv_bfloat16, 64)
WARPGLASS_EXTERN_CLOCKED(__half, 128)
WARPGLASS_EXTERN_CLOCKED(__nv_bfloat16, 128)
#undef WARPGLASS_EXTERN_CLOCKED

namespace {

/// In a graph this is a node before the kernel's.
cudaError_t startAnew(const KernelClock& clock, cudaStream_t stream) {
    return cudaMemsetAsync(clock.counts, 0, sizeof(ClockCounts), stream);
}

/// Calls use(T(), std::integral_constant<int, d>()) for those of the shape. Precondition: hasKernelClock(d).
template <class Use>
int withClockedKernel(const AttentionShape& shape, Use use) {
    const auto withType = [&](auto d) {
        return shape.type == AttentionType::kBf16 ? use(__nv_bfloat16(), d) : use(__half(), d);
    };
    return shape.headDimension == 64 ? withType(std::integral_constant<int, 64>())
                                     : withType(std::integral_constant<int, 128>());
}

ClockedWork workOf(const AttentionShape& shape, int rows) {
    return {shape.heads, shape.batch, roundedUp(shape.length, rows), rows, shape.causal};
}

}  // namespace

int flashForwardClocked(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                        const HeadTensor& v, const HeadTensor& output, float* logSumExp, void* stream,
                        const KernelClock& clock, ClockedWork& work) {
    if (isFp32(shape.type) || !hasKernelClock(shape.headDimension))
        return cudaErrorInvalidValue;
    const auto on = static_cast<cudaStream_t>(stream);
    if (const cudaError_t error = startAnew(clock, on); error != cudaSuccess)
        return error;
    // Hopper's tiles have as many rows as the portable ones.
    static_assert(ChosenForwardTiling<64>::queries == kClockedTileRows &&
                  ChosenForwardTiling<128>::queries == kClockedTileRows);
    work = workOf(shape, kClockedTileRows);
    int error = 0;
    if (flashForwardHopper(shape, q, k, v, output, logSumExp, stream, error, &clock))
        return error;
    const ForwardArguments arguments = forwardArguments(shape, q, k, v, output, logSumExp);
    return withClockedKernel(shape, [&](auto type, auto d) {
        return launchForward<decltype(type), d.value>(shape, arguments, on, clock);
    });
}

int flashBackwardClocked(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                         const HeadTensor& v, const HeadTensor& output, const HeadTensor& outputGradient,
                         const float* logSumExp, const HeadTensor& qGradient, const HeadTensor& kGradient,
                         const HeadTensor& vGradient, const BackwardScratch& scratch, void* stream,
                         const KernelClock& clock, ClockedWork& work) {
    if (isFp32(shape.type) || !hasKernelClock(shape.headDimension))
        return cudaErrorInvalidValue;
    const auto on = static_cast<cudaStream_t>(stream);
    if (const cudaError_t error = startAnew(clock, on); error != cudaSuccess)
        return error;
    work = workOf(shape, kClockedTileRows);
    const BackwardArguments arguments = backwardArguments(shape, q, k, v, output, outputGradient, logSumExp,
                                                          qGradient, kGradient, vGradient, scratch);
    int error = 0;
    if (flashBackwardHopper(shape, arguments, stream, error, &clock))
        return error;
    return withClockedKernel(shape, [&](auto type, auto d) {
        return launchBackward<decltype(type), d.value>(shape, arguments, on, clock);
    });
}

}  // namespace warpglass::kernels
