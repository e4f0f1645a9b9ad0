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

ChartPoint pointOf(const SweepCell& cell, double x, std::string_view figure, std::string_view deviation) {
    ChartPoint point{.x = x, .state = stateOf(cell), .source = cell.index};
    if (point.state != PointState::kMeasured)
        return point;
    if (const auto value = cell.figure(figure)) {
        point.y = *value;
        point.deviation = deviation.empty() ? point.deviation : cell.figure(deviation).value_or(0);
    } else {
        point.state = PointState::kMissing;
    }
    return point;
}

}  // namespace experiment
}  // namespace warpglass
