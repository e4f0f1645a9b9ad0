// A moment of a run, as people read it: exact enough to tell kernels apart, where three digits (format.h)
// would put all of a step at one time.
#pragma once

#include <string>

#include "engine/base/units.h"

namespace warpglass {

/// "248.481 ms" below a second, "12.345678 s" from there: whole microseconds, rounded half away from 0, with
/// a thin space before the unit. Negative times carry a hyphen.
std::string formatMoment(Nanoseconds moment);

}  // namespace warpglass
