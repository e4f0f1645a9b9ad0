#include "engine/kernels/flash_attention_launch.cuh"

namespace warpglass::kernels {

template cudaError_t launchForward<__half, 80>(const AttentionShape&, const ForwardArguments&, cudaStream_t);
template cudaError_t launchForward<__nv_bfloat16, 80>(const AttentionShape&, const ForwardArguments&,
                                                      cudaStream_t);
template cudaError_t launchBackward<__half, 80>(const AttentionShape&, const BackwardArguments&,
                                                cudaStream_t);
template cudaError_t launchBackward<__nv_bfloat16, 80>(const AttentionShape&, const BackwardArguments&,
                                                       cudaStream_t);

}  // namespace warpglass::kernels
