// Mixed precision: the 16-bit copies of the weights that autocast keeps until it ends (weight_casts.h) are a
// twentieth of the peak or more. If the finding on the casts that make them applies too (copies_and_casts.h),
// it reports both: it is one cause.
//
// Limits: no setting of a run changes it.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findWeightCopies(const RunFacts& facts);

}  // namespace warpglass
