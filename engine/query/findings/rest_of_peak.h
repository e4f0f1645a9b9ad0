// What no other finding tells of what was allocated at the peak, by category.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/findings/run_facts.h"

namespace warpglass {

/// Nothing where the others tell of no allocation, or of nearly all.
std::optional<Finding> findRestOfPeak(const RunFacts& facts, const std::vector<Finding>& others);

}  // namespace warpglass
