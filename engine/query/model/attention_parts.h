// The parts of attention: the share of attention's time that each takes, and its share of the FLOPs. If the
// two shares differ, the part is bound by something other than arithmetic.
//
// Figures cover all blocks together, per step, or a whole range. Times are those of
// engine/query/spans/work_times.h; FLOPs are the plan's, for GEMMs and elementwise work; bytes are the least
// that the GEMMs move (matrix_products.h). FLOPs and bytes cover the ops in the scope (plan_of_scope.h).
// Which parts there are depends on what the variant records (attention_part.h).
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/query/model/attention_part.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct AttentionPartRow {
    PlanPhase phase = PlanPhase::kForward;  // or kBackward
    AttentionPart part = AttentionPart::kScores;
    /// ns a step (of a range: in all).
    double time = 0;
    /// The part of it that GEMMs and fused attention took: the roofline's time (roofline.h).
    double productTime = 0;
    /// Ops or kernels per step, like the time: the mean over the steps, or the total for a range.
    double instances = 0;
    /// FLOPs of the ops in the scope; 0 if some of what they do is unknown.
    Flops flops, matmulFlops;
    Bytes moved;
    bool flopsKnown = true;
    /// Shares of all rows of its phase, 0…1; the FLOPs share only if the FLOPs of all are known.
    double timeShare = 0, flopsShare = 0;

    double flopsPerSecond() const { return time > 0 ? static_cast<double>(flops.value) / (time / 1e9) : 0; }
};

struct AttentionParts {
    /// Nothing if the run states no configuration, and therefore has no FLOPs.
    std::optional<AttentionVariant> variant;
    bool gpu = false;
    std::int64_t steps = 0;
    bool measured = false, ofRange = false;
    /// FLOPs are of the work that the time is of, and can be set against it.
    bool rates = true;
    /// Why neither FLOPs nor bytes moved are stated (planUnsaid()); "" where they are.
    std::string unplanned;
    /// The step was not completed: FLOPs and bytes moved are the planned values of the parts that ran in each
    /// block, and the blocks are those that ran.
    bool unfinished = false;
    /// The model's; of a range or a module, those that the scope takes any of.
    std::int64_t blocks = 0;
    /// Forward, then backward, each in the order of AttentionPart.
    std::vector<AttentionPartRow> rows;
    /// Time of the whole step (or range), ns.
    double allTime = 0;

    double time(PlanPhase phase) const;
    double productTime(PlanPhase phase) const;
    /// What productTime() is of: "GEMMs", or "GEMMs and fused attention".
    std::string_view productsName() const;
    /// What does not run in products there works on a score matrix that is stored: the scale, the mask, the
    /// softmax, casts and copies of it.
    bool isOnScoreMatrix(AttentionPart part) const;
    /// FLOPs of the rows where they are known.
    Flops flops(PlanPhase phase) const;
    bool flopsKnown(PlanPhase phase) const;
    /// Which parts of the variant cannot be told apart, and why; empty if all can.
    std::string note;
};

AttentionParts attentionParts(const Snapshot& snapshot, const WorkScope& scope = {});

}  // namespace warpglass
