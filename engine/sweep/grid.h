// From a grid of settings to its cells. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/plan/settings.h"
#include "engine/sweep/sweep.h"

namespace warpglass {

/// A longer time limit of a cell is refused: it could not be added to a moment. 31 years.
inline constexpr Nanoseconds kMostTimeLimit{1'000'000'000'000'000'000};
/// More cells than this are refused.
inline constexpr std::int64_t kMostCells = 1'000'000;

/// An axis from a list with commas: "128,256,512". An error names the setting and the value that it does not
/// take, an empty list, or a value given twice. A list for "record", whose values have commas themselves, is
/// one value.
Result<SweepAxis> sweepAxis(std::string_view key, std::string_view list);
Result<SweepAxis> sweepAxis(std::string_view key, const std::vector<std::string>& values);

/// One sentence for a grid that cannot be run, or not as it is meant: without axes, an axis twice or of a
/// setting that none of its workloads has, no repeats, no or too long a time limit, too many cells.
Status checkPlan(const SweepPlan& plan);
/// The same for a plan that a file holds, which may have axes that do not apply: earlier versions made them.
Status checkPlanOfFile(const SweepPlan& plan);
/// Where a setting applies to none of the plan's workloads: that, in one sentence.
std::optional<std::string> workloadProblem(const SweepPlan& plan, const Setting& setting);

/// One cell that is repeated is a grid too: a plan that varies nothing gets the axis of one value that sweeps
/// have to have, its context length, which every workload has.
void giveRepeatedCellAnAxis(SweepPlan& plan);

/// Repeats included; saturates.
std::int64_t cellCount(const SweepPlan& plan);
/// All cells of a plan that checkPlan() accepts, waiting, by index.
std::vector<SweepCell> cellsOf(const SweepPlan& plan);
/// The indices of `plan`'s cells in the order in which they are run; the same for one plan on every machine.
std::vector<std::int64_t> runOrder(const SweepPlan& plan);

/// The base with the cell's values taken, in the order of the settings' table (so that a model brings its
/// sizes before a size replaces one, which makes the model "custom"). A size that is to hold for every preset
/// of a model axis has to be an axis too, of one value. Whether it can be run is for ValidConfig to say.
RunConfig configOf(const SweepPlan& plan, const SweepCell& cell);
/// "small · 512 · bf16": the values that tell the cell from the others, in the order of the axes.
std::string cellTitle(const SweepPlan& plan, const SweepCell& cell);
/// "tiny · context 64 · batch 4 · fp32 · naive · step · warm-up 1 · 3 steps": what a reader of a figure has
/// to know of all its runs. An axis of one value is a setting like those of the base; a size is told where no
/// preset's name tells it.
std::string settingsInCommon(const SweepPlan& plan);

}  // namespace warpglass
