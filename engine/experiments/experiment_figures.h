// The figures of an experiment's folder, drawn by the window's program in a process of its own: the command
// line links no Qt.
#pragma once

#include <atomic>
#include <filesystem>

#include "engine/base/result.h"

namespace warpglass {

/// Draws every chart of the folder's result into figures/, as SVG and PNG. `program`: `warpglass`; empty for
/// the one beside the running program. An error says in one sentence why there are none. Blocks; any thread.
Status drawFigures(const std::filesystem::path& folder, const std::filesystem::path& program,
                   const std::atomic<bool>& stop);

}  // namespace warpglass
