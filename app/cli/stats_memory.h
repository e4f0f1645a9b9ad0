// The subcommands of `stats` about memory: `memory`, `allocations` and `segments`, each at one moment, which
// is the peak unless --at names another.
#pragma once

#include "app/cli/commands.h"

namespace warpglass::cli {

void addMemoryStatistics(CLI::App& stats, Work& chosen);

}  // namespace warpglass::cli
