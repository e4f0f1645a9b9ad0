#include "engine/sweep/grid.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <numeric>
#include <random>
#include <unordered_set>
#include <utility>
#include <variant>

#include "engine/base/format.h"
#include "engine/base/kernel_files.h"

namespace warpglass {
namespace {

std::string inQuotes(std::string_view text) {
    return "\"" + std::string(text) + "\"";
}

bool listsWords(const Setting& setting) {
    return std::holds_alternative<SomeOf>(setting.kind);
}

std::vector<std::string> splitAtCommas(std::string_view list) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t comma = list.find(',');
        parts.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos)
            return parts;
        list.remove_prefix(comma + 1);
    }
}

/// The value as the setting writes it; an error where it does not take it.
Result<std::string> canonical(const Setting& setting, std::string_view value) {
    const auto refused = [&setting](const std::string& sentence) {
        return Error{std::string(setting.key) + ": " + sentence};
    };
    if (value.empty())
        return refused("a value is empty.");
    RunConfig tried;
    if (const Status taken = setting.take(value, tried); !taken)
        return refused(taken.message());
    if (const auto problem = setting.problem(tried))
        return refused(*problem);
    return setting.text(tried);
}

Status checkAxis(const SweepAxis& axis) {
    const Setting* setting = findSetting(axis.key);
    if (!setting || setting->key != axis.key)
        return Error{"There is no setting " + inQuotes(axis.key) + " for a sweep to vary."};
    const Result<SweepAxis> same = sweepAxis(axis.key, axis.values);
    return same ? Status() : Status(same.error());
}

/// Whether some cell runs on the CPU. `device` is an axis or the base's.
bool anyOnCpu(const SweepPlan& plan) {
    for (const SweepAxis& axis : plan.axes) {
        if (axis.key == "device")
            return std::ranges::find(axis.values, "cpu") != axis.values.end();
    }
    return !plan.base.onGpu();
}

/// Sizes that are not the preset's make a model of one's own, as on the command line.
void renameResized(RunConfig& config) {
    if (const auto preset = presetShape(config.model); preset && config.shape != *preset)
        config.model = std::string(kCustomModel);
}

/// Below `limit`, every number as likely; the same on every machine, as std::uniform_int_distribution is not.
std::uint64_t drawBelow(std::mt19937_64& random, std::uint64_t limit) {
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t fair = kAll - kAll % limit;
    for (;;) {
        if (const std::uint64_t drawn = random(); drawn < fair)
            return drawn % limit;
    }
}

void shuffle(std::vector<std::int64_t>& order, std::mt19937_64& random) {
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(drawBelow(random, i))]);
}

}  // namespace

Result<SweepAxis> sweepAxis(std::string_view key, std::string_view list) {
    const Setting* setting = findSetting(key);
    if (setting && listsWords(*setting))
        return sweepAxis(key, std::vector<std::string>{std::string(list)});
    return sweepAxis(key, splitAtCommas(list));
}

Result<SweepAxis> sweepAxis(std::string_view key, const std::vector<std::string>& values) {
    const Setting* setting = findSetting(key);
    if (!setting)
        return Error{"There is no setting " + inQuotes(key) + "."};
    SweepAxis axis{std::string(setting->key), {}};
    std::unordered_set<std::string> taken;
    if (values.empty() || (values.size() == 1 && trimmed(values.front()).empty()))
        return Error{axis.key + ": the list of values is empty."};
    for (const std::string& value : values) {
        Result<std::string> written = canonical(*setting, trimmed(value));
        if (!written)
            return written.error();
        if (!taken.insert(*written).second)
            return Error{axis.key + ": the value " + inQuotes(*written) + " is given twice."};
        axis.values.push_back(std::move(*written));
    }
    return axis;
}

