// Color families of ops: what kind of work an op is, for reading a timeline at a glance. A color and a
// column depend on it, and of the figures only the roofline's times of GEMMs and attention.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

enum class OpFamily : std::uint8_t {
    kMatmul,
    kAttention,
    kNormalization,  // and reductions, softmax
    kElementwise,
    kOptimizer,
    kCopy,  // and layout, casts, allocation
    kOther,
};
inline constexpr std::size_t kOpFamilyCount = 7;
inline constexpr std::array<std::string_view, kOpFamilyCount> kOpFamilyNames = {
    "matmul", "attention", "normalization", "elementwise", "optimizer", "copy", "other"};

/// The family of an op by its name ("aten::mm", "MmBackward0") and phase (an elementwise op of the optimizer
/// phase is optimizer work).
OpFamily opFamily(std::string_view opName, Phase phase);

/// Whether the op's name, in lower case and without underscores, namespace and "Backward", contains one of
/// these (Implementation::names).
bool isNamed(std::string_view opName, std::span<const std::string_view> names);

/// Whether an op or a kernel is a GEMM or fused attention: where a model's planned FLOPs are done.
bool isProductOp(std::string_view name);

/// opFamily by name id, each name classified once. Not thread-safe; keep one per view, and start a new
/// one with another run: name ids are a run's own.
class OpFamilyCache {
public:
    OpFamily familyOf(const Snapshot& snapshot, NameId name, PlaceId place);

private:
    std::vector<std::uint8_t> m_families;  // by name id × phase class; 0xff is not yet known
};

}  // namespace warpglass
