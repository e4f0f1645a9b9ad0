// The GEMMs of one step: what each computes, and the least that it must move through memory.
//
// FLOPs are the plan's (engine/plan/flops.h), recomputation included, since the device does it. Bytes count
// each operand read once and each result written once, in the type in which the GEMM is computed, for each of
// the two GEMMs of a backward pass. Fused attention moves q, k, v and its output, and in the backward pass
// also the gradient of each; these bytes are divided between its two parts.
//
// Pure functions; any thread. Precondition: validate() is empty.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/flops.h"

namespace warpglass {

struct MatrixProduct {
    PlanPhase phase = PlanPhase::kForward;
    /// "blocks.7.attn.q_proj", "blocks.7.attn".
    std::string module;
    /// "scores", "values" inside attention; else "".
    std::string part;
    Flops flops;
    Bytes bytes;
    /// "2048×6400×1600": M×N×K of the forward product C = A·B, of a batch of them "48 × 512×512×64"; "" for
    /// fused attention.
    std::string shape;
};

/// In the plan's order. Tiled attention has none, since its tiles are not a single GEMM.
std::vector<MatrixProduct> matrixProducts(const RunConfig& config);

/// The part under which a run records it: an attention's is one where each has a range of its own.
std::string_view recordedPart(const RunConfig& config, const MatrixProduct& product);

}  // namespace warpglass
