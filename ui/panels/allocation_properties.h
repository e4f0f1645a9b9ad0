// What the inspector shows for an allocation: what it is, who made it, its lifetime, its part of the peak.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/trace/span_ref.h"
#include "ui/models/step_clock.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// `op`: the innermost span of the op that made it, and with it a link, 0. Moments are told by the clock.
std::vector<Property> allocationProperties(const AllocationDetail& allocation, const MemoryTimeline& memory,
                                           const std::optional<SpanRef>& op, const StepClock& clock = {});
/// The op that ran when it was made and whose memory it counts as, on any thread; nothing where it was not
/// recorded. O(threads · depth · log n).
std::optional<SpanRef> opOfAllocation(const Snapshot& snapshot, const AllocationDetail& allocation);

}  // namespace warpglass::ui
