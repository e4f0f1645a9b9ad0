// The options that the commands' tables have in common.
#pragma once

#include <cstdint>

#include "app/cli/cli_fwd.h"
#include "engine/tables/table_shape.h"

namespace warpglass::cli {

/// Adds --format; `format` must outlive the parse.
void addFormatOption(CLI::App& command, TableFormat& format);
/// Adds --limit, 0 standing for no limit.
void addLimitOption(CLI::App& command, std::int64_t& limit);

}  // namespace warpglass::cli
