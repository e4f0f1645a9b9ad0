// Mixed precision: the 16-bit copies of the weights that autocast keeps until it ends (weight_casts.h) are a
// twentieth of the peak or more. Where the casts that make them are found too (copies_and_casts.h), they are
// told of there: it is one cause.
//
// Limits: no setting of a run changes it.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findWeightCopies(const RunFacts& facts);

}  // namespace warpglass
