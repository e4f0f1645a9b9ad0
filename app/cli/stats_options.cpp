#include "app/cli/stats_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/report.h"
#include "app/cli/saved_run.h"

namespace warpglass::cli {

CLI::App* addStatistic(CLI::App& stats, Work& chosen, const char* name, const char* description,
                       const std::shared_ptr<StatsOptions>& options, StatsWork work, bool ofRanges) {
    CLI::App* command = stats.add_subcommand(name, description);
    addFileArgument(*command, options->path);
    if (ofRanges)
        addRangeOption(*command, options->range);
    addLimitOption(*command, options->limit);
    addFormatOption(*command, options->format);
    command->callback([&chosen, options, work] {
        chosen = [options, work] {
            const std::shared_ptr<const Snapshot> run = openSaved(options->path);
            return run ? work(run, *options) : ExitStatus::kWorkFailed;
        };
    });
    return command;
}

ExitStatus printFirst(ReportTable table, const StatsOptions& options) {
    keepFirst(table, options.limit);
    return printFigures(table, options.format);
}

}  // namespace warpglass::cli
