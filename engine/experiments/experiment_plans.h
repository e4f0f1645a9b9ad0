// Putting together what an experiment runs: its own choice, with what a person gave in its place.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/experiments/experiment.h"

namespace warpglass {

/// A value for every setting named, in the command line's words.
using ChosenSettings = std::vector<std::pair<std::string, std::string>>;

/// A sweep over `axes` at `settings`. A given setting replaces the axis or the setting of its key; one given
/// with several values that is no axis becomes one, unless `fixed` names it: it then has the first value that
/// was given. Run files are kept in runs/NAME where the answer rests on them, on a GPU also with LibTorch's
/// memory snapshots.
enum class KeepRuns : std::uint8_t { kNo, kYes, kWithMemorySnapshots };
NamedSweep planSweep(const ExperimentOptions& options, std::string name, std::vector<SweepAxis> axes,
                     const ChosenSettings& settings, KeepRuns keep = KeepRuns::kNo,
                     const std::vector<std::string>& fixed = {});

/// One of two, by the device.
template <class T>
const T& byDevice(const ExperimentOptions& options, const T& gpu, const T& cpu) {
    return options.onGpu() ? gpu : cpu;
}

/// "Sizes were chosen so that a CPU is done within a minute; …", where the options leave the choice of sizes
/// to a CPU's.
void noteCpuSizes(const ExperimentOptions& options, ExperimentResult& result);

}  // namespace warpglass
