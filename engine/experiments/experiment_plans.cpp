#include "engine/experiments/experiment_plans.h"

#include <algorithm>

#include "engine/plan/settings.h"

namespace warpglass {

const SweepAxis* ExperimentOptions::find(std::string_view key) const {
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const SweepAxis& axis) { return axis.key == key; });
    return found == given.end() ? nullptr : &*found;
}

NamedSweep planSweep(const ExperimentOptions& options, std::string name, std::vector<SweepAxis> axes,
                     const ChosenSettings& settings, KeepRuns keep, const std::vector<std::string>& fixed) {
    const auto isFixed = [&](const SweepAxis& axis) {
        return axis.values.size() == 1 || std::find(fixed.begin(), fixed.end(), axis.key) != fixed.end();
    };
    SweepPlan plan;
    plan.base.device = options.device;
    for (const auto& [key, value] : settings)
        (void)takeSetting(key, value, plan.base);
    for (const SweepAxis& given : options.given) {
        const auto own = std::find_if(axes.begin(), axes.end(),
                                      [&](const SweepAxis& axis) { return axis.key == given.key; });
        if (own != axes.end())
            own->values = given.values;
        else if (isFixed(given))
            (void)takeSetting(given.key, given.values.front(), plan.base);
        else
            axes.push_back(given);
    }
    plan.axes = std::move(axes);
    if (keep != KeepRuns::kNo)
        plan.runFolder = std::filesystem::path("runs") / name;
    plan.memorySnapshots = keep == KeepRuns::kWithMemorySnapshots && options.onGpu();
    return {std::move(name), std::move(plan)};
}

void noteCpuSizes(const ExperimentOptions& options, ExperimentResult& result) {
    const bool sized = std::any_of(options.given.begin(), options.given.end(), [](const SweepAxis& axis) {
        return axis.key == "model" || axis.key == "context";
    });
    if (!options.onGpu() && !sized)
        result.notes.emplace_back(
            "This ran on the CPU, at sizes that a laptop finishes in about a minute: the figures show the "
            "method, and "
            "a GPU's differ.");
}

}  // namespace warpglass
