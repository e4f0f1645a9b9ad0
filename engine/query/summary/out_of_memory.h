// Out of memory as a result: what was live when a run failed for want of memory, what it had requested, and
// what had been predicted.
//
// The moment is what the run states ("allocator.out_of_memory_ns"), or else, of a run recorded before it was
// stated, right after the last allocation before teardown: what was freed after that the failure itself
// freed. Pure functions; any thread, with a timeline of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/memory_prediction.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

/// The most that a run's allocator could take: the limit that it was given, or the device's memory.
struct MemoryLimit {
    Bytes bytes;
    bool given = false;
};
/// Nothing where the run states neither.
std::optional<MemoryLimit> memoryLimit(const RunInfo& info);

struct OutOfMemory {
    /// Where the run was: its step (kNoStep outside any), phase and innermost module; empty if there is none.
    Nanoseconds time;
    std::int32_t step = kNoStep;
    std::string phase, module;

    /// The requested bytes, and what LibTorch's allocator had given out and taken from the device by then;
    /// nothing if the run does not state it.
    std::optional<Bytes> request, allocated, reserved;
    /// As memoryLimit() has it.
    std::optional<Bytes> limit;
    /// The predicted peak of the run's configuration and its phase.
    std::optional<Bytes> predictedPeak;
    std::string predictedPhase;
    /// What its first step and every later one are predicted to need, however many the run was to have.
    std::optional<StepPeaks> predictedSteps;

    /// Everything recorded as alive then.
    Bytes alive;
    std::int64_t aliveCount = 0;
    /// Live bytes by module (blocks combined, "blocks.*.attn"; empty outside the model) and category, largest
    /// first.
    struct Group {
        std::string module;
        Category category = Category::kUnknown;
        Bytes bytes;
        std::int64_t count = 0;
    };
    std::vector<Group> groups;
    /// The same summed at one level, so that the largest can be named: by part of the model (its name in
    /// `module`, model_part.h) and category, largest first.
    std::vector<Group> parts;
    /// The largest single allocations, largest first; at most ten.
    std::vector<AllocationDetail> largest;
};

/// Nothing for a run that did not fail for want of memory. Precondition: timeline.snapshot() is not null.
std::optional<OutOfMemory> outOfMemory(const MemoryTimeline& timeline);

/// "in the forward pass of step 1", as placeInWords() has it.
std::string placeInWords(const OutOfMemory& failure);

/// When it failed, only if it failed for want of memory; nothing for any other run. Reads a few events at the
/// end of the run.
std::optional<Nanoseconds> outOfMemoryTime(const Snapshot& run);

/// "Live at the failure, 15.9 GiB: blocks.*.attn 6.25 GiB of activations, … and 14 more." with the `count`
/// largest parts.
std::string aliveSentence(const OutOfMemory& failure, std::size_t count = 3);

}  // namespace warpglass
