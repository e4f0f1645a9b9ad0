// Every step of a run with the time of each of its phases, and what it ran under; and what all measured steps
// together ran under.
#pragma once

#include "engine/query/activity/conditions.h"
#include "engine/query/statistics/step_table.h"
#include "engine/tables/column.h"

namespace warpglass {

struct StepsShown {
    /// Some records of memory are missing, and a peak may have been higher.
    bool peaksAreLeast = false;
};
inline std::int32_t rowKey(const StepRow& row) {
    return row.step;
}
/// With a column for each phase, "forward_ns".
const TableDescription<StepRow, StepsShown>& stepsTable();
inline constexpr std::array<Phase, 6> kPhasesOfSteps = {Phase::kForward,   Phase::kLoss,     Phase::kBackward,
                                                        Phase::kOptimizer, Phase::kZeroGrad, Phase::kReplay};

const TableDescription<RunConditions>& conditionsTable();

}  // namespace warpglass
