// The folder in which a sweep keeps its run files and their memory snapshots, and whose files those are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/sweep/sweep.h"

namespace warpglass {

/// Where the cell's run is kept, relative to the sweep file's folder: "runs/7.wgrun". Empty for none.
std::filesystem::path keptRunOf(const SweepPlan& plan, std::int64_t cell);

/// Where the cell's memory snapshot is kept, likewise: "runs/7.pickle". Empty where none are.
std::filesystem::path keptSnapshotOf(const SweepPlan& plan, std::int64_t cell);

/// Whether that is what a file says of a cell's run: any other place is none that a sweep has written to.
bool isKeptRunOf(const SweepPlan& plan, std::int64_t cell, const std::filesystem::path& runFile);
bool isKeptSnapshotOf(const SweepPlan& plan, std::int64_t cell, const std::filesystem::path& snapshot);

/// Where run files of the sweep at `path` go, in one sentence, if that is outside of the file's folder: to be
/// said before a sweep goes on that somebody else may have planned. Empty where it is not.
std::string runFolderElsewhere(const std::filesystem::path& path, const SweepPlan& plan);

/// Why the sweep at `path` must not write into its run folder: what lies at the place of a cell is not known
/// to be its own. A cell's own is what its result names, and what was being written when a kill cut it off
/// (the cell is then still `kRunning`). Memory snapshots count where the sweep keeps some. One sentence that
/// names the folder and the first such file.
std::optional<Error> runFolderProblem(const std::filesystem::path& path, const Sweep& sweep);

}  // namespace warpglass
