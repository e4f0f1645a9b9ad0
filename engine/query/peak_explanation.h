// Why the highest moment of a run's memory is where it is: in one sentence with its numbers.
//
// Where: step, phase, module and op of the allocation that made the peak, the last one before it. What: the
// category that holds most of what is alive, and in it the group of allocations (same place among the blocks
// of the model, same op) with the most bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/units.h"
#include "engine/query/memory_timeline.h"

namespace warpglass {

struct PeakExplanation {
    Nanoseconds time;
    Bytes bytes;
    /// Of the last allocation at or before the peak; empty names where it had none.
    std::int32_t step = kNoStep;
    Phase phase = Phase::kNone;
    std::string module;
    std::string op;
    Bytes lastBytes;

    Category category = Category::kUnknown;
    Bytes categoryBytes;
    /// The category's largest group: "attention scores", "aten::mm in blocks.*.ffn".
    std::string group;
    Bytes groupBytes;
    std::int64_t groupAllocations = 0;
    /// Of each, when all are of one size.
    std::optional<Bytes> groupEach;

    /// "The peak, 13.1 GiB at 102 ms, is in step 1's backward pass, at blocks.11.ffn: activations hold 61 %
    /// of it, mostly attention scores (12 × 96.0 MiB); the last 512 MiB came from aten::_softmax."
    std::string sentence() const;
};

/// Nothing without memory events, or when nothing was ever alive.
std::optional<PeakExplanation> explainPeak(const MemoryTimeline& memory);

}  // namespace warpglass
