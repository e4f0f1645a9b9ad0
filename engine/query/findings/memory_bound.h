// Kernels whose time goes into moving numbers rather than computing with them take a quarter of the step or
// more, or, where the GPU is idle for much of it, a quarter of its busy time and a twentieth of the step:
// what elementwise ops, normalisation, softmax and reductions, copies, casts and the optimizer's update
// launched, by the families of engine/query/spans/op_family.h. Each does a few operations on a number that it
// reads or writes, where the ridge of a GPU's roofline lies at tens to hundreds of operations a byte; matrix
// products and fused attention are what can lie beyond it.
//
// Copies and casts, and the optimizer's update, are findings of their own too (Finding::partOf): without them
// a twentieth of the step (of the busy time) or more has to be left, or they are all there is to say.
//
// Limits: of a GPU alone; kernels of no known op, and of ops of no family, count in neither sum; what of
// attention's score matrices is no product counts in score_matrix_time.h too. That a small kernel waits for
// its launch rather than for memory is not told apart.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findMemoryBound(const RunFacts& facts);

}  // namespace warpglass
