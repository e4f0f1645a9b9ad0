// The median. Pure; any thread.
#pragma once

#include <vector>

namespace warpglass {

/// The mean of the middle two of an even number; 0 of none.
double medianOf(std::vector<double> values);

}  // namespace warpglass
