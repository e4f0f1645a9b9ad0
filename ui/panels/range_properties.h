// What the inspector shows for a selected range of time.
#pragma once

#include <vector>

#include "engine/query/activity/range_activity.h"
#include "engine/query/memory/memory_timeline.h"
#include "ui/models/step_clock.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// How memory changed over it, and what ran, was copied and was filled in it. `activity` is the range's.
/// Moments are told by the clock.
std::vector<Property> rangeProperties(TimeRange range, const RangeActivity& activity,
                                      const MemoryTimeline& memory, const StepClock& clock = {});

}  // namespace warpglass::ui
