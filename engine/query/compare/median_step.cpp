#include "engine/query/compare/median_step.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/base/collect.h"
#include "engine/base/median.h"

namespace warpglass {

std::optional<StepSpan> medianStep(const Snapshot& run) {
    const std::vector<StepSpan> steps = averagedSteps(run);
    if (steps.empty())
        return std::nullopt;
    const auto durationOf = [](const StepSpan& step) {
        return static_cast<double>(step.range.duration().value);
    };
    auto durations = mapped<double>(steps, [&](const StepSpan& step) { return durationOf(step); });
    const double median = medianOf(std::move(durations));
    const auto distance = [&](const StepSpan& step) { return std::fabs(durationOf(step) - median); };
    return *std::ranges::min_element(
        steps, [&](const StepSpan& a, const StepSpan& b) { return distance(a) < distance(b); });
}

}  // namespace warpglass
