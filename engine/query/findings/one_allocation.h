// One allocation sets the peak: without it the run's highest moment would be a tenth lower or more. Without
// an allocation of b bytes that lives in [from, to) the peak is the largest of the peaks before and after and
// of the peak within less b.
//
// Looked at is the largest that is alive at the peak and neither a weight, a gradient nor the optimizer's.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findOneAllocation(const RunFacts& facts);

}  // namespace warpglass
