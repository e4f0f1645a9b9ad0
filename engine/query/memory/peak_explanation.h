// Why the highest moment of a run's memory is where it is: in one sentence with its numbers.
//
// Where: step, phase, module and op of the allocation that made the peak, the last one before it. What: of
// what is alive, the bytes that were there when the step (or the graph's capture) that holds the peak began,
// and those that came since, each with the categories that most of it is; and of what came since the part of
// the model (model_part.h: all of one level, the blocks taken together) with the most bytes. A peak outside
// every step came since the run began.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/units.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

struct PeakExplanation {
    Nanoseconds time;
    Bytes bytes;
    /// Where the last allocation at or before the peak was made; names are empty if it had none.
    std::int32_t step = kNoStep;
    Phase phase = Phase::kNone;
    std::string module;
    std::string op;  // that it counts under (memory_op.h)
    Bytes lastBytes;

    /// Whether it is in the capture of a graph.
    bool capture = false;
    /// Whether it is in a step or a capture; otherwise everything counts as added since the run began.
    bool inStep = false;
    struct Part {
        Bytes bytes;
        std::array<Bytes, kCategoryCount> byCategory{};
    };
    /// These add up to `bytes`, except for what a damaged chunk held.
    Part held, risen;

    /// The largest category of what was added.
    Category category = Category::kUnknown;
    Bytes categoryBytes;
    /// The part of the model with most of what was added: "in blocks.*.ffn", "in lm_head and the loss",
    /// "outside the model".
    std::string group;
    Bytes groupBytes;
    std::int64_t groupAllocations = 0;
    /// The size of each, if all have the same size.
    std::optional<Bytes> groupEach;
    /// The part of attention that holds more than half of the group, such as "softmax", and its size; empty
    /// if there is none.
    std::string attentionPart;
    Bytes attentionPartBytes;

    /// "Peak: 13.1 GiB at 102 ms, in the backward pass of step 1, at blocks.11.ffn. 2.10 GiB was already held
    /// when the step began (weights 1.40 GiB); it added 11.0 GiB (activations 10.2 GiB, 3.81 GiB of it weight
    /// copies), the largest part in blocks.*.attn (156 allocations, 4.16 GiB, 2.25 GiB of it softmax). The
    /// last 512 MiB came from aten::_softmax." `moment`: in place of the time since the start of the run.
    std::string sentence(std::string_view moment = {}) const;
    /// The same in short: "The peak is 13.1 GiB, in the backward pass of step 1: 2.10 GiB was held when the
    /// step began; it added 11.0 GiB, 4.16 GiB of it in blocks.*.attn." And where the most that the run's
    /// allocator reserved is more: "The allocator reserved up to 15.0 GiB."
    std::string shortSentence(Bytes reserved = Bytes(0)) const;
};

/// Nothing without memory events, or when nothing was ever alive.
std::optional<PeakExplanation> explainPeak(const MemoryTimeline& memory);

}  // namespace warpglass
