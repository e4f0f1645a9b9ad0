// Mixed precision: the 16-bit copies of the weights that autocast keeps until it ends are a twentieth of the
// peak or more. A copy is what is alive at the peak in a module that has a weight, is no weight itself, and
// has two bytes for each of its numbers; at most one a module counts, since an activation may have that size
// too.
//
// Limits: no setting of a run changes it.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findWeightCopies(const RunFacts& facts);

}  // namespace warpglass
