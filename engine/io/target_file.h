// Giving a file that was written elsewhere the name that it is for, and what stands against it. An error is
// one sentence with the path and the cause. Any thread.
#pragma once

#include <filesystem>
#include <optional>

#include "engine/base/result.h"

namespace warpglass::run_file {

/// Why no file can be written at this path, or none can replace the one that is there.
std::optional<Error> targetProblem(const std::filesystem::path& path);

/// A file that another process is recording into is not replaced beneath it.
std::optional<Error> recordingProblem(const std::filesystem::path& target);

/// Gives a closed database the target's name, which nothing had when the writing began.
std::optional<Error> moveToNew(const std::filesystem::path& from, const std::filesystem::path& target);

/// With its journal, if there is one.
void removeDatabase(const std::filesystem::path& path);

}  // namespace warpglass::run_file
