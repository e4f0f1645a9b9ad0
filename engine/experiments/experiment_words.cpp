#include "engine/experiments/experiment_words.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/base/format.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"

namespace warpglass {
namespace {

constexpr std::size_t kMostCellNotes = 12;
/// Bytes of a name in a sentence.
constexpr std::size_t kMostOfName = 40;

}  // namespace

std::string timeWithSpread(double mean, std::optional<double> deviation) {
    const std::string words = formatDuration(Nanoseconds(std::llround(mean)));
    return deviation ? words + " ± " + formatDuration(Nanoseconds(std::llround(*deviation))) : words;
}

std::string timesWords(double ratio) {
    return readableCell(ratio, Unit::kRatio) + "×";
}

std::string speedWords(double before, double now) {
    if (timesWords(std::max(before, now) / std::min(before, now)) == timesWords(1))
        return "as fast";
    return now > before ? timesWords(now / before) + " as long" : timesWords(before / now) + " as fast";
}

AnswerEntry speedEntry(double before, double now, std::string_view of) {
    return {{}, timesWords(before / now), "the speed of " + std::string(of)};
}

std::string kernelsWords(std::string_view kernels) {
    if (kernels == kLibraryKernels)
        return "the library's kernels";
    return kernels == kFusedKernels ? "fused kernels" : "the fused kernels " + std::string(kernels);
}

std::string shortened(std::string_view name) {
    if (name.size() <= kMostOfName)
        return std::string(name);
    std::size_t end = kMostOfName;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
        --end;  // not within a character
    return std::string(name.substr(0, end)) + "…";
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    return formatGrouped(count) + " " + std::string(count == 1 ? one : many);
}

std::vector<std::string> valuesOf(const Sweep& sweep, std::string_view key) {
    for (const SweepAxis& axis : sweep.plan.axes) {
        if (axis.key == key)
            return axis.values;
    }
    const Setting* setting = findSetting(key);
    return setting ? std::vector{setting->text(sweep.plan.base)} : std::vector<std::string>{};
}

std::string valueOf(const Sweep& sweep, const SweepCell& cell, std::string_view key) {
    for (std::size_t i = 0; i < sweep.plan.axes.size() && i < cell.values.size(); ++i) {
        const SweepAxis& axis = sweep.plan.axes[i];
        if (axis.key == key && cell.values[i] < axis.values.size())
            return axis.values[cell.values[i]];
    }
    const Setting* setting = findSetting(key);
    return setting ? setting->text(sweep.plan.base) : std::string();
}

const SweepCell* cellAt(const Sweep& sweep, const std::vector<std::pair<std::string, std::string>>& at) {
    for (const SweepCell& cell : sweep.cells) {
        const bool there = std::ranges::all_of(sweep.plan.axes, [&](const SweepAxis& axis) {
            const auto wanted =
                std::ranges::find_if(at, [&](const auto& pair) { return pair.first == axis.key; });
            return valueOf(sweep, cell, axis.key) ==
                   (wanted == at.end() ? axis.values.front() : wanted->second);
        });
        if (there && cell.repeat == 0)
            return &cell;
    }
    return nullptr;
}

const SweepCell* okCellAt(const Sweep& sweep, const std::vector<std::pair<std::string, std::string>>& at) {
    const SweepCell* cell = cellAt(sweep, at);
    return cell && cell->state == CellState::kOk ? cell : nullptr;
}

namespace {

/// Times of such runs are not the work's alone, and neither is what follows from them.
void noteDisturbed(const std::vector<const Sweep*>& sweeps, ExperimentResult& result) {
    std::int64_t ran = 0, disturbed = 0;
    for (const Sweep* sweep : sweeps) {
        for (const SweepCell& cell : sweep->cells) {
            if (cell.state != CellState::kOk)
                continue;
            ++ran;
            disturbed += cell.wasDisturbed() ? 1 : 0;
        }
    }
    if (disturbed > 0)
        result.notes.push_back(
            "Other programs on the host, or a clock that was held down, disturbed " +
            (disturbed == ran ? "every run"
                              : std::to_string(disturbed) + " of " + std::to_string(ran) + " runs") +
            ": their times, and what is said of them, may not be the work's alone. Repeat it on an "
            "idle machine.");
}

}  // namespace

std::string disturbedClause(const std::vector<const SweepCell*>& cells) {
    const std::set<const SweepCell*> all(cells.begin(), cells.end());
    const std::int64_t ran = std::ranges::count_if(all, [](const SweepCell* cell) { return cell; });
    const std::int64_t disturbed =
        std::ranges::count_if(all, [](const SweepCell* cell) { return cell && cell->wasDisturbed(); });
    if (disturbed == 0)
        return {};
    const std::string which = disturbed < ran
                                  ? formatGrouped(disturbed) + " of the " + formatGrouped(ran) + " runs" +
                                        " behind this " + (disturbed == 1 ? "was" : "were")
                              : ran == 1 ? "the run behind this was"
                              : ran == 2 ? "both runs behind this were"
                                         : "all " + formatGrouped(ran) + " runs behind this were";
    return "; " + which +
           " disturbed by other programs or by a clock that was held down, so the times may not be the "
           "work's alone";
}

std::string disturbedMark(const std::vector<const SweepCell*>& cells) {
    return disturbedClause(cells).empty() ? "" : "; disturbed";
}

void noteCells(const Sweep& sweep, ExperimentResult& result, std::string_view before) {
    std::size_t unsaid = 0;
    std::size_t said = 0;
    const std::string head = before.empty() ? std::string() : std::string(before) + " · ";
    for (const SweepCell& cell : sweep.cells) {
        const std::string title = head + cellTitle(sweep.plan, cell);
        if (!cell.runFile.empty())
            result.runs.push_back({title, cell.runFile});
        if (cell.state == CellState::kOk)
            continue;
        if (said++ >= kMostCellNotes) {
            ++unsaid;
            continue;
        }
        const std::string words = cell.state == CellState::kWaiting || cell.state == CellState::kRunning
                                      ? "has not run."
                                      : cell.message;
        result.notes.push_back(title + ": " + words);
    }
    if (unsaid > 0)
        result.notes.push_back(
            counted(static_cast<std::int64_t>(unsaid), "more cell has", "more cells have") +
            " no result; the sweep file says why.");
}

void noteSweeps(const Experiment& experiment, const ExperimentEvidence& evidence, ExperimentResult& result) {
    std::vector<const Sweep*> sweeps;
    std::vector<std::pair<std::string, std::string>> alike;
    for (const NamedSweep& named : experiment.sweeps(evidence.options())) {
        const Sweep& sweep = evidence.sweep(named.name);
        if (sweep.cells.empty())
            continue;
        sweeps.push_back(&sweep);
        alike.emplace_back(named.name, settingsInCommon(sweep.plan));
    }
    for (const auto& [name, settings] : alike)
        result.measured.push_back(alike.size() > 1 ? name + ": " + settings : settings);
    if (experiment.tellsTimes)
        noteDisturbed(sweeps, result);
}

}  // namespace warpglass
