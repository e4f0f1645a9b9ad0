// What the inspector shows for a selected range of time.
#pragma once

#include <vector>

#include "engine/query/activity/gpu_busy.h"
#include "engine/query/activity/range_activity.h"
#include "engine/query/memory/memory_timeline.h"
#include "ui/models/step_clock.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// How busy GPU and host were in a sentence each, how memory changed over it, and what ran, was copied and
/// was filled in it. `activity` and `gpu` are the range's, the latter zeros where there is not exactly one
/// GPU. Moments are told by the clock.
std::vector<Property> rangeProperties(TimeRange range, const RangeActivity& activity,
                                      const GpuBusy::Times& gpu, const MemoryTimeline& memory,
                                      const StepClock& clock = {});

}  // namespace warpglass::ui
