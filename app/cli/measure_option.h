// --measure: which figures of a sweep's cells are printed.
#pragma once

#include <string>
#include <vector>

#include "app/cli/cli_fwd.h"

namespace warpglass::cli {

/// Adds --measure, which checks its keys. `chosen` must outlive the parse; empty for what is usual.
void addMeasureOption(CLI::App& command, std::vector<std::string>& chosen);

}  // namespace warpglass::cli
