// The parts into which attention is divided, both in what ran and in the plan. Which parts there are depends
// on what the variant records (AttentionRecord, engine/plan/parts.h):
//   ranges      scores (with the scale and the mask), softmax and values, each under a range of its own;
//   ops         no ranges: GEMMs, recognized by their ops, are scores and values together, and (if scores
//               are stored) ops of softmax are the softmax;
//   one kernel  scores, softmax and values together, recognized by its op.
// Everything else that an attention module does itself (rotations, transposes, casts) is "rotation and
// layout".
//
// Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/plan/run_config.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class AttentionPart : std::uint8_t {
    kProjections,  // of q, k and v
    kRotation,     // and whatever else has no part
    kScores,
    kSoftmax,
    kValues,
    kProducts,  // scores and values, where they cannot be told apart
    kFused,     // scores, softmax and values in one kernel
    kOutput     // the output projection
};
inline constexpr std::size_t kAttentionPartCount = 8;
/// As tables for scripts and lessons' keys name them.
inline constexpr std::array<std::string_view, kAttentionPartCount> kAttentionPartNames = {
    "q, k, v projections", "rotation and layout", "scores",           "softmax", "values",
    "scores and values",   "fused attention",     "output projection"};

/// As people read them: the part's name, where no plainer words exist.
constexpr std::string_view attentionPartWords(AttentionPart part) {
    return part == AttentionPart::kRotation   ? "RoPE and layout"
           : part == AttentionPart::kValues   ? "scores × V"
           : part == AttentionPart::kProducts ? "scores, scores × V"
                                              : kAttentionPartNames[static_cast<std::size_t>(part)];
}

/// The part that an op at a place belongs to; nothing outside an attention module.
std::optional<AttentionPart> attentionPartOf(const Snapshot& snapshot, const Place& place, NameId op,
                                             const std::optional<AttentionVariant>& variant);

/// Where what is planned of a module and part (FlopsEntry, MatrixProduct) is found in a run; nothing outside
/// of an attention.
std::optional<AttentionPart> plannedAttentionPart(std::string_view module, std::string_view part,
                                                  const std::optional<AttentionVariant>& variant);

}  // namespace warpglass
