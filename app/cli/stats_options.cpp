#include "app/cli/stats_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/report.h"
#include "app/cli/saved_run.h"

namespace warpglass::cli {

CLI::App* addStatistic(CLI::App& stats, Work& chosen, const char* name, const char* description,
                       const std::shared_ptr<StatsOptions>& options,
                       ExitStatus (*work)(const StatsOptions&)) {
    CLI::App* command = stats.add_subcommand(name, description);
    addFileArgument(*command, options->path);
    addRangeOption(*command, options->range);
    addLimitOption(*command, options->limit);
    addFormatOption(*command, options->format);
    command->callback([&chosen, options, work] { chosen = [options, work] { return work(*options); }; });
    return command;
}

}  // namespace warpglass::cli
