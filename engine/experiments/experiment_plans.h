// Putting together what an experiment runs: its own choice, with what a person gave in its place.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/experiments/experiment.h"
#include "engine/sweep/sweep_run.h"

namespace warpglass {

/// A value for every setting named, in the command line's words.
using ChosenSettings = std::vector<std::pair<std::string, std::string>>;

/// A sweep over `axes` at `settings`. A given setting replaces the axis or the setting of its key; one given
/// with several values that is no axis becomes one, unless `fixed` names it: it then has the first value that
/// was given. So does a size of the model where models are an axis. Run files are kept in runs/NAME where the
/// answer rests on them, on a GPU also with LibTorch's memory snapshots.
enum class KeepRuns : std::uint8_t { kNo, kYes, kWithMemorySnapshots };
NamedSweep planSweep(const ExperimentOptions& options, std::string name, std::vector<SweepAxis> axes,
                     const ChosenSettings& settings, KeepRuns keep = KeepRuns::kNo,
                     const std::vector<std::string>& fixed = {});

/// One of two, by the device.
template <class T>
const T& byDevice(const ExperimentOptions& options, const T& gpu, const T& cpu) {
    return options.onGpu() ? gpu : cpu;
}

/// An error where a setting was given several values that this experiment would run and not tell apart: they
/// are for what it compares, an axis of one of its sweeps. One for any setting where it runs nothing.
Status comparesWhatIsGiven(const Experiment& experiment, const ExperimentOptions& options);

/// Whether the sizes are those that an experiment chooses for a CPU.
bool hasCpuSizes(const ExperimentOptions& options);
/// "This ran on the CPU, at sizes that …", where hasCpuSizes().
void noteCpuSizes(const ExperimentOptions& options, ExperimentResult& result);

/// The forecast for all sweeps of an experiment as one; no time where that of one is not known.
SweepForecast forecastOf(const std::vector<NamedSweep>& sweeps);
/// That in one sentence, before it begins: "7 runs, about 20 s without the start of a process for each; …".
/// Empty for an experiment that runs nothing, or of which nothing can be run.
std::string forecastSentence(const ExperimentOptions& options, const std::vector<NamedSweep>& sweeps);

}  // namespace warpglass
