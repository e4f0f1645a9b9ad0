#include "engine/kernels/flash_attention_launch.cuh"

namespace warpglass::kernels {

template cudaError_t launchForward<__half, 128, KernelClock>(const AttentionShape&, const ForwardArguments&,
                                                            cudaStream_t, const KernelClock&);
template cudaError_t launchForward<__nv_bfloat16, 128, KernelClock>(const AttentionShape&, const ForwardArguments&,
                                                                   cudaStream_t, const KernelClock&);
template cudaError_t launchBackward<__half, 128, KernelClock>(const AttentionShape&, const BackwardArguments&,
                                                             cudaStream_t, const KernelClock&);
template cudaError_t launchBackward<__nv_bfloat16, 128, KernelClock>(const AttentionShape&, const BackwardArguments&,
                                                                    cudaStream_t, const KernelClock&);

}  // namespace warpglass::kernels
