// How much memory is in use just before a backward pass begins: the figure by which attention's need for
// memory is usually measured. What the forward pass kept for it is there, and gradients that the last step
// left.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct BeforeBackward {
    std::int32_t step = kNoStep;
    /// When the step's backward phase began.
    Nanoseconds time;
    Bytes allocated;
    /// By a GPU's allocator; nothing on the CPU.
    std::optional<Bytes> reserved;
};

/// One for each complete measured step that has a backward phase, in order of time: the host's phase, or for
/// a step that a graph replayed the GPU's. Nothing without memory events.
std::vector<BeforeBackward> memoryBeforeBackward(const MemoryTimeline& memory);
/// The one of them with most allocated, the first of several. Nothing where there is none.
std::optional<BeforeBackward> mostBeforeBackward(const std::vector<BeforeBackward>& steps);

}  // namespace warpglass
