// The lists of implementations: what can run each part of a model. An implementation is one line here and its
// part of two files, which say whatever else is to be known of it:
//
//     engine/plan/implementations/PART_NAME.cpp
//         its word, where it runs, what it allocates and computes, how it is recognized in a run (parts.h);
//     engine/runner/implementations/PART_NAME.cpp
//         its arithmetic with LibTorch (engine/runner/arithmetic.h).
//
// The two have one name, except for attention by library or fused kernels: attention_sdpa_math.cpp and
// attention_fused.cpp plan what attention_sdpa.cpp and attention_flash.cpp compute.
//
// Where one is missing the linker says so. The first of a list is what runs unless another is asked for. All
// others but attention's are words of the setting `kernels` (own_parts.h), which appear wherever it does.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpglass {

enum class AttentionVariant : std::uint8_t {
    kNaive,
    kSdpaMath,
    kSdpaEfficient,
    kSdpaFlash,
    kSdpaCudnn,
    kFlash,
    kCount
};

/// RMSNorm.
enum class NormVariant : std::uint8_t { kEager, kFused, kCount };

/// SwiGLU, with its three products.
enum class FeedForwardVariant : std::uint8_t { kEager, kFused, kCount };

/// The table of embeddings.
enum class EmbeddingVariant : std::uint8_t { kEager, kFused, kCount };

/// The rotary embedding of queries and keys.
enum class RotaryVariant : std::uint8_t { kEager, kFused, kCount };

/// Scale, mask and softmax of naive attention, which stores its scores.
enum class SoftmaxVariant : std::uint8_t { kEager, kFused, kCount };

/// Cross-entropy.
enum class LossVariant : std::uint8_t { kEager, kFused, kCount };

/// Products with weights, where they compute in 16 bits and the weights are fp32.
enum class LinearVariant : std::uint8_t { kEager, kFused, kCount };

/// How the algorithms of those products are chosen.
enum class ProductsVariant : std::uint8_t { kEager, kFused, kCount };

/// AdamW.
enum class OptimizerVariant : std::uint8_t { kTorchFused, kFused, kCount };

template <class Variant>
inline constexpr auto kCountOf = static_cast<std::size_t>(Variant::kCount);

}  // namespace warpglass
