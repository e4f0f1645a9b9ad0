// The logits, the log-probabilities and their gradients in fp32 are a twentieth of the peak or more: what is
// alive at the peak with the size of batch × context × vocabulary numbers of 4 bytes.
//
// Limits: nothing that a run can be configured with changes it but sizes.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findLogitsAtPeak(const RunFacts& facts);

}  // namespace warpglass
