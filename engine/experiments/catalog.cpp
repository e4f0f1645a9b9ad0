#include "engine/experiments/catalog.h"

#include <array>

#include "engine/base/nearest_word.h"
#include "engine/plan/settings.h"

namespace warpglass {

std::span<const Experiment> experiments() {
    static const std::array all = {experiment::kBenchmark,      experiment::kKernels,
                                   experiment::kAttentionParts, experiment::kAccumulation,
                                   experiment::kAutocast,       experiment::kPrecision,
                                   experiment::kMemory,         experiment::kAttention,
                                   experiment::kCompiled,       experiment::kFusions};
    return all;
}

Result<const Experiment*> findExperiment(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Experiment& experiment : experiments()) {
        if (experiment.name == name)
            return &experiment;
        names.push_back(experiment.name);
    }
    return Error{"There is no experiment \"" + std::string(name) + "\": choose " + listedWords(names) + "." +
                 didYouMean(name, names)};
}

namespace experiment {

PointState stateOf(const SweepCell& cell) {
    switch (cell.state) {
        case CellState::kOk:
            return PointState::kMeasured;
        case CellState::kOutOfMemory:
            return PointState::kOutOfMemory;
        case CellState::kFailed:
            return PointState::kFailed;
        default:
            return PointState::kMissing;
    }
}

}  // namespace experiment
}  // namespace warpglass
