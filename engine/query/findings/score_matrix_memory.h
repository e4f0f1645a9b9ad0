// Attention's score matrices are a tenth of the peak or more: what was allocated in attention modules and is
// live at the peak, with the size of batch × heads × context² numbers of 4 bytes or, in mixed precision, also
// of 2.
//
// Try: the fused attention that runs with the rest of the configuration; the peak is expected to fall by the
// difference of the two predictions (engine/plan/memory_prediction.h). Limits: if context and head dimension
// are equal, or one is twice the other, q, k and v may have the same size and nothing is reported; without
// recorded ops, what was allocated in a backward pass is not known to be attention's.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findScoreMatrixMemory(const RunFacts& facts);

}  // namespace warpglass
