// The peak memory of each phase and each step, and what it consists of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

struct MemoryStatisticsRow {
    /// "run", a phase's name, or "step 3".
    std::string name;
    /// The step of a step row; kNoStep otherwise.
    std::int32_t step = kNoStep;
    bool warmup = false;
    /// How many ranges the row covers; the figures are those of the range with the highest peak (the first
    /// such).
    std::int64_t instances = 0;
    /// Total bytes, and by category, at the highest moment within the range.
    Bytes peak;
    CategoryBytes atPeak{};
    Nanoseconds peakTime;
    /// Total bytes as the range begins (before its first event) and as it ends.
    Bytes atBegin;
    Bytes atEnd;
};

struct MemoryStatistics {
    /// Instances 0 when the run has no memory events.
    MemoryStatisticsRow run;
    /// In the order of Phase, over all steps.
    std::vector<MemoryStatisticsRow> phases;
    /// In order, warm-up steps first.
    std::vector<MemoryStatisticsRow> steps;
};

/// A phase or step that is still open counts up to the snapshot's end. Empty for a timeline without a
/// snapshot.
MemoryStatistics memoryStatistics(const MemoryTimeline& timeline);

/// What allocations requested, and what the allocator gave them after rounding up.
struct RoundingTotals {
    Bytes asked;
    Bytes given;
    std::int64_t allocations = 0;
    Bytes lost() const { return given - asked; }
};

/// By category, of the allocations alive at t.
std::array<RoundingTotals, kCategoryCount> roundingAt(const MemoryTimeline& timeline, Nanoseconds t);
/// Totals over every allocation that the run made, live or freed.
RoundingTotals roundingOfRun(const Snapshot& snapshot);

}  // namespace warpglass
