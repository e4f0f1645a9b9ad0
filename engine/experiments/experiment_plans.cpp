#include "engine/experiments/experiment_plans.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"

namespace warpglass {

const SweepAxis* ExperimentOptions::find(std::string_view key) const {
    const auto found = std::ranges::find(given, key, &SweepAxis::key);
    return found == given.end() ? nullptr : &*found;
}

namespace {

/// One of the sizes that a preset brings.
bool isModelSize(const SweepAxis& given) {
    RunConfig config;
    config.shape = {};
    (void)takeSetting(given.key, given.values.front(), config);
    return given.key != "model" && config.shape != ModelShape{};
}

bool hasAxis(const std::vector<SweepAxis>& axes, std::string_view key) {
    return std::ranges::any_of(axes, [key](const SweepAxis& axis) { return axis.key == key; });
}

}  // namespace

NamedSweep planSweep(const ExperimentOptions& options, std::string name, std::vector<SweepAxis> axes,
                     const ChosenSettings& settings, KeepRuns keep, const std::vector<std::string>& fixed) {
    const auto isFixed = [&](const SweepAxis& axis) {
        return axis.values.size() == 1 || std::ranges::find(fixed, axis.key) != fixed.end();
    };
    SweepPlan plan;
    plan.base.device = options.device;
    for (const auto& [key, value] : settings)
        (void)takeSetting(key, value, plan.base);
    const bool hasModels = hasAxis(axes, "model");
    std::vector<const SweepAxis*> replacing;  // settings of the base
    for (const SweepAxis& given : options.given) {
        const auto own = std::ranges::find(axes, given.key, &SweepAxis::key);
        if (own != axes.end())
            own->values = given.values;
        else if (hasModels && isModelSize(given))
            axes.push_back(given);  // a preset of the axis would bring its own size in place of the base's
        else if (isFixed(given))
            replacing.push_back(&given);
        else
            axes.push_back(given);
    }
    // A preset brings its sizes, which what was given replaces.
    std::stable_partition(replacing.begin(), replacing.end(),
                          [](const SweepAxis* given) { return given->key == "model"; });
    for (const SweepAxis* given : replacing)
        (void)takeSetting(given->key, given->values.front(), plan.base);
    plan.axes = std::move(axes);
    if (keep != KeepRuns::kNo)
        plan.runFolder = std::filesystem::path("runs") / name;
    plan.memorySnapshots = keep == KeepRuns::kWithMemorySnapshots && options.onGpu();
    return {std::move(name), std::move(plan)};
}

Status comparesWhatIsGiven(const Experiment& experiment, const ExperimentOptions& options) {
    const bool onlyComputes = experiment.sweeps(options).empty() && experiment.sweeps({"cuda:0", {}}).empty();
    if (onlyComputes && !options.given.empty())
        return Error{"The experiment " + std::string(experiment.name) +
                     " runs no model, and takes no settings: leave out --" + options.given.front().key + "."};
    for (const SweepAxis& given : options.given) {
        if (given.values.size() < 2 || experiment.comparesAll)
            continue;
        ExperimentOptions without = options;
        std::erase_if(without.given, [&](const SweepAxis& axis) { return axis.key == given.key; });
        const std::vector<NamedSweep> usual = experiment.sweeps(without);
        const bool isCompared = std::ranges::any_of(
            usual, [&](const NamedSweep& sweep) { return hasAxis(sweep.plan.axes, given.key); });
        if (isCompared || usual.empty())  // or it runs nothing here
            continue;
        const Setting* setting = findSetting(given.key);
        return Error{"The experiment " + std::string(experiment.name) +
                     " does not compare several values of the " +
                     std::string(setting ? setting->noun : std::string_view(given.key)) +
                     ": give one. A sweep compares values of any setting."};
    }
    return {};
}

bool hasCpuSizes(const ExperimentOptions& options) {
    return !options.onGpu() && !options.find("model") && !options.find("context");
}

void noteCpuSizes(const ExperimentOptions& options, ExperimentResult& result) {
    if (hasCpuSizes(options))
        result.notes.emplace_back(
            "This ran on the CPU, at sizes that a laptop finishes in about a minute: the figures show the "
            "method, and a GPU's differ.");
}

SweepForecast forecastOf(const std::vector<NamedSweep>& sweeps) {
    SweepForecast sum;
    sum.time = Nanoseconds(0);
    for (const NamedSweep& sweep : sweeps) {
        const SweepForecast one = forecast(sweep.plan);
        sum.cells += one.cells;
        sum.tooLarge += one.tooLarge;
        sum.cannotRun += one.cannotRun;
        sum.largestPeak = std::max(sum.largestPeak, one.largestPeak);
        sum.doubts.insert(sum.doubts.end(), one.doubts.begin(), one.doubts.end());
        if (sum.time && one.time)
            *sum.time = *sum.time + *one.time;
        else
            sum.time.reset();
    }
    return sum;
}

std::string forecastSentence(const ExperimentOptions& options, const std::vector<NamedSweep>& sweeps) {
    // What is refused is refused by the sweep itself, and a large grid is not weighed cell by cell before.
    std::int64_t cells = 0;
    for (const NamedSweep& sweep : sweeps) {
        if (!checkPlan(sweep.plan))
            return {};
        cells += cellCount(sweep.plan);
    }
    if (cells > kMostForecast)
        return {};
    const SweepForecast ahead = forecastOf(sweeps);
    if (ahead.cannotRun >= ahead.cells)
        return {};
    std::string sentence = formatGrouped(ahead.cells) + (ahead.cells == 1 ? " run" : " runs");
    if (ahead.time)
        sentence += ", about " + formatDuration(*ahead.time) + " without the start of a process for each";
    else if (hasCpuSizes(options))
        sentence += ", at sizes that a CPU finishes in about a minute";
    else
        sentence += ", of which the time is not known, since the ceilings of " + options.device +
                    " have not been measured";
    if (ahead.largestPeak.value > 0)
        sentence += "; the largest predicted peak is " + formatBytes(ahead.largestPeak);
    return sentence + ".";
}

}  // namespace warpglass
