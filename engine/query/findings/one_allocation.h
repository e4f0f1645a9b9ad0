// One allocation sets the peak: without it the run's peak would be lower by a tenth or more. Without an
// allocation of b bytes that lives in [from, to) the peak is the largest of the peaks before and after and of
// the peak within less b.
//
// The rule considers the largest allocation live at the peak that is neither a weight, a gradient nor the
// optimizer's.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findOneAllocation(const RunFacts& facts);

}  // namespace warpglass
