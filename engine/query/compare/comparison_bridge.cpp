#include "engine/query/compare/comparison_bridge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/compare/scoped_steps.h"
#include "engine/query/spans/op_family.h"

namespace warpglass {
namespace {

using Families = std::array<std::int64_t, kOpFamilyCount>;

/// Larger times and sizes (over 100 days, 9 PB) only a damaged file has; sums and differences of smaller ones
/// are exact.
constexpr std::int64_t kMost = std::int64_t{1} << 53;

std::int64_t wholeOf(double value) {
    constexpr double kBeyond = 2.0 * kMost;
    return std::llround(std::clamp(value, -kBeyond, kBeyond));
}

Families familiesOf(const Snapshot& run, const std::vector<WorkRow>& work, double divisor) {
    std::array<double, kOpFamilyCount> sums{};
    for (const WorkRow& row : work) {
        const std::string_view op = run.name(row.op);
        const OpFamily family = opFamily(op.empty() ? run.name(row.kernel) : op, run.place(row.place).phase);
        sums[static_cast<std::size_t>(family)] += static_cast<double>(row.time);
    }
    Families families{};
    for (std::size_t i = 0; i < families.size(); ++i)
        families[i] = wholeOf(sums[i] / divisor);
    return families;
}

bool isKnown(const ComparisonRow& row) {
    return row.inA && row.inB && !row.isUnknown() && !row.atLeastA && !row.atLeastB;
}

bool anyLost(const std::vector<ComparisonRow>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const ComparisonRow& row) { return row.recordsLostA || row.recordsLostB; });
}

/// In order, and after them what is left of both figures; nothing where one cannot be.
std::optional<ComparisonBridge> finished(ComparisonBridge bridge, const std::string& rest) {
    const auto isTooLarge = [](const auto& part) {
        return std::abs(part.a) > kMost || std::abs(part.b) > kMost;
    };
    if (isTooLarge(bridge) || std::any_of(bridge.parts.begin(), bridge.parts.end(), isTooLarge))
        return std::nullopt;
    std::erase_if(bridge.parts, [](const auto& part) { return part.a == 0 && part.b == 0; });
    std::stable_sort(bridge.parts.begin(), bridge.parts.end(), [](const auto& x, const auto& y) {
        return std::abs(x.difference()) > std::abs(y.difference());
    });
    ComparisonBridge::Part left{rest, bridge.a, bridge.b};
    for (const ComparisonBridge::Part& part : bridge.parts) {
        left.a -= part.a;
        left.b -= part.b;
    }
    if (left.a != 0 || left.b != 0)
        bridge.parts.push_back(std::move(left));
    return bridge;
}

}  // namespace

std::vector<ComparisonBridge::Part> ComparisonBridge::shownParts(std::size_t most) const {
    std::vector<Part> shown = parts;
    std::erase_if(shown, [](const Part& part) { return part.difference() == 0; });
    std::stable_sort(shown.begin(), shown.end(), [](const Part& x, const Part& y) {
        return std::abs(x.difference()) > std::abs(y.difference());
    });
    if (shown.size() <= most || most == 0)
        return shown;
    Part others{"others", 0, 0};
    for (std::size_t i = most - 1; i < shown.size(); ++i) {
        others.a += shown[i].a;
        others.b += shown[i].b;
    }
    shown.resize(most - 1);
    shown.push_back(std::move(others));
    return shown;
}

std::string ComparisonBridge::figure(std::int64_t value) const {
    return bytes ? formatBytes(Bytes(value)) : formatDuration(Nanoseconds(value));
}

std::string ComparisonBridge::signedFigure(std::int64_t value) const {
    return (value < 0 ? "−" : "+") + figure(std::abs(value));
}

std::string ComparisonBridge::text() const {
    std::string text = figure(a);
    for (const Part& part : shownParts())
        text += " → " + part.name + " " + signedFigure(part.difference());
    return text + " → " + figure(b);
}

std::optional<ComparisonBridge> timeBridge(const RunComparison& comparison, const Snapshot& a,
                                           const Snapshot& b, const ComparisonScope& scope) {
    const RunComparison& c = comparison;
    const bool gpu = c.gpuA || c.gpuB;
    if (scope.perToken || c.phases.empty() || c.phases.back().name != kStepRow || !isKnown(c.phases.back()) ||
        (gpu && anyLost(c.gpuOps)) || (!(c.gpuA && c.gpuB) && anyLost(c.ops)))
        return std::nullopt;
    const ScopedSteps stepsA = scopedSteps(a, scope, ComparisonSide::kA, std::nullopt);
    const ScopedSteps stepsB = scopedSteps(b, scope, ComparisonSide::kB, std::nullopt);
    if (stepsA.steps.count == 0 || stepsB.steps.count == 0)
        return std::nullopt;
    ComparisonBridge bridge;
    bridge.a = wholeOf(c.phases.back().a);
    bridge.b = wholeOf(c.phases.back().b);
    const Families inA = familiesOf(a, c.workA, stepsA.divisor), inB = familiesOf(b, c.workB, stepsB.divisor);
    for (std::size_t i = 0; i < kOpFamilyCount; ++i)
        bridge.parts.push_back({std::string(kOpFamilyNames[i]), inA[i], inB[i]});
    return finished(std::move(bridge), gpu ? "idle and host" : "outside ops");
}

std::optional<ComparisonBridge> memoryBridge(const RunComparison& comparison) {
    const std::vector<ComparisonRow>& rows = comparison.categories;
    if (rows.empty() || rows.back().name != "peak" || !isKnown(rows.back()) || anyLost(rows))
        return std::nullopt;
    ComparisonBridge bridge;
    bridge.bytes = true;
    bridge.a = wholeOf(rows.back().a);
    bridge.b = wholeOf(rows.back().b);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
        bridge.parts.push_back({rows[i].name, wholeOf(rows[i].a), wholeOf(rows[i].b)});
    return finished(std::move(bridge), "rest");
}

}  // namespace warpglass
