// The subcommands. Each adds itself to the parser and, when the parse picks it, leaves its work in `chosen`,
// to be done after the whole command line has proved right.
#pragma once

#include <functional>

#include "app/cli/cli_fwd.h"
#include "app/cli/console.h"

namespace warpglass::cli {

using Work = std::function<ExitStatus()>;

void addDevicesCommand(CLI::App& root, Work& chosen);
void addEstimateCommand(CLI::App& root, Work& chosen);
void addRunCommand(CLI::App& root, Work& chosen);
void addInfoCommand(CLI::App& root, Work& chosen);
void addFindingsCommand(CLI::App& root, Work& chosen);
void addStatsCommand(CLI::App& root, Work& chosen);
void addCompareCommand(CLI::App& root, Work& chosen);
void addSweepCommand(CLI::App& root, Work& chosen);
void addSweepInfoCommand(CLI::App& root, Work& chosen);
void addExperimentCommand(CLI::App& root, Work& chosen);
void addFusionsCommand(CLI::App& root, Work& chosen);
void addReportCommand(CLI::App& root, Work& chosen);

}  // namespace warpglass::cli
