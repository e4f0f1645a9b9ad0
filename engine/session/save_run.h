// Runs written into files with all that belongs there: what the trace holds (engine/io/run_file.h) and the
// statistics that are drawn from it, which other programs read there.
#pragma once

#include <filesystem>
#include <functional>

#include "engine/base/result.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class RunFileWriter;

/// Saves a whole snapshot. `progress` is called with 0…1 and returns false to cancel, which is an error and
/// leaves no file. An existing file at `path` stays as it is unless the save succeeds.
Status saveRun(const Snapshot& snapshot, const std::filesystem::path& path,
               const std::function<bool(double)>& progress = {});

/// The last write of a file that was written while the run went on.
Status finishRun(RunFileWriter& writer, const Snapshot& snapshot);

}  // namespace warpglass
