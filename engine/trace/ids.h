// What the columns of a trace refer to.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "engine/base/strong_id.h"

namespace warpglass {

/// A string in the trace's string pool (op, range and module names).
using NameId = StrongId<struct NameTag>;
/// Where in the model something happened: see Place.
using PlaceId = StrongId<struct PlaceTag>;
/// A band of the timeline: the steps, the phases, the modules, one CPU thread, one GPU stream.
using TrackId = StrongId<struct TrackTag>;
/// One nesting depth of a track. Spans of a lane never overlap and are sorted by start.
using LaneId = StrongId<struct LaneTag>;
/// What a GPU's kernels and copies have beyond a span: see span_detail.h.
using DetailId = StrongId<struct DetailTag>;
/// A row of the allocation columns.
using AllocationId = StrongId<struct AllocationTag>;

enum class TrackKind : std::uint8_t {
    kStep,
    kPhase,
    kModule,
    kCpuThread,  // ATen ops
    kApiThread,  // calls into CUDA, of one CPU thread
    kGpuStream,  // kernels
    kGpuCopies,  // copies and fills of one GPU stream
    kGpuPhase,   // the phases as the GPU went through them, by CUDA events
    kGpuSync,    // waits for a GPU, by the calls that wait
    kProfiler    // what CUPTI itself took of a thread's time
};
inline constexpr std::array<std::string_view, 10> kTrackKindNames = {
    "step",       "phase",      "module",    "cpu-thread", "api-thread",
    "gpu-stream", "gpu-copies", "gpu-phase", "gpu-sync",   "profiler"};
/// Whether what runs in it runs on a GPU.
constexpr bool isGpuTrack(TrackKind kind) {
    return kind == TrackKind::kGpuStream || kind == TrackKind::kGpuCopies;
}

/// The parts of a run, in order. kSetup builds the model and its input; kTeardown frees it.
enum class Phase : std::uint8_t {
    kNone,
    kSetup,
    kForward,
    kLoss,
    kBackward,
    kOptimizer,
    kZeroGrad,
    kTeardown,
    kReplay  // of a step as a CUDA graph: all its phases at once
};
inline constexpr std::size_t kPhaseCount = 9;
inline constexpr std::array<std::string_view, kPhaseCount> kPhaseNames = {
    "none", "setup", "forward", "loss", "backward", "optimizer", "zero-grad", "teardown", "replay"};
constexpr std::string_view phaseName(Phase phase) {
    return kPhaseNames[static_cast<std::size_t>(phase)];
}
/// kNone for what is no phase's name.
constexpr Phase phaseNamed(std::string_view name) {
    const auto* const found = std::find(kPhaseNames.begin(), kPhaseNames.end(), name);
    return found == kPhaseNames.end() ? Phase::kNone : static_cast<Phase>(found - kPhaseNames.begin());
}

/// What an allocation is for, decided by facts the engine has and never guessed from names (ARCHITECTURE.md,
/// "Memory categories"). Files store the values; pictures stack them in another order (stack_order.h).
enum class Category : std::uint8_t {
    kWeights,
    kGradients,
    kOptimizerState,
    kInput,
    kActivations,
    kTemporaries,
    kWorkspace,
    kUnknown,
    /// In no file: among what is stored as activations or temporaries (MemoryTimeline::categoryOf()).
    kWeightCopies
};
inline constexpr std::size_t kStoredCategoryCount = 8;
inline constexpr std::size_t kCategoryCount = 9;
inline constexpr std::array<std::string_view, kCategoryCount> kCategoryNames = {
    "weights",     "gradients", "optimizer", "input",        "activations",
    "temporaries", "workspace", "unknown",   "weight copies"};
constexpr std::string_view categoryName(Category category) {
    return kCategoryNames[static_cast<std::size_t>(category)];
}

/// Where in a step and in the model something happened. Interned: equal places have equal ids.
struct Place {
    Phase phase = Phase::kNone;
    /// Dotted path, "blocks.7.attn"; empty name outside the model. A backward op has its forward one's path.
    NameId module{};
    /// A named piece of a module's work ("scores", "softmax", "values"); not valid where there is none.
    NameId part{};

    constexpr bool operator==(const Place&) const = default;
};

/// Steps count from 0, warm-up steps first; this is the step of what happens outside any.
inline constexpr std::int32_t kNoStep = -1;

}  // namespace warpglass
