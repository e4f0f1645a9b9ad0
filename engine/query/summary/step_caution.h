// What to keep in mind of a run's figures because of how few steps they are of. Pure; any thread.
#pragma once

#include <string>

#include "engine/query/summary/run_summary.h"

namespace warpglass {

/// One sentence where a run that has ended has a single measured step, or none but the warm-up's; ""
/// otherwise.
std::string stepCaution(const RunSummary& run);

}  // namespace warpglass
