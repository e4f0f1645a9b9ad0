// A point in time as people type it: "1500", "1.5ms", "2 s".
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "engine/base/units.h"

namespace warpglass::cli {

/// Units ns (also without a unit), us, µs, ms, s. An error for anything else, a negative time, or one beyond
/// 292 years.
Result<Nanoseconds> parseTime(std::string_view text);

}  // namespace warpglass::cli
