// What a run and its file are called, and the engine's errors as sentences.
//
// Pure functions, but for a look at the file system; any thread.
#pragma once

#include <QString>
#include <filesystem>
#include <optional>
#include <string_view>

#include "engine/plan/run_config.h"
#include "engine/trace/snapshot.h"

namespace warpglass::app {

std::filesystem::path nativePath(const QString& path);
/// "small-fp32-naive-512": what a run is, as a file name.
QString fileStem(const RunConfig& config);
/// The engine's errors begin in lower case and have no full stop, for whoever puts a name before them.
QString sentence(std::string_view error);
/// A run's short title, or where its file states no configuration the file's name.
QString titleOf(const std::optional<RunConfig>& config, const QString& path);
QString titleOf(const Snapshot& snapshot, const QString& path);
/// For a tool tip, which would take what looks like markup for it: a file's name or a note may.
QString plainToolTip(const QString& text);
/// What a path is opened as, by its name.
enum class FileKind { kRun, kSweep, kExperiment };
FileKind kindOfFile(const QString& path);
/// Whether two paths, which may be spelled differently, lead to one file; empty ones lead to none.
bool leadToOneFile(const QString& a, const QString& b);

}  // namespace warpglass::app
