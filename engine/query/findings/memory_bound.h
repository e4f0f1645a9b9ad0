// Kernels whose time goes into moving numbers rather than computing with them take a quarter of the step or
// more, or, where the GPU is idle for much of it, a quarter of its busy time and a twentieth of the step:
// what elementwise ops, normalization, softmax and reductions, copies, casts and the optimizer's update
// launched, by the families of engine/query/spans/op_family.h. Each does a few operations per number that it
// reads or writes, whereas the ridge of a GPU's roofline is at tens to hundreds of operations per byte; only
// GEMMs and fused attention can lie beyond it.
//
// Copies and casts, and the optimizer's update, are also findings of their own (Finding::partOf): without
// them a twentieth of the step (or of the busy time) or more has to remain, otherwise they say it all.
//
// Try: all parts with fused kernels, expected to gain what fusion_gain.h says; not where the step waits for
// launches, and so does not get shorter by what the GPU saves.
//
// Limits: GPU only; kernels of no known op, and of ops of no family, count in neither sum; work on
// attention's score matrices other than GEMMs counts in score_matrix_time.h too. A small kernel that waits
// for its launch is not distinguished from one that waits for memory.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findMemoryBound(const RunFacts& facts);

}  // namespace warpglass
