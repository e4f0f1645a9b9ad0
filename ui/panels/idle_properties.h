// What the inspector shows for a stretch of time in which a GPU was idle.
#pragma once

#include <vector>

#include "ui/models/idle_details.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// The line of what came next is a link, where it is a span of the run. Moments are told by the clock.
std::vector<Property> idleProperties(const IdleDetails& details, const StepClock& clock = {});

}  // namespace warpglass::ui
