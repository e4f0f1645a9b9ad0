#include "engine/kernels/flash_attention_launch.cuh"

namespace warpglass::kernels {

template cudaError_t launchForward<__half, 128>(const AttentionShape&, const ForwardArguments&, cudaStream_t);
template cudaError_t launchForward<__nv_bfloat16, 128>(const AttentionShape&, const ForwardArguments&,
                                                       cudaStream_t);
template cudaError_t launchBackward<__half, 128>(const AttentionShape&, const BackwardArguments&,
                                                 cudaStream_t);
template cudaError_t launchBackward<__nv_bfloat16, 128>(const AttentionShape&, const BackwardArguments&,
                                                        cudaStream_t);

}  // namespace warpglass::kernels
