// What attention's kernels are given, from the arguments of the functions that start them.
#pragma once

#include "engine/kernels/flash_backward.cuh"
#include "engine/kernels/flash_forward.cuh"

namespace warpglass::kernels {

inline ForwardArguments forwardArguments(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                                         const HeadTensor& v, const HeadTensor& output, float* logSumExp) {
    return {q, k, v, output, logSumExp, shape.heads, shape.length, shape.scale * kLog2E};
}

inline BackwardArguments backwardArguments(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                                           const HeadTensor& v, const HeadTensor& output,
                                           const HeadTensor& outputGradient, const float* logSumExp,
                                           const HeadTensor& qGradient, const HeadTensor& kGradient,
                                           const HeadTensor& vGradient, const BackwardScratch& scratch) {
    return {q,
            k,
            v,
            output,
            outputGradient,
            qGradient,
            kGradient,
            vGradient,
            logSumExp,
            scratch.delta,
            scratch.queryGradient,
            shape.heads,
            shape.length,
            shape.scale * kLog2E,
            scratch.deterministic};
}

}  // namespace warpglass::kernels
