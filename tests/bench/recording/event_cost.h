// What one event of a kind takes of the thread that it is on, with nothing else going on.
#pragma once

#include <string_view>

namespace warpglass::bench {

/// Nanoseconds for one "op" (a view of a tensor), "memory" (an allocation with its free), "module" or
/// "phase": the median of many blocks. `recorded`: under a recorder; otherwise nothing is ever recorded in
/// this process. Negative for a kind that is none of these, and where events were lost.
double eventCost(std::string_view kind, bool recorded);

}  // namespace warpglass::bench
