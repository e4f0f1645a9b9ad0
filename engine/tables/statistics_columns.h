// The statistics of spans by name, with nsys's columns: of ranges and phases, ops, kernels and copies.
#pragma once

#include <unordered_map>

#include "engine/query/statistics/statistics.h"
#include "engine/tables/column.h"

namespace warpglass {

/// What nests has self time and its share; ops and kernels have their families, ranges their kind. Phases are
/// ranges with the words of a step's mean.
enum class StatisticsOf : std::uint8_t { kRanges, kPhases, kOps, kKernels };

struct StatisticsShown {
    /// How many whole steps they are of, 0 for parts of steps.
    std::int64_t steps = 0;
    /// The most memory while each ran, by name; in bytes.
    std::unordered_map<std::string, std::int64_t> peaks = {};
    /// Some records of memory are missing, and a peak may have been higher.
    bool peaksAreLeast = false;
    /// For phases by the GPU's clock, by name, means in ns: how long the host took for each, and how long
    /// the GPU waited for it meanwhile.
    std::unordered_map<std::string, double> host = {}, waits = {};
};

/// Set-up and teardown: in no step, and no share of one.
bool isOutsideSteps(const StatisticsRow& row);
/// The whole of a step, which its phases add up to.
bool isWholeStep(const StatisticsRow& row);

const TableDescription<StatisticsRow, StatisticsShown>& statisticsTable(StatisticsOf what);

}  // namespace warpglass
