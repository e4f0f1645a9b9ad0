#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/base/format.h"
#include "engine/base/gpu_state.h"
#include "engine/base/kernel_files.h"
#include "engine/plan/memory_prediction.h"
#include "engine/sweep/cell_outlook.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_run.h"

namespace warpglass {
namespace {

/// "python (process 1234)", as far as it is known.
std::string nameOf(std::int64_t process) {
    const std::string name = firstLineOf(std::filesystem::path("/proc") / std::to_string(process) / "comm");
    const std::string id = std::to_string(process);
    return name.empty() ? "process " + id : name + " (process " + id + ")";
}

std::set<std::string> devicesOf(const SweepPlan& plan) {
    std::set<std::string> devices = {plan.base.device};
    for (const SweepAxis& axis : plan.axes) {
        if (axis.key == "device")
            devices = {axis.values.begin(), axis.values.end()};
    }
    return devices;
}

bool runs(const SweepPlan& plan, const CellOutlook& outlook) {
    return !outlook.cannotRun && !(outlook.tooLarge && plan.tooLarge == TooLarge::kSkip);
}

void putDoubtsInWords(const Outlooks& outlooks, GridOutlook& grid, Doubts doubts) {
    const auto isDoubted = [](const CellOutlook& outlook) { return outlook.cannotRun || outlook.tooLarge; };
    std::vector<std::size_t> named;
    // They are in the order of the grid, as far as each is new.
    for (std::size_t i = 0; i < grid.distinct.size() && (named.empty() || doubts == Doubts::kAll); ++i) {
        if (isDoubted(grid.distinct[i]))
            named.push_back(i);
    }
    outlooks.complete(grid, named);
}

/// Among the cells that will run. Only those are predicted as a whole that may have it.
Bytes largestPeak(const SweepPlan& plan, const Outlooks& outlooks, GridOutlook& grid) {
    Bytes largest;
    std::vector<std::size_t> unsure;
    for (std::size_t i = 0; i < grid.distinct.size(); ++i) {
        if (!runs(plan, grid.distinct[i]))
            continue;
        // More is given than is asked for, never less.
        largest = std::max(largest, grid.distinct[i].peak);
        if (grid.distinct[i].peakIsLeast)
            unsure.push_back(i);
    }
    std::erase_if(
        unsure, [&](std::size_t i) { return mostGiven(grid.configs[i], grid.distinct[i].peak) <= largest; });
    outlooks.complete(grid, unsure);
    for (const std::size_t i : unsure)
        largest = std::max(largest, grid.distinct[i].peak);
    return largest;
}

}  // namespace

SweepForecast forecast(const SweepPlan& plan, Doubts doubts) {
    return forecast(plan, Outlooks(), doubts);
}

SweepForecast forecast(const SweepPlan& plan, const Outlooks& outlooks, Doubts doubts) {
    SweepForecast forecast;
    forecast.cells = cellCount(plan);
    GridOutlook grid = outlooks.verdicts(plan);
    putDoubtsInWords(outlooks, grid, doubts);
    forecast.largestPeak = largestPeak(plan, outlooks, grid);
    bool saysMore = true, timeIsKnown = true;
    double time = 0;
    for (std::int64_t index = 0; index < forecast.cells; ++index) {
        const CellOutlook& outlook = grid.at(index / plan.repeats);
        forecast.cannotRun += outlook.cannotRun ? 1 : 0;
        forecast.tooLarge += outlook.tooLarge ? 1 : 0;
        forecast.doubts.push_back(saysMore ? outlook.doubt : std::string());
        saysMore = saysMore && (doubts == Doubts::kAll || outlook.doubt.empty());
        if (!runs(plan, outlook))
            continue;
        time += std::min(outlook.time, static_cast<double>(plan.timeLimit.value));
        timeIsKnown = timeIsKnown && outlook.timeIsKnown;
    }
    constexpr double kMost = 9e18;
    if (timeIsKnown)
        forecast.time = Nanoseconds(static_cast<std::int64_t>(std::min(time, kMost)));
    return forecast;
}

std::vector<std::string> busyGpu(const SweepPlan& plan) {
    std::vector<std::string> sentences;
    for (const std::string& device : devicesOf(plan)) {
        const auto monitor = openGpuMonitor(device);
        if (!monitor)
            continue;
        for (const GpuProcess& process : monitor->processes()) {
            if (process.id == ::getpid())
                continue;
            const std::string uses =
                process.memory ? " uses " + formatBytes(Bytes(*process.memory)) + " of " : " uses ";
            sentences.push_back("Another program, " + nameOf(process.id) + "," + uses + device +
                                ": what is timed beside it may take longer.");
        }
    }
    return sentences;
}

}  // namespace warpglass
