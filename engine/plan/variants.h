// The lists of implementations: what can run each part of a model. An implementation is one line here and two
// files of one name, which say of themselves whatever else is to be known:
//
//     engine/plan/implementations/PART_NAME.cpp    its word, where it runs, what it allocates and computes,
//     how
//                                                  it is recognised in a run (parts.h);
//     engine/runner/implementations/PART_NAME.cpp  its arithmetic with LibTorch (engine/runner/arithmetic.h).
//
// Where one is missing the linker says so. The first of a list is what runs unless another is asked for. A
// list of one is a setting that nobody is shown; it appears everywhere once there are two (settings.h).
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
    kTiled,
    kCount
};

/// Of RMSNorm.
enum class NormVariant : std::uint8_t { kEager, kCount };

/// Of SwiGLU, with its three products.
enum class FeedForwardVariant : std::uint8_t { kEager, kCount };

/// Of cross-entropy.
enum class LossVariant : std::uint8_t { kEager, kCount };

/// Of AdamW.
enum class OptimizerVariant : std::uint8_t { kTorchFused, kCount };

template <class Variant>
inline constexpr auto kCountOf = static_cast<std::size_t>(Variant::kCount);

}  // namespace warpglass
