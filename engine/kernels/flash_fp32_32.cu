#include "engine/kernels/flash_fp32_launch.cuh"

namespace warpglass::kernels {

template cudaError_t launchForwardFp32<32>(const AttentionShape&, const Fp32Arguments&, cudaStream_t);
template cudaError_t launchBackwardFp32<32>(const AttentionShape&, const Fp32Arguments&, cudaStream_t);

}  // namespace warpglass::kernels
