// What the inspector shows for an allocation (what it is, who made it, its lifetime, its part of the peak),
// for a stretch of time in which a GPU was idle, and for a selected range of time. Moments are told by the
// clock.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/activity/gpu_busy.h"
#include "engine/query/activity/range_activity.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/trace/span_ref.h"
#include "ui/models/idle_details.h"
#include "ui/models/step_clock.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// `op`: the innermost span of the op that made it, and with it a link, 0.
std::vector<Property> allocationProperties(const AllocationDetail& allocation, const MemoryTimeline& memory,
                                           const std::optional<SpanRef>& op, const StepClock& clock = {});
/// The op that ran when it was made and whose memory it counts as, on any thread; nothing where it was not
/// recorded. O(threads · depth · log n).
std::optional<SpanRef> opOfAllocation(const Snapshot& snapshot, const AllocationDetail& allocation);

/// The line of what came next is a link, where it is a span of the run.
std::vector<Property> idleProperties(const IdleDetails& details, const StepClock& clock = {});

/// How busy GPU and host were in a sentence each, how memory changed over it, and what ran, was copied and
/// was filled in it. `activity` and `gpu` are the range's, the latter zeros where there is not exactly one
/// GPU.
std::vector<Property> rangeProperties(TimeRange range, const RangeActivity& activity,
                                      const GpuBusy::Times& gpu, const MemoryTimeline& memory,
                                      const StepClock& clock = {});

}  // namespace warpglass::ui
