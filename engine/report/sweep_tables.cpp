#include "engine/report/sweep_tables.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/units.h"
#include "engine/report/run_tables.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

/// What people look at first, of what the cells have.
constexpr std::string_view kUsual[] = {"step_mean_ns",      "forward_mean_ns",   "backward_mean_ns",
                                       "optimizer_mean_ns", "tokens_per_second", "mfu_measured",
                                       "peak_bytes"};

/// What a page has room for beside the settings, and how many columns in all before the phases give way.
constexpr std::string_view kOnPage[] = {"step_mean_ns", "forward_mean_ns", "backward_mean_ns",
                                        "tokens_per_second", "peak_bytes"};
constexpr std::size_t kMostOnPage = 10;

/// In the order of measures(), then the steps one by one and what a newer Warpglass has.
std::vector<std::string> keysOf(const Sweep& sweep) {
    std::set<std::string> present;
    for (const SweepCell& cell : sweep.cells) {
        for (const auto& [key, value] : cell.figures)
            present.insert(key);
    }
    std::vector<std::string> keys = measureKeys();
    for (int step = 0; present.contains("step_" + std::to_string(step) + "_ns"); ++step)
        keys.push_back("step_" + std::to_string(step) + "_ns");
    for (const std::string& key : present) {
        if (std::ranges::find(keys, key) == keys.end())
            keys.push_back(key);
    }
    return keys;
}

std::vector<std::string> shownKeys(const Sweep& sweep, const std::vector<std::string>& chosen,
                                   TableFormat format) {
    if (std::ranges::find(chosen, "all") != chosen.end())
        return keysOf(sweep);
    if (!chosen.empty())
        return chosen;
    if (isForPeople(format))
        return {std::begin(kUsual), std::end(kUsual)};
    return keysOf(sweep);
}

std::int64_t countOf(const Sweep& sweep, CellState state) {
    return static_cast<std::int64_t>(sweep.count(state));
}

Cell informationCell(const Sweep& sweep, std::string_view key) {
    for (const auto& [known, value] : sweep.information) {
        if (known == key)
            return value;
    }
    return {};
}

ReportTable summaryTable(const std::filesystem::path& path, const Sweep& sweep) {
    std::int64_t took = 0, disturbed = 0;
    for (const SweepCell& cell : sweep.cells) {
        addWrapping(took, cell.took.value);
        disturbed += cell.wasDisturbed();
    }
    const std::int64_t waiting = countOf(sweep, CellState::kWaiting) + countOf(sweep, CellState::kRunning);
    return recordOf(
        "sweep", "Sweep",
        {{"path", "File", Unit::kText, path.string()},
         {"cells", "Cells", Unit::kOrdinal, sweep.cells.size()},
         {"ok", "OK", Unit::kOrdinal, countOf(sweep, CellState::kOk)},
         {"out_of_memory", "Out of memory", Unit::kOrdinal, countOf(sweep, CellState::kOutOfMemory)},
         {"failed", "Failed", Unit::kOrdinal, countOf(sweep, CellState::kFailed)},
         {"skipped", "Skipped", Unit::kOrdinal, countOf(sweep, CellState::kSkipped)},
         {"waiting", "Waiting", Unit::kOrdinal, waiting},
         {"repeats", "Repeats", Unit::kOrdinal, sweep.plan.repeats},
         {"took_ns", "Time of its cells", Unit::kNanoseconds, took},
         {"device", "Device", Unit::kText, informationCell(sweep, "device.name")},
         {"torch_version", "LibTorch", Unit::kText, informationCell(sweep, "torch.version")},
         {"settings", "Settings in common", Unit::kText, textOrAbsent(settingsInCommon(sweep.plan))},
         {"disturbed", "Disturbed", Unit::kOrdinal, disturbed}});
}

ReportTable cellsTable(const Sweep& sweep, const std::vector<std::string>& keys, bool forPeople) {
    ReportTable table = reportOf(sweepColumns(sweep, keys), "Cells", sweep.cells, {}, forPeople);
    return forPeople ? withoutAbsent(std::move(table)) : table;
}

