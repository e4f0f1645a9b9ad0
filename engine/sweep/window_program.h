// The window's program, run in its own process for what only it can do: draw. The command line links no Qt.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"

namespace warpglass {

/// Runs it until it is done. `program`: `warpglass`; empty for the one beside the running program. An error
/// is the cause alone, with a full stop: "the window's program, warpglass, is not beside this one." Blocks;
/// any thread.
Status runWindowProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                        Nanoseconds timeLimit, const std::atomic<bool>& stop);

}  // namespace warpglass
