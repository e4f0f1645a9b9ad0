#include "engine/kernels/flash_attention.h"

#include <type_traits>

#include "engine/kernels/flash_arguments.cuh"
#include "engine/kernels/flash_attention_launch.cuh"
#include "engine/kernels/flash_fp32.cuh"
#include "engine/kernels/flash_hopper.h"

namespace warpglass::kernels {

#define WARPGLASS_EXTERN_ATTENTION(T, d)                                                              \
    extern template cudaError_t launchForward<T, d>(const AttentionShape&, const ForwardArguments&,   \
                                                    cudaStream_t);                                    \
    extern template cudaError_t launchBackward<T, d>(const AttentionShape&, const BackwardArguments&, \
                                                     cudaStream_t);
#define WARPGLASS_EXTERN_ATTENTION_TYPES(d) \
    WARPGLASS_EXTERN_ATTENTION(__half, d)   \
    WARPGLASS_EXTERN_ATTENTION(__nv_bfloat16, d)
WARPGLASS_EXTERN_ATTENTION_TYPES(16)
WARPGLASS_EXTERN_ATTENTION_TYPES(32)
WARPGLASS_EXTERN_ATTENTION_TYPES(64)
WARPGLASS_EXTERN_ATTENTION_TYPES(80)
WARPGLASS_EXTERN_ATTENTION_TYPES(96)
WARPGLASS_EXTERN_ATTENTION_TYPES(128)
#undef WARPGLASS_EXTERN_ATTENTION_TYPES
#undef WARPGLASS_EXTERN_ATTENTION

namespace {

template <int d>
using Dimension = std::integral_constant<int, d>;

/// Calls use(Dimension<d>()) for a head dimension that there is a kernel for.
template <class Use>
cudaError_t withDimension(int headDimension, Use use) {
    switch (headDimension) {
        case 16:
            return use(Dimension<16>());
        case 32:
            return use(Dimension<32>());
        case 64:
            return use(Dimension<64>());
        case 80:
            return use(Dimension<80>());
        case 96:
            return use(Dimension<96>());
        case 128:
            return use(Dimension<128>());
        default:
            return cudaErrorInvalidValue;
    }
}

/// The backward pass reads logSumExp, and has the gradients besides.
Fp32Arguments fp32Arguments(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                            const HeadTensor& v, const HeadTensor& output, const HeadTensor& outputGradient,
                            float* logSumExp, const HeadTensor& qGradient, const HeadTensor& kGradient,
                            const HeadTensor& vGradient, float* delta) {
    return {q,          k,         v,     output,      outputGradient, qGradient,           kGradient,
            vGradient,  logSumExp, delta, shape.heads, shape.length,   shape.headDimension, shape.causal,
            shape.scale};
}

/// Calls use(Dimension<width>()) for the narrowest tiles in fp32 that hold a head.
template <class Use>
cudaError_t withFp32Width(int headDimension, Use use) {
    return headDimension <= 32   ? use(Dimension<32>())
           : headDimension <= 64 ? use(Dimension<64>())
                                 : use(Dimension<128>());
}

}  // namespace

bool hasFlashAttention(int headDimension) {
    return withDimension(headDimension, [](auto) { return cudaSuccess; }) == cudaSuccess;
}

int flashForward(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k, const HeadTensor& v,
                 const HeadTensor& output, float* logSumExp, void* stream) {
    if (!hasFlashAttention(shape.headDimension))
        return cudaErrorInvalidValue;
    const auto on = static_cast<cudaStream_t>(stream);
    if (isFp32(shape.type)) {
        const Fp32Arguments all = fp32Arguments(shape, q, k, v, output, {}, logSumExp, {}, {}, {}, nullptr);
        return withFp32Width(shape.headDimension,
                             [&](auto width) { return launchForwardFp32<width.value>(shape, all, on); });
    }
    int error = 0;
    if (flashForwardHopper(shape, q, k, v, output, logSumExp, stream, error))
        return error;
    const ForwardArguments arguments = forwardArguments(shape, q, k, v, output, logSumExp);
    return withDimension(shape.headDimension, [&](auto d) {
        return shape.type == AttentionType::kBf16
                   ? launchForward<__nv_bfloat16, d.value>(shape, arguments, on)
                   : launchForward<__half, d.value>(shape, arguments, on);
    });
}

int flashBackward(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k, const HeadTensor& v,
                  const HeadTensor& output, const HeadTensor& outputGradient, const float* logSumExp,
                  const HeadTensor& qGradient, const HeadTensor& kGradient, const HeadTensor& vGradient,
                  const BackwardScratch& scratch, void* stream) {
    if (!hasFlashAttention(shape.headDimension))
        return cudaErrorInvalidValue;
    const auto on = static_cast<cudaStream_t>(stream);
    if (isFp32(shape.type)) {
        const Fp32Arguments all =
            fp32Arguments(shape, q, k, v, output, outputGradient, const_cast<float*>(logSumExp), qGradient,
                          kGradient, vGradient, scratch.delta);
        return withFp32Width(shape.headDimension,
                             [&](auto width) { return launchBackwardFp32<width.value>(shape, all, on); });
    }
    const BackwardArguments arguments = backwardArguments(shape, q, k, v, output, outputGradient, logSumExp,
                                                          qGradient, kGradient, vGradient, scratch);
    int error = 0;
    if (flashBackwardHopper(shape, arguments, stream, error))
        return error;
    return withDimension(shape.headDimension, [&](auto d) {
        return shape.type == AttentionType::kBf16
                   ? launchBackward<__nv_bfloat16, d.value>(shape, arguments, on)
                   : launchBackward<__half, d.value>(shape, arguments, on);
    });
}

}  // namespace warpglass::kernels
