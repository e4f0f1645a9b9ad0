#include "engine/kernels/flash_forward_hopper.cuh"

#include <cuda_runtime.h>

#include <algorithm>

#include "engine/kernels/flash_hopper.h"

namespace warpglass::kernels {
namespace {

using EncodeTiled = decltype(&cuTensorMapEncodeTiled);

/// The driver's function that makes a tensor map; null where the driver has none.
EncodeTiled encodeTiled() {
    static const EncodeTiled function = [] {
        void* found = nullptr;
        cudaDriverEntryPointQueryResult result{};
        const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                                                   cudaEnableDefault, &result);
        return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<EncodeTiled>(found)
                                                                             : nullptr;
    }();
    return function;
}

/// A map of boxes of 64 columns and `rows` rows, with the 128-byte swizzle.
bool makeMap(CUtensorMap& map, const AttentionShape& shape, const HeadTensor& tensor, int rows) {
    const EncodeTiled encode = encodeTiled();
    const auto size = [](int value) { return static_cast<cuuint64_t>(value); };
    const cuuint64_t sizes[] = {size(shape.headDimension), size(shape.length), size(shape.heads), size(shape.batch)};
    cuuint64_t strides[] = {static_cast<cuuint64_t>(tensor.rowStride) * 2, static_cast<cuuint64_t>(tensor.headStride) * 2,
                            static_cast<cuuint64_t>(tensor.batchStride) * 2};
    for (int i = 0; i < 3; ++i) {
        if (strides[i] == 0 && sizes[i + 1] > 1)
            return false;  // one row in place of many, which a map cannot say
        strides[i] = std::max<cuuint64_t>(strides[i], 16);  // of a dimension of one row it may be anything
    }
    const cuuint32_t box[] = {64, static_cast<cuuint32_t>(rows), 1, 1}, steps[] = {1, 1, 1, 1};
    const CUtensorMapDataType type = shape.type == HalfType::kBf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                                                   : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    return encode && encode(&map, type, 4, tensor.data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

template <class T, int d, bool causal>
cudaError_t launch(const AttentionShape& shape, const HopperForwardArguments& arguments, cudaStream_t stream) {
    using Tiling = HopperForwardTiling<d>;
    const auto kernel = flashForwardHopperKernel<T, d, causal>;
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::bytes);
    if (error != cudaSuccess)
        return error;
    const dim3 grid((shape.length + Tiling::queries - 1) / Tiling::queries, shape.heads, shape.batch);
    kernel<<<grid, Tiling::threads, Tiling::bytes, stream>>>(arguments);
    return cudaGetLastError();
}

template <class T, int d>
cudaError_t launch(const AttentionShape& shape, const HopperForwardArguments& arguments, cudaStream_t stream) {
    return shape.causal ? launch<T, d, true>(shape, arguments, stream) : launch<T, d, false>(shape, arguments, stream);
}

template <int d>
cudaError_t launch(const AttentionShape& shape, const HopperForwardArguments& arguments, cudaStream_t stream) {
    return shape.type == HalfType::kBf16 ? launch<__nv_bfloat16, d>(shape, arguments, stream)
                                         : launch<__half, d>(shape, arguments, stream);
}

}  // namespace

bool flashForwardHopper(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k, const HeadTensor& v,
                        const HeadTensor& output, float* logSumExp, void* stream, int& error) {
    if (shape.headDimension != 64 && shape.headDimension != 128)
        return false;
    int device = 0, major = 0, minor = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess || major != 9 || minor != 0)
        return false;
    HopperForwardArguments arguments{{}, {}, {}, output, logSumExp, shape.heads, shape.length, shape.scale * kLog2E};
    constexpr int keys = HopperForwardTiling<64>::keys;
    if (!makeMap(arguments.q, shape, q, 64) || !makeMap(arguments.k, shape, k, keys) ||
        !makeMap(arguments.v, shape, v, keys))
        return false;
    const auto on = static_cast<cudaStream_t>(stream);
    error = shape.headDimension == 64 ? launch<64>(shape, arguments, on) : launch<128>(shape, arguments, on);
    return true;
}

}  // namespace warpglass::kernels