std::optional<std::string> workloadProblem(const SweepPlan& plan, const Setting& setting) {
    const Setting* workload = findSetting("workload");
    const auto varied = std::ranges::find(plan.axes, workload->key, &SweepAxis::key);
    if (varied == plan.axes.end())
        return setting.workloadProblem(plan.base);
    std::optional<std::string> problem;
    for (const std::string& word : varied->values) {
        RunConfig of;
        static_cast<void>(workload->take(word, of));
        problem = setting.workloadProblem(of);
        if (!problem)
            return std::nullopt;
    }
    return problem;
}

Status checkPlanOfFile(const SweepPlan& plan) {
    if (plan.axes.empty())
        return Error{
            "The grid is empty: a sweep varies at least one setting, as in --context 128,256, or repeats one "
            "cell, as in --repeats 5."};
    // Before the values, of which a crafted file may have far more.
    const std::int64_t cells = cellCount(plan);
    if (cells > kMostCells)
        return Error{"The grid has " + formatGrouped(cells) + " cells, and a sweep has at most " +
                     formatGrouped(kMostCells) + "."};
    for (std::size_t i = 0; i < plan.axes.size(); ++i) {
        const SweepAxis& axis = plan.axes[i];
        if (const Status checked = checkAxis(axis); !checked)
            return checked;
        if (std::any_of(plan.axes.begin(), plan.axes.begin() + static_cast<std::ptrdiff_t>(i),
                        [&axis](const SweepAxis& before) { return before.key == axis.key; }))
            return Error{"The sweep varies " + inQuotes(axis.key) + " twice."};
    }
    if (plan.repeats < 1)
        return Error{"Every cell has to run at least once, not " + std::to_string(plan.repeats) + " times."};
    if (plan.timeLimit.value <= 0)
        return Error{"The time limit of a cell has to be longer than nothing."};
    if (plan.timeLimit > kMostTimeLimit)
        return Error{"The time limit of a cell can be at most 1,000,000,000 seconds."};
    if (plan.memorySnapshots && plan.runFolder.empty())
        return Error{
            "Memory snapshots are kept beside the run files, and there is no folder in which those are "
            "kept."};
    return {};
}

Status checkPlan(const SweepPlan& plan) {
    if (Status checked = checkPlanOfFile(plan); !checked)
        return checked;
    for (const SweepAxis& axis : plan.axes) {
        if (const auto problem = workloadProblem(plan, *findSetting(axis.key)))
            return Error{axis.key + ": " + *problem};
    }
    if (plan.memorySnapshots && anyOnCpu(plan))
        return Error{std::string(kNoSnapshotOfCpu)};
    return {};
}

void giveRepeatedCellAnAxis(SweepPlan& plan) {
    if (plan.axes.empty() && plan.repeats > 1)
        plan.axes.push_back({"context", {findSetting("context")->text(plan.base)}});
}

std::int64_t cellCount(const SweepPlan& plan) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t count = plan.axes.empty() ? 0 : std::max<std::int64_t>(plan.repeats, 0);
    for (const SweepAxis& axis : plan.axes) {
        const auto values = static_cast<std::int64_t>(axis.values.size());
        if (values > 0 && count > kMost / values)
            count = kMost;  // unless a later axis is empty
        else
            count *= values;
    }
    return count;
}

std::vector<SweepCell> cellsOf(const SweepPlan& plan) {
    std::vector<SweepCell> cells(static_cast<std::size_t>(cellCount(plan)));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        SweepCell& cell = cells[i];
        cell.index = static_cast<std::int64_t>(i);
        cell.repeat = cell.index % plan.repeats;
        std::int64_t rest = cell.index / plan.repeats;
        cell.values.resize(plan.axes.size());
        for (std::size_t axis = plan.axes.size(); axis-- > 0;) {
            const auto values = static_cast<std::int64_t>(plan.axes[axis].values.size());
            cell.values[axis] = static_cast<std::uint32_t>(rest % values);
            rest /= values;
        }
    }
    return cells;
}