ReportTable doubtsTable(const SweepPlan& plan, const SweepForecast& forecast, bool forPeople) {
    const auto doubtOf = [&](const SweepCell& cell) {
        return forecast.doubts[static_cast<std::size_t>(cell.index)];
    };
    std::vector<SweepCell> cells = cellsOf(plan);
    std::erase_if(cells, [&](const SweepCell& cell) { return cell.repeat != 0 || doubtOf(cell).empty(); });
    std::vector<Column<SweepCell>> columns = axisColumns(plan);
    columns.insert(columns.begin(), Column<SweepCell>("cell", "Cell", Unit::kOrdinal, &SweepCell::index));
    columns.push_back(Column<SweepCell>("message", "Why", doubtOf));
    return tableOf("doubts", "Cells that cannot be run or will likely not fit", cells, std::move(columns),
                   forPeople);
}

}  // namespace

std::vector<ReportTable> forecastTables(const SweepPlan& plan, const SweepForecast& forecast,
                                        TableFormat format) {
    const bool skips = plan.tooLarge == TooLarge::kSkip;
    const std::int64_t skipped = forecast.cannotRun + (skips ? forecast.tooLarge : 0);
    ReportTable summary =
        recordOf("sweep-plan", "Sweep, before it runs",
                 {{"cells", "Cells", Unit::kOrdinal, forecast.cells},
                  {"repeats", "Repeats", Unit::kOrdinal, plan.repeats},
                  {"running", "Cells that will run", Unit::kOrdinal, forecast.cells - skipped},
                  {"cannot_run", "Cannot be run", Unit::kOrdinal, forecast.cannotRun},
                  {"too_large", "Predicted not to fit", Unit::kOrdinal, forecast.tooLarge},
                  {"largest_peak_bytes", "Largest predicted peak", Unit::kBytes, forecast.largestPeak},
                  {"time_ns", "Estimated time", Unit::kNanoseconds, forecast.time}});
    std::vector<ReportTable> tables = {asRecord(std::move(summary), format),
                                       doubtsTable(plan, forecast, isForPeople(format))};
    if (isForPeople(format) && tables.back().rows.empty())
        tables.pop_back();
    return tables;
}

std::vector<ReportTable> sweepTables(const std::filesystem::path& path, const Sweep& sweep,
                                     const std::vector<std::string>& measures, TableFormat format) {
    const bool forPeople = isForPeople(format);
    ReportTable summary = summaryTable(path, sweep);
    std::vector<ReportTable> tables = {
        asRecord(forPeople ? withoutAbsent(std::move(summary)) : std::move(summary), format),
        cellsTable(sweep, shownKeys(sweep, measures, format), forPeople)};
    if (!forPeople || !sweep.warnings.empty())
        tables.push_back(warningsTable(sweep.warnings));
    return tables;
}

ReportTable cellsForPage(const Sweep& sweep) {
    ReportTable table = cellsTable(sweep, {std::begin(kOnPage), std::end(kOnPage)}, true);
    std::vector<std::string_view> spared = {"cell", "took_ns", "memory_snapshot", "message"};
    for (const SweepAxis& axis : sweep.plan.axes) {
        if (axis.values.size() == 1)
            spared.push_back(axis.key);
    }
    table = withoutColumns(std::move(table), spared);
    const bool hasStep =
        std::ranges::find(table.columns, "step_mean_ns", &ReportColumn::key) != table.columns.end();
    return hasStep && table.columns.size() > kMostOnPage
               ? withoutColumns(std::move(table), {"forward_mean_ns", "backward_mean_ns"})
               : table;
}

std::string countsInWords(const Sweep& sweep) {
    std::string text;
    for (const auto& [state, words] : {std::pair(CellState::kOk, "ok"),
                                       {CellState::kOutOfMemory, "out of memory"},
                                       {CellState::kFailed, "failed"},
                                       {CellState::kSkipped, "skipped"},
                                       {CellState::kWaiting, "waiting"}}) {
        if (const std::size_t count = sweep.count(state); count > 0)
            text.append(text.empty() ? "" : ", ").append(std::to_string(count)).append(" ").append(words);
    }
    return text;
}

}  // namespace warpglass
