// Color families of ops: what kind of work an op is, for reading a timeline at a glance. A color and a
// column depend on it, and of the figures only the roofline's times of GEMMs and attention.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
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

/// The family of a GPU's kernel: what it does itself, as its name and its signature tell (templateWork()),
/// else that of the op that launched it; of an elementwise or a multi-tensor template whose signature does
/// not tell, the op's first. `signature` and `op` may be empty.
OpFamily kernelFamily(std::string_view name, std::string_view signature, std::string_view op, Phase phase);

/// Whether the op's name, in lower case and without underscores, namespace and "Backward", contains one of
/// these (Implementation::names).
bool isNamed(std::string_view opName, std::span<const std::string_view> names);

/// Whether an op or a kernel is a GEMM or fused attention: where a model's planned FLOPs are done.
bool isProductOp(std::string_view name);

/// opFamily by name id, each name classified once; with a kernel's detail kernelFamily, likewise. A kernel of
/// a template has another family without its detail than with it. Not thread-safe; keep one per view, and
/// start a new one with another run: name ids are a run's own.
class OpFamilyCache {
public:
    OpFamily familyOf(const Snapshot& snapshot, NameId name, PlaceId place, DetailId detail = {});

private:
    /// By name id, and by detail id, × phase class; 0xff is not yet known.
    std::vector<std::uint8_t> m_families, m_ofKernels;
    /// Kernels of several names have one detail where no signatures were recorded: m_ofKernels has those of
    /// the name that was met first, by detail id, and this the others.
    std::vector<NameId> m_kernelNames;
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint8_t> m_ofOtherNames;
};

}  // namespace warpglass