std::vector<std::int64_t> runOrder(const SweepPlan& plan) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(cellCount(plan)));
    std::iota(order.begin(), order.end(), 0);
    if (plan.order == CellOrder::kGrid)
        return order;
    order.clear();
    const std::int64_t grid = cellCount(plan) / std::max<std::int64_t>(plan.repeats, 1);
    std::mt19937_64 random(plan.shuffleSeed);
    for (std::int64_t repeat = 0; repeat < plan.repeats; ++repeat) {
        std::vector<std::int64_t> round;
        for (std::int64_t cell = 0; cell < grid; ++cell)
            round.push_back(cell * plan.repeats + repeat);
        if (plan.order == CellOrder::kShuffled)
            shuffle(round, random);
        order.insert(order.end(), round.begin(), round.end());
    }
    return order;
}

RunConfig configOf(const SweepPlan& plan, const SweepCell& cell) {
    RunConfig config = plan.base;
    for (const Setting& setting : settings()) {
        for (std::size_t i = 0; i < plan.axes.size() && i < cell.values.size(); ++i) {
            const SweepAxis& axis = plan.axes[i];
            if (axis.key == setting.key && cell.values[i] < axis.values.size())
                static_cast<void>(setting.take(axis.values[cell.values[i]], config));  // checkPlan() has
        }
    }
    renameResized(config);
    return config;
}

std::string cellTitle(const SweepPlan& plan, const SweepCell& cell) {
    const bool anyVaries =
        std::ranges::any_of(plan.axes, [](const SweepAxis& axis) { return axis.values.size() > 1; });
    std::string title;
    for (std::size_t i = 0; i < plan.axes.size() && i < cell.values.size(); ++i) {
        const SweepAxis& axis = plan.axes[i];
        const Setting* setting = findSetting(axis.key);
        if (!setting || cell.values[i] >= axis.values.size() || (anyVaries && axis.values.size() == 1))
            continue;
        RunConfig config;
        static_cast<void>(setting->take(axis.values[cell.values[i]], config));
        title.append(title.empty() ? "" : " · ").append(setting->titleWords(config));
    }
    return title;
}

namespace {

/// "batch 8", "fp32"; of a number that a title says without its name, "head dimension 64".
std::string namedWords(const Setting& setting, const RunConfig& config) {
    const bool isNamed = !setting.title.before.empty() || !setting.title.many.empty();
    std::string words;
    if (std::holds_alternative<WholeNumber>(setting.kind) && (!isNamed || setting.isDimension(config))) {
        for (const char c : setting.name())
            words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        words += ' ';
    }
    return words + setting.titleWords(config);
}

/// Whether a reader of figures has to know it beside what every title says.
bool bearsOnFigures(const Setting& setting, const RunConfig& config) {
    constexpr std::array<std::string_view, 4> kAlways = {"batch", "mode", "warmup", "steps"};
    if (setting.isInEveryTitle(config) || std::ranges::find(kAlways, setting.key) != kAlways.end())
        return setting.applies(config);
    const bool isOfPreset = setting.panel.part == PanelPart::kSizes && config.model != kCustomModel;
    return setting.applies(config) && setting.key != "device" && !isOfPreset && !setting.isUsual(config);
}

}  // namespace

std::string settingsInCommon(const SweepPlan& plan) {
    SweepPlan fixed = plan;
    std::erase_if(fixed.axes, [](const SweepAxis& axis) { return axis.values.size() > 1; });
    SweepCell first;
    first.values.resize(fixed.axes.size());
    const RunConfig config = configOf(fixed, first);
    const auto varies = [&](const Setting& setting) {
        return std::ranges::any_of(plan.axes, [&](const SweepAxis& axis) {
            return axis.key == setting.key && axis.values.size() > 1;
        });
    };
    const bool resizes = std::ranges::any_of(settings(), [&](const Setting& setting) {
        return setting.panel.part == PanelPart::kSizes && varies(setting);
    });
    std::string words;
    for (const Setting& setting : settings()) {
        if (varies(setting) || !bearsOnFigures(setting, config))
            continue;
        words += (words.empty() ? "" : " · ") + namedWords(setting, config);
        if (setting.key == "model" && resizes)
            words += ", resized";
    }
    return words;
}

}  // namespace warpglass
