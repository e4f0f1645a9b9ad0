#include "engine/query/compare/median_step.h"

#include <algorithm>
#include <cstdlib>

namespace warpglass {

std::optional<StepSpan> medianStep(const Snapshot& run) {
    const std::vector<StepSpan> steps = averagedSteps(run);
    if (steps.empty())
        return std::nullopt;
    std::vector<std::int64_t> durations;
    durations.reserve(steps.size());
    for (const StepSpan& step : steps)
        durations.push_back(step.range.duration().value);
    std::sort(durations.begin(), durations.end());
    // Twice the median, which is whole also where it lies between two steps.
    const std::size_t half = durations.size() / 2;
    const std::int64_t twice =
        durations[half] + (durations.size() % 2 == 1 ? durations[half] : durations[half - 1]);
    const auto distance = [twice](const StepSpan& step) {
        return std::abs(2 * step.range.duration().value - twice);
    };
    return *std::min_element(steps.begin(), steps.end(),
                             [&](const StepSpan& a, const StepSpan& b) { return distance(a) < distance(b); });
}

}  // namespace warpglass
