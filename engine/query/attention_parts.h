// Attention's parts: what each takes of attention's time, and what of its arithmetic. Where the two shares
// differ, a part is bound by something else than arithmetic.
//
// Of all blocks together, a step; times are those of engine/query/work_times.h, FLOPs the plan's, matrix
// products and elementwise, bytes those that the matrix products move at the least (matrix_products.h).
// Which parts there are follows from what the variant records:
//   naive       scores (with the scale and the mask), softmax and values, each under a range of its own;
//   sdpa-math, tiled  no ranges: matrix products, told from the rest by their ops, are scores and values
//               together, and (math only) ops of softmax are the softmax;
//   fused       scores, softmax and values are one kernel, told from the rest by its op.
// What else an attention module does itself (rotations, transposes, casts) is "rotation and layout".
//
// Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/query/work_times.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class AttentionPart : std::uint8_t {
    kProjections,  // of q, k and v
    kRotation,     // and whatever else has no part
    kScores,
    kSoftmax,
    kValues,
    kProducts,  // scores and values, where they cannot be told apart
    kFused,     // scores, softmax and values in one kernel
    kOutput     // the output projection
};
inline constexpr std::size_t kAttentionPartCount = 8;
inline constexpr std::array<std::string_view, kAttentionPartCount> kAttentionPartNames = {
    "q, k, v projections", "rotation and layout", "scores",           "softmax", "values",
    "scores and values",   "fused attention",     "output projection"};

struct AttentionPartRow {
    PlanPhase phase = PlanPhase::kForward;  // or kBackward
    AttentionPart part = AttentionPart::kScores;
    /// ns a step (of a range: in all).
    double time = 0;
    /// What of it matrix products and fused attention took: the roofline's time (roofline.h).
    double productTime = 0;
    std::int64_t instances = 0;  // ops or kernels, of all steps
    Flops flops, matmulFlops;
    Bytes moved;
    /// Of all rows of its phase, 0…1.
    double timeShare = 0, flopsShare = 0;

    double flopsPerSecond() const { return time > 0 ? static_cast<double>(flops.value) / (time / 1e9) : 0; }
};

struct AttentionParts {
    /// Nothing when the run states no configuration: then it has no FLOPs.
    std::optional<AttentionVariant> variant;
    bool gpu = false;
    std::int64_t steps = 0;
    bool measured = false, ofRange = false;
    /// The time is of all ops of whole steps: FLOPs, which are a step's, can be set against it.
    bool wholeSteps = true;
    /// Of a step that was not completed: FLOPs and bytes moved are those of the parts that ran in each block,
    /// every one as planned, and blocks those that ran.
    bool unfinished = false;
    std::int64_t blocks = 0;
    /// Forward, then backward, each in the order of AttentionPart.
    std::vector<AttentionPartRow> rows;
    /// Of the whole step (or range), ns.
    double allTime = 0;

    double time(PlanPhase phase) const;
    Flops flops(PlanPhase phase) const;
    /// What of the variant cannot be seen apart, and why; empty where everything can.
    std::string note;
};

/// FLOPs and bytes are those of the scope's phase and module; its ranges and names say nothing of them.
AttentionParts attentionParts(const Snapshot& snapshot, const WorkScope& scope = {});

}  // namespace warpglass
