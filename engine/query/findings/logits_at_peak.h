// The logits, the log-probabilities and their gradients in fp32 are a twentieth of the peak or more: the
// activations and temporaries live at the peak that have the size of batch × context × vocabulary numbers of
// 4 bytes.
//
// Try, on a GPU: the fused loss (fusion_gain.h), with the memory that is predicted for it.
//
// Limits: another activation of exactly that size would count
// (attention's matrices if heads × context equals the vocabulary).
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findLogitsAtPeak(const RunFacts& facts);

}  // namespace warpglass
