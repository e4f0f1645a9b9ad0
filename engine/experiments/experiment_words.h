// Words that several experiments share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/experiments/experiment.h"

namespace warpglass {

/// What error bars and the ± of times are.
inline constexpr std::string_view kErrorBarsOfSteps =
    "Error bars: standard deviation over the steps of a run.";
inline constexpr std::string_view kSpreadOfSteps =
    "± of a time: standard deviation over the steps of its run.";

/// "35.2 ms ± 0.20 ms"; without a deviation, the mean alone. In ns.
std::string timeWithSpread(double mean, std::optional<double> deviation = std::nullopt);
/// "2.1×".
std::string timesWords(double ratio);
/// How a time compares with another one: "2.1× as fast", or "1.3× as long" where it is longer, "as fast"
/// where they are equal as far as is shown. Both above 0.
std::string speedWords(double before, double now);
/// As a figure and what it is a multiple of, alike in all entries of a list: {"2.1×", "the speed of naive"},
/// {"0.769×", "the speed of naive"}.
AnswerEntry speedEntry(double before, double now, std::string_view of);
/// The setting `kernels` in words: "the library's kernels", "fused kernels", "the fused kernels norm+loss".
std::string kernelsWords(std::string_view kernels);
/// The start of a name that is longer than a sentence bears: "sm80_xmma_gemm_f32f32_f32f32_f32_tn…".
std::string shortened(std::string_view name);
/// "1 kernel", "3 kernels".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

/// The cell at these values of the plan's axes (others are at their first), first repeat; null for none.
const SweepCell* cellAt(const Sweep& sweep, const std::vector<std::pair<std::string, std::string>>& at);
/// The same where it ran to its end.
const SweepCell* okCellAt(const Sweep& sweep, const std::vector<std::pair<std::string, std::string>>& at);
/// The values of an axis of the plan, or the base's one value for a setting that is none.
std::vector<std::string> valuesOf(const Sweep& sweep, std::string_view key);
/// A cell's value of a setting, in the command line's words.
std::string valueOf(const Sweep& sweep, const SweepCell& cell, std::string_view key);

/// The end of a sentence about times of these cells, before its full stop, where runs behind it were
/// disturbed:
/// "; 1 of the 2 runs behind this was disturbed, so …". Empty where none was. Null is no cell; one that is
/// given twice counts once.
std::string disturbedClause(const std::vector<const SweepCell*>& cells);
/// What an entry says then: "; disturbed".
std::string disturbedMark(const std::vector<const SweepCell*>& cells);

/// One sentence for every cell that is not ok, and the runs that were kept. `before` is put before a cell's
/// title where that does not tell it from the cells of the experiment's other sweeps: "bf16".
void noteCells(const Sweep& sweep, ExperimentResult& result, std::string_view before = {});
/// What is to be said of all of the experiment's sweeps together, once it is evaluated: what the runs of each
/// have in common, and where other programs disturbed them.
void noteSweeps(const Experiment& experiment, const ExperimentEvidence& evidence, ExperimentResult& result);

}  // namespace warpglass
