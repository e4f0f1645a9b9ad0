// An experiment's folder: what it found, for people (answer.md, tables/*.csv, *.md, *.tex, figures/*) and for
// the window (result.json), beside the sweeps (*.wgsweep) and runs (runs/) that it rests on.
// docs/experiments.md describes it.
#pragma once

#include <filesystem>

#include "engine/base/result.h"
#include "engine/experiments/experiment.h"

namespace warpglass {

/// The file that makes a folder an experiment's.
inline constexpr std::string_view kExperimentFile = "result.json";

/// Where a folder has a sweep of its experiment.
std::filesystem::path sweepPath(const std::filesystem::path& folder, const NamedSweep& sweep);

/// Writes answer.md, result.json and the tables, in place of older ones; makes the folder where it is not
/// there. An error names the file.
Status writeExperiment(const ExperimentResult& result, const std::filesystem::path& folder);

/// Reads a folder, or the result.json in one. Files are not trusted: an error is one sentence. Any thread.
Result<ExperimentResult> readExperiment(const std::filesystem::path& path);

/// The answer as a page of Markdown: what was looked for, the answers, tables, the figures' names, the
/// memory snapshots, notes.
std::string answerPage(const ExperimentResult& result);

}  // namespace warpglass
