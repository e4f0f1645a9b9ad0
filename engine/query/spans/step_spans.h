// The steps of a run as stretches of its time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct StepSpan {
    std::int32_t step = kNoStep;
    TimeRange range;
};

/// The steps that means cover (the complete measured ones, or all if there are none), in order of time.
std::vector<StepSpan> averagedSteps(const Snapshot& snapshot);

/// From the first to the end of the last of these, with a fiftieth more on either side, within the run: the
/// range in which a view of the run opens. The whole run if there is no step.
TimeRange averagedRange(const Snapshot& snapshot);

/// All that ended, warm-ups and one that the run's end cut off included, in order of time.
std::vector<StepSpan> endedSteps(const Snapshot& snapshot);

/// The step that a moment lies in, one that still runs included, which lasts to the end of the run so far; or
/// a graph's capture, whose step is kNoStep.
std::optional<StepSpan> stepHolding(const Snapshot& snapshot, Nanoseconds moment);

/// The captures of graphs that ended, in order of time; those that touch or overlap are one.
std::vector<TimeRange> captureRanges(const Snapshot& snapshot);

/// When teardown, the last phase, began: what it frees had no end of its own. The end of a run that has none.
Nanoseconds teardownBegin(const Snapshot& snapshot);

}  // namespace warpglass
