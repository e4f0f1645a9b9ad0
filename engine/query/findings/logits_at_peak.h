// The logits, the log-probabilities and their gradients in fp32 are a twentieth of the peak or more: the
// activations and temporaries that are alive at the peak with the size of batch × context × vocabulary
// numbers of 4 bytes.
//
// Limits: nothing that a run can be configured with changes it but sizes; another activation of just that
// size would count (attention's matrices where heads × context is the vocabulary).
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findLogitsAtPeak(const RunFacts& facts);

}  // namespace warpglass
