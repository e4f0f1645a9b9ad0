#include "engine/query/compare/median_step.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/base/median.h"

namespace warpglass {

std::optional<StepSpan> medianStep(const Snapshot& run) {
    const std::vector<StepSpan> steps = averagedSteps(run);
    if (steps.empty())
        return std::nullopt;
    const auto durationOf = [](const StepSpan& step) {
        return static_cast<double>(step.range.duration().value);
    };
    std::vector<double> durations;
    durations.reserve(steps.size());
    for (const StepSpan& step : steps)
        durations.push_back(durationOf(step));
    const double median = medianOf(std::move(durations));
    const auto distance = [&](const StepSpan& step) { return std::fabs(durationOf(step) - median); };
    return *std::min_element(steps.begin(), steps.end(),
                             [&](const StepSpan& a, const StepSpan& b) { return distance(a) < distance(b); });
}

}  // namespace warpglass
