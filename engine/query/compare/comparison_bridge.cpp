#include "engine/query/compare/comparison_bridge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/query/compare/scoped_steps.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

using Families = std::array<std::int64_t, kOpFamilyCount>;

std::int64_t wholeOf(double value) {
    constexpr double kBeyond = 0x1p54;  // of which finishedBridge() makes nothing
    return std::llround(std::clamp(value, -kBeyond, kBeyond));
}

Families familiesOf(const Snapshot& run, const std::vector<WorkRow>& work, double divisor) {
    std::array<double, kOpFamilyCount> sums{};
    for (const WorkRow& row : work)
        sums[static_cast<std::size_t>(familyOf(run, row))] += static_cast<double>(row.time);
    Families families{};
    for (std::size_t i = 0; i < families.size(); ++i)
        families[i] = wholeOf(sums[i] / divisor);
    return families;
}

bool isKnown(const ComparisonRow& row) {
    return row.inA && row.inB && !row.isUnknown() && !row.atLeastA && !row.atLeastB;
}

bool anyLost(const std::vector<ComparisonRow>& rows) {
    return std::ranges::any_of(rows,
                               [](const ComparisonRow& row) { return row.recordsLostA || row.recordsLostB; });
}

}  // namespace

std::optional<Bridge> timeBridge(const RunComparison& comparison, const Snapshot& a, const Snapshot& b,
                                 const ComparisonScope& scope) {
    const RunComparison& c = comparison;
    const bool gpu = c.gpuA || c.gpuB;
    if (scope.perToken || c.phases.empty() || c.phases.back().name != kStepRow || !isKnown(c.phases.back()) ||
        (gpu && anyLost(c.gpuOps)) || (!(c.gpuA && c.gpuB) && anyLost(c.ops)))
        return std::nullopt;
    const ScopedSteps stepsA = scopedSteps(a, scope, ComparisonSide::kA, std::nullopt);
    const ScopedSteps stepsB = scopedSteps(b, scope, ComparisonSide::kB, std::nullopt);
    if (stepsA.steps.count == 0 || stepsB.steps.count == 0)
        return std::nullopt;
    Bridge bridge;
    bridge.a = wholeOf(c.phases.back().a);
    bridge.b = wholeOf(c.phases.back().b);
    const Families inA = familiesOf(a, c.workA, stepsA.divisor), inB = familiesOf(b, c.workB, stepsB.divisor);
    for (std::size_t i = 0; i < kOpFamilyCount; ++i)
        bridge.parts.push_back({std::string(kOpFamilyNames[i]), inA[i], inB[i]});
    return finishedBridge(std::move(bridge), gpu ? "idle and host" : "outside ops");
}

std::optional<Bridge> memoryBridge(const RunComparison& comparison) {
    const std::vector<ComparisonRow>& rows = comparison.categories;
    if (rows.empty() || rows.back().name != "peak" || !isKnown(rows.back()) || anyLost(rows))
        return std::nullopt;
    Bridge bridge;
    bridge.bytes = true;
    bridge.a = wholeOf(rows.back().a);
    bridge.b = wholeOf(rows.back().b);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
        bridge.parts.push_back({rows[i].name, wholeOf(rows[i].a), wholeOf(rows[i].b)});
    return finishedBridge(std::move(bridge), "rest");
}

}  // namespace warpglass
