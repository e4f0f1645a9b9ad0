// What there is to look at in a run of which no step was completed: the step that it ended in, or runs in.
//
// Means know no such step (stepsToAverage() in span_scan.h); a view that would else be empty shows it, and
// says so. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/trace/snapshot.h"

namespace warpglass {

struct UnfinishedStep {
    /// Why it has no end. kCutOff: the program that recorded the run was killed.
    enum class End : std::uint8_t { kRuns, kOutOfMemory, kFailed, kStopped, kNotRead, kCutOff };
    std::int32_t step = kNoStep;
    End end = End::kRuns;
};

/// Nothing for a run with a complete step, and for one in which none began. Linear in the steps and phases.
std::optional<UnfinishedStep> unfinishedStep(const Snapshot& snapshot);

/// "step 0 until memory ran out", "step 0 so far".
std::string inWords(const UnfinishedStep& step);

/// "memory ran out in step 0", "step 0 still runs", for a sentence that has said that no step was completed.
std::string reasonInWords(const UnfinishedStep& step);

}  // namespace warpglass
