// What a cell's run is reduced to: the figures that a sweep keeps, draws and exports.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/plan/run_config.h"
#include "engine/tables/cell.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class Better : std::uint8_t { kLower, kHigher, kNeither };

/// One figure, described once for the file, tables, charts and the documentation.
struct Measure {
    /// "forward_mean_ns": the file, scripts and docs/tables.md rely on it.
    std::string key;
    /// "Forward, mean".
    std::string title;
    Unit unit = Unit::kNumber;
    Better better = Better::kNeither;
    /// The key of its standard deviation; empty for none. Drawn as error bars.
    std::string deviationKey;
    /// The key of what was predicted for it; empty for none.
    std::string predictedKey;
    /// One sentence, without full stop: how it is worked out.
    std::string description;
};
/// Those that can be drawn first: times by phase, throughput, memory.
std::span<const Measure> measures();
/// Also "step_0_ns" … "step_31_ns", the first steps one by one, for a study of warm-up: these are not in
/// measures(). Null for no such key.
const Measure* findMeasure(std::string_view key);

/// Every measure that the run has, by key. Times by phase are the GPU's where it has them, else the host's.
/// Pure; any thread.
std::map<std::string, double, std::less<>> measure(const std::shared_ptr<const Snapshot>& run);
/// Those that are known before it runs: predicted peak, FLOPs per step.
std::map<std::string, double, std::less<>> predictedMeasures(const RunConfig& config);

}  // namespace warpglass
