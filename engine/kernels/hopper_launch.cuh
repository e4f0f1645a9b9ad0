// What starting any of Hopper's kernels takes: whether this GPU has their instructions, and tensor maps.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <type_traits>

#include "engine/kernels/flash_attention.h"

namespace warpglass::kernels {

/// Whether the calling thread's device has compute capability 9.0.
inline bool deviceIsHopper() {
    int device = 0, major = 0, minor = 0;
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
           cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess && major == 9 && minor == 0;
}

/// Whether there are kernels in Hopper's own instructions for this shape on the calling thread's device.
inline bool hasHopperKernels(const AttentionShape& shape) {
    return (shape.headDimension == 64 || shape.headDimension == 128) && !isFp32(shape.type) && deviceIsHopper();
}

/// Calls use(T(), d, causal), the latter two as integral constants. Precondition: hasHopperKernels(shape).
template <class Use>
cudaError_t withHopperKernel(const AttentionShape& shape, Use use) {
    const auto withMask = [&](auto type, auto d) {
        return shape.causal ? use(type, d, std::true_type()) : use(type, d, std::false_type());
    };
    const auto withDimension = [&](auto type) {
        return shape.headDimension == 64 ? withMask(type, std::integral_constant<int, 64>())
                                         : withMask(type, std::integral_constant<int, 128>());
    };
    return shape.type == AttentionType::kBf16 ? withDimension(__nv_bfloat16()) : withDimension(__half());
}

using EncodeTiled = decltype(&cuTensorMapEncodeTiled);

/// The driver's function that makes a tensor map; null where the driver has none.
inline EncodeTiled encodeTiled() {
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
inline bool makeMap(CUtensorMap& map, const AttentionShape& shape, const HeadTensor& tensor, int rows) {
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
    const CUtensorMapDataType type = shape.type == AttentionType::kBf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                                                   : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    return encode && encode(&map, type, 4, tensor.data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace warpglass::kernels
