// What the fused kernels of a part (the setting `kernels`, engine/plan/own_parts.h) are expected to gain a
// run, and the trials of them that findings propose.
//
// A fused kernel reads and writes each number once. It is expected to take its bytes at half the device's
// bandwidth, measured or else of the data sheet; and to gain what the part's kernels took beyond that:
// - optimizer: what the optimizer's phase launched; 28 bytes a parameter (OptimizerPlan::moved).
// - norm: what norms launched, additions to the residual stream, and casts in the modules of products other
//   than those of weights, which read what norms give. Rows of d_model numbers: forward the stream read and
//   written, a branch read, the output written; backward the gradients of both, the stream and its gradient
//   read, both written.
// - swiglu: elementwise ops of the feed-forward module itself; three hidden numbers forward, five backward.
// - rope: elementwise ops of the attention module itself; queries and keys read and written.
// - softmax: elementwise ops and softmax of the parts scores and softmax; the matrices read and written
//   forward, two read and one written backward.
// - loss: what the loss phase launched, and its ops in the backward pass; the logits read forward, read and
//   written backward.
// - casts: casts of weights and of their gradients (weight_casts.h); 4 bytes more a weight of a product, 2 of
//   its copy and 2 of its gradient.
// where a number has 2 bytes in mixed precision and 4 else, and those of the residual stream 4.
//
// Limits: launches that are saved are not counted, nor casts within a part's neighbors; without a backward
// pass nothing is counted backward. So the gain may be larger than is said.
#pragma once

#include <optional>
#include <string_view>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

/// ns a step; 0 where the run has the part fused already, or it has nothing to do in it, and where times by
/// place or the bandwidth are not known. `part`: one of the words of ownParts().
double fusionGain(const RunFacts& facts, std::string_view part);

/// The run with this part fused as well; nothing where it would gain too little (RunFacts::trial), or where
/// the step waits for launches.
std::optional<Trial> fusionTrial(const RunFacts& facts, std::string_view part);
/// The run with all parts fused, likewise.
std::optional<Trial> fusionTrial(const RunFacts& facts);
/// The memory at the peak with this part fused as well.
std::optional<Trial> fusionMemoryTrial(const RunFacts& facts, std::string_view part);

/// Whether kernels can be fused that are not.
bool canFuseMore(const RunFacts& facts);

/// The words of parts that findings propose.
std::string_view fusedOptimizer();
std::string_view fusedSoftmax();
std::string_view fusedLoss();
std::string_view fusedCasts();

}  // namespace warpglass
