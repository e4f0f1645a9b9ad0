// The steps of one run that a comparison takes.
//
// Internal to engine/query.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/compare/comparison_scope.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/work_times.h"

namespace warpglass {

enum class ComparisonSide : std::uint8_t { kA, kB };

/// The steps of a scope; none if count is 0.
struct ScopedSteps {
    StepSelection steps;
    /// For a figure: sums over the steps by this.
    double divisor = 1;
};
/// `tokens`: tokens per step of the run, for a scope per token.
ScopedSteps scopedSteps(const Snapshot& run, const ComparisonScope& scope, ComparisonSide side,
                        std::optional<std::int64_t> tokens);
/// What computed in these steps.
std::vector<WorkRow> scopedWork(const Snapshot& run, const ScopedSteps& scoped);

}  // namespace warpglass
