// An experiment from its question to its folder: runs its sweeps one after another, evaluates what they gave,
// writes the result.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/base/result.h"
#include "engine/experiments/experiment.h"
#include "engine/sweep/sweep_run.h"

namespace warpglass {

/// What is said while it goes on; each may be empty. On the calling thread.
struct ExperimentWatch {
    /// Called every few milliseconds while a sweep runs, and once when it has ended; false stops it, and the
    /// experiment with it.
    std::function<bool(const std::string& sweep, const SweepRun& run)> onProgress;
};

/// Blocks until it is done. Where not one cell could be run, the error is the first one's sentence. A folder
/// that holds a part of the same experiment is gone on with: what is done is not run again. What was asked is
/// kept there from the start, and replaced where no run of it had a result (experiment_request.h). An error
/// for a folder that holds another, or that cannot be written, and for a stop; finished cells are kept.
Result<ExperimentResult> runExperiment(const Experiment& experiment, const ExperimentOptions& options,
                                       const std::filesystem::path& folder,
                                       const SweepRunOptions& running = {},
                                       const ExperimentWatch& watch = {});

/// What the experiment says of that evidence; nothing of the machine, which the folder's sweeps tell.
ExperimentResult evaluated(const Experiment& experiment, const ExperimentEvidence& evidence);

/// Evaluates the sweeps of a folder anew and writes the result, without running anything. An error where they
/// answer nothing: an earlier result is kept then.
Result<ExperimentResult> evaluateExperiment(const Experiment& experiment, const ExperimentOptions& options,
                                            const std::filesystem::path& folder);

}  // namespace warpglass
