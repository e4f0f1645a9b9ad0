// The subcommand of `stats` about attention's kernels from inside: `kernel-clocks`.
#pragma once

#include "app/cli/commands.h"

namespace warpglass::cli {

void addClockStatistics(CLI::App& stats, Work& chosen);

}  // namespace warpglass::cli
