// FlashAttention-2 in CUDA: softmax(q kᵀ · scale) v in one kernel that never stores a score, and its
// gradients by recomputation. Algorithms 1 and 2 of Dao, "FlashAttention-2: Faster Attention with Better
// Parallelism and Work Partitioning" (arXiv 2307.08691). Machine code for NVIDIA GPUs from compute
// capability 8.0 on, by mma.sync, and by Hopper's own instructions for head dimensions 64 and 128
// (flash_hopper.h).
//
// Shapes: every q, k, v, output and gradient is (B, H, S, d); log-sum-exp and delta are (B, H, S), fp32,
// contiguous. The last dimension is contiguous, all other strides are free but multiples of 8 elements, and
// pointers are aligned to 16 bytes. Nothing here allocates, synchronizes or throws; a call puts its kernels
// on the stream and returns CUDA's error of the launch (0 is success).
//
// Types: bf16 and fp16 with sums in fp32; and fp32, exactly by fused multiply-adds or with products in tf32,
// by kernels of their own (flash_fp32.cuh) that are made to be right before they are made to be fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpglass::kernels {

/// kTf32: tensors of fp32 whose numbers, and the weights, are rounded to tf32 where they enter a product.
enum class AttentionType { kBf16, kFp16, kFp32, kTf32 };

constexpr bool isFp32(AttentionType type) {
    return type == AttentionType::kFp32 || type == AttentionType::kTf32;
}

/// A (B, H, S, d) tensor in the GPU's memory; strides in elements.
struct HeadTensor {
    void* data = nullptr;
    std::int64_t batchStride = 0, headStride = 0, rowStride = 0;
};

struct AttentionShape {
    int batch = 0, heads = 0, length = 0, headDimension = 0;
    bool causal = false;
    /// What scores are multiplied by; 1/√d in a Transformer.
    float scale = 0;
    AttentionType type = AttentionType::kBf16;
};

/// Head dimensions for which there is a kernel: 16, 32, 64, 80, 96, 128.
bool hasFlashAttention(int headDimension);

/// One kernel. Products: 4·B·H·S²·d FLOPs (half of it where causal); it reads q, k, v and writes output and
/// logSumExp once as far as the caches hold k and v.
int flashForward(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k, const HeadTensor& v,
                 const HeadTensor& output, float* logSumExp, void* stream);

/// Up to this length Hopper's backward pass adds in order whether asked to or not: the first addition in
/// order needs no cleared memory, so that order is at least as fast as none. The plan of what the kernels
/// move counts on it, too.
inline constexpr int kLongestInOrder = 4096;

/// What flashBackward needs besides its tensors: B·H·S floats for delta = rowsum(dO ∘ O), and for 16-bit
/// types B·H·S·d floats in which q's gradient is added up.
struct BackwardScratch {
    float* delta = nullptr;
    float* queryGradient = nullptr;
    /// Adds q's gradient up in the same order in every run, so that its bits are the same. Thread blocks then
    /// wait for each other. On Hopper, sequences of up to kLongestInOrder are added up in order in any case;
    /// so is everything in fp32 and tf32.
    bool deterministic = false;
};

/// Three kernels, and one memset except on Hopper: delta; the gradients of k and v, with q's added up by
/// atomic additions, whose order differs between runs unless deterministic; q's gradient in 16 bits.
/// Products: 10·B·H·S²·d FLOPs (half of it where causal).
///
/// In fp32 and tf32 three kernels and no memset: delta; the gradients of k and v; q's gradient. The scores
/// and their gradients are computed in both of the latter: 14·B·H·S²·d FLOPs (half of it where causal).
int flashBackward(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k, const HeadTensor& v,
                  const HeadTensor& output, const HeadTensor& outputGradient, const float* logSumExp,
                  const HeadTensor& qGradient, const HeadTensor& kGradient, const HeadTensor& vGradient,
                  const BackwardScratch& scratch, void* stream);

}  // namespace warpglass::kernels
