#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "engine/base/format.h"
#include "engine/base/gpu_state.h"
#include "engine/base/kernel_files.h"
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

}  // namespace

SweepForecast forecast(const SweepPlan& plan) {
    SweepForecast forecast;
    forecast.cells = cellCount(plan);
    forecast.doubts.resize(static_cast<std::size_t>(forecast.cells));
    Outlooks outlooks;
    double time = 0;
    bool timeIsKnown = true;
    for (const SweepCell& cell : cellsOf(plan)) {
        CellOutlook outlook = outlooks.of(configOf(plan, cell));
        const bool runs = !outlook.cannotRun && !(outlook.tooLarge && plan.tooLarge == TooLarge::kSkip);
        forecast.cannotRun += outlook.cannotRun ? 1 : 0;
        forecast.tooLarge += outlook.tooLarge ? 1 : 0;
        forecast.doubts[static_cast<std::size_t>(cell.index)] = std::move(outlook.doubt);
        if (!runs)
            continue;
        forecast.largestPeak = std::max(forecast.largestPeak, outlook.peak);
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
