#include "app/cli/stats_clocks.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/report.h"
#include "app/cli/saved_run.h"
#include "app/cli/stats_options.h"
#include "engine/tables/clock_columns.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

ExitStatus printKernelClocks(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    if (const std::string why = whyNoKernelClocks(*run); !why.empty()) {
        say(options.path + ": " + why + ".");
        return ExitStatus::kWorkFailed;
    }
    const std::vector<ClockedKernel> kernels = clockedKernels(*run);
    for (const ClockedKernel& kernel : kernels) {
        if (isForPeople(options.format))
            say("The " + kernel.kernel + " kernel: " + kernel.sentence());
    }
    return printFirst(reportOf(kernelClocksTable(), "Clocks inside attention's kernels, one call of each",
                               kernels, {}, isForPeople(options.format)),
                      options);
}

}  // namespace

void addClockStatistics(CLI::App& stats, Work& chosen) {
    const auto options = std::make_shared<StatsOptions>();
    CLI::App* command =
        addStatistic(stats, chosen, "kernel-clocks",
                     "Attention's kernels from inside: tiles, waves, tail, and where the time goes", options,
                     printKernelClocks, false);
    command->footer(
        R"(The run has to be recorded with them (`run --attention flash --record all,kernel-clocks`, on a GPU).
One call of each kernel tells of itself: the first of a step.

Examples:
  warpglass-cli stats kernel-clocks a.wgrun
  warpglass-cli stats kernel-clocks a.wgrun --format json)");
}

}  // namespace warpglass::cli
