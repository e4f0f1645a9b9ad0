#include "engine/report/sweep_tables.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "engine/plan/settings.h"
#include "engine/report/report_sections.h"
#include "engine/sweep/grid.h"
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
    std::vector<std::string> keys;
    for (const Measure& measure : measures())
        keys.push_back(measure.key);
    for (int step = 0; present.contains("step_" + std::to_string(step) + "_ns"); ++step)
        keys.push_back("step_" + std::to_string(step) + "_ns");
    for (const std::string& key : present) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(key);
    }
    return keys;
}

std::vector<std::string> shownKeys(const Sweep& sweep, const std::vector<std::string>& chosen,
                                   TableFormat format) {
    if (std::find(chosen.begin(), chosen.end(), "all") != chosen.end())
        return keysOf(sweep);
    if (!chosen.empty())
        return chosen;
    if (isForPeople(format))
        return {std::begin(kUsual), std::end(kUsual)};
    return keysOf(sweep);
}

ReportColumn columnOf(const std::string& key) {
    const Measure* measure = findMeasure(key);
    return measure ? ReportColumn{measure->title, key, measure->unit} : ReportColumn{key, key, Unit::kNumber};
}

ReportColumn axisColumn(const SweepAxis& axis) {
    const Setting* setting = findSetting(axis.key);
    const bool isNumber = setting && (std::holds_alternative<WholeNumber>(setting->kind) ||
                                      std::holds_alternative<SizeLimit>(setting->kind));
    return {setting ? settingTitle(*setting) : axis.key, axis.key, isNumber ? Unit::kOrdinal : Unit::kText};
}

/// For people in the setting's words, for scripts as it is written: numbers as numbers.
Cell axisCell(const SweepAxis& axis, std::uint32_t value, bool forPeople) {
    const std::string& text = axis.values.at(value);
    const Setting* setting = findSetting(axis.key);
    RunConfig config;
    if (!setting || !setting->take(text, config))
        return text;
    if (forPeople)
        return setting->words(config);
    if (const auto* number = std::get_if<WholeNumber>(&setting->kind))
        return number->value.of(config);
    if (const auto* size = std::get_if<SizeLimit>(&setting->kind))
        return size->value.of(config).value;
    return text;
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
        took = wrappingAdd(took, cell.took.value);
        disturbed += cell.wasDisturbed();
    }
    return {"Sweep",
            {{"File", "path"},
             {"Cells", "cells", Unit::kOrdinal},
             {"OK", "ok", Unit::kOrdinal},
             {"Out of memory", "out_of_memory", Unit::kOrdinal},
             {"Failed", "failed", Unit::kOrdinal},
             {"Skipped", "skipped", Unit::kOrdinal},
             {"Waiting", "waiting", Unit::kOrdinal},
             {"Repeats", "repeats", Unit::kOrdinal},
             {"Time of its cells", "took_ns", Unit::kNanoseconds},
             {"Device", "device"},
             {"LibTorch", "torch_version"},
             {"Settings in common", "settings"},
             {"Disturbed", "disturbed", Unit::kOrdinal}},
            {{path.string(), static_cast<std::int64_t>(sweep.cells.size()), countOf(sweep, CellState::kOk),
              countOf(sweep, CellState::kOutOfMemory), countOf(sweep, CellState::kFailed),
              countOf(sweep, CellState::kSkipped),
              countOf(sweep, CellState::kWaiting) + countOf(sweep, CellState::kRunning), sweep.plan.repeats,
              took, informationCell(sweep, "device.name"), informationCell(sweep, "torch.version"),
              textOrAbsent(settingsInCommon(sweep.plan)), disturbed}},
            "sweep"};
}

ReportTable cellsTable(const Sweep& sweep, const std::vector<std::string>& keys, bool forPeople) {
    ReportTable table{"Cells", {{"Cell", "cell", Unit::kOrdinal}}, {}, "cells"};
    for (const SweepAxis& axis : sweep.plan.axes)
        table.columns.push_back(axisColumn(axis));
    const bool repeats = sweep.plan.repeats > 1 || !forPeople;
    if (repeats)
        table.columns.push_back({"Repeat", "repeat", Unit::kOrdinal});
    table.columns.push_back({"State", "state"});
    table.columns.push_back({"Took", "took_ns", Unit::kNanoseconds});
    if (!forPeople) {
        for (const char* key : {"started", "message", "run_file", "memory_snapshot"})
            table.columns.push_back({key, key});
    }
    for (const std::string& key : keys)
        table.columns.push_back(columnOf(key));
    if (forPeople) {
        table.columns.push_back({"Memory snapshot", "memory_snapshot"});
        table.columns.push_back({"Message", "message"});
    }
    for (const SweepCell& cell : sweep.cells) {
        std::vector<Cell> row = {cell.index};
        for (std::size_t i = 0; i < sweep.plan.axes.size(); ++i)
            row.push_back(axisCell(sweep.plan.axes[i], cell.values[i], forPeople));
        if (repeats)
            row.emplace_back(cell.repeat);
        row.emplace_back(std::string(cellStateName(cell.state)));
        row.push_back(cell.took.value > 0 ? Cell(cell.took.value) : Cell());
        if (!forPeople) {
            for (const std::string& text :
                 {cell.started, cell.message, cell.runFile.string(), cell.memorySnapshot.string()})
                row.push_back(textOrAbsent(text));
        }
        for (const std::string& key : keys) {
            const auto figure = cell.figure(key);
            row.push_back(figure ? wholeIfExact(*figure) : Cell());
        }
        if (forPeople) {
            row.push_back(textOrAbsent(cell.memorySnapshot.string()));
            row.push_back(textOrAbsent(cell.message));
        }
        table.rows.push_back(std::move(row));
    }
    return forPeople ? withoutAbsent(std::move(table)) : table;
}

void removeColumn(ReportTable& table, std::string_view key) {
    const auto column = std::ranges::find(table.columns, key, &ReportColumn::key);
    if (column == table.columns.end())
        return;
    const auto c = column - table.columns.begin();
    table.columns.erase(column);
    for (std::vector<Cell>& row : table.rows)
        row.erase(row.begin() + c);
}

ReportTable doubtsTable(const SweepPlan& plan, const SweepForecast& forecast, bool forPeople) {
    ReportTable table{
        "Cells that cannot be run or will likely not fit", {{"Cell", "cell", Unit::kOrdinal}}, {}, "doubts"};
    for (const SweepAxis& axis : plan.axes)
        table.columns.push_back(axisColumn(axis));
    table.columns.push_back({"Why", "message"});
    for (const SweepCell& cell : cellsOf(plan)) {
        const std::string& doubt = forecast.doubts[static_cast<std::size_t>(cell.index)];
        if (cell.repeat != 0 || doubt.empty())
            continue;
        std::vector<Cell> row = {cell.index};
        for (std::size_t i = 0; i < plan.axes.size(); ++i)
            row.push_back(axisCell(plan.axes[i], cell.values[i], forPeople));
        row.emplace_back(doubt);
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace

std::vector<ReportTable> forecastTables(const SweepPlan& plan, const SweepForecast& forecast,
                                        TableFormat format) {
    const bool skips = plan.tooLarge == TooLarge::kSkip;
    const std::int64_t skipped = forecast.cannotRun + (skips ? forecast.tooLarge : 0);
    ReportTable summary{"Sweep, before it runs",
                        {{"Cells", "cells", Unit::kOrdinal},
                         {"Repeats", "repeats", Unit::kOrdinal},
                         {"Cells that will run", "running", Unit::kOrdinal},
                         {"Cannot be run", "cannot_run", Unit::kOrdinal},
                         {"Predicted not to fit", "too_large", Unit::kOrdinal},
                         {"Largest predicted peak", "largest_peak_bytes", Unit::kBytes},
                         {"Estimated time", "time_ns", Unit::kNanoseconds}},
                        {{forecast.cells, plan.repeats, forecast.cells - skipped, forecast.cannotRun,
                          forecast.tooLarge, forecast.largestPeak.value, cellOf(forecast.time)}},
                        "sweep-plan"};
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
    ReportTable warnings{"Warnings about the file", {{"Warning", "warning"}}, {}, "warnings"};
    for (const std::string& warning : sweep.warnings)
        warnings.rows.push_back({warning});
    if (!forPeople || !warnings.rows.empty())
        tables.push_back(std::move(warnings));
    return tables;
}

ReportTable cellsForPage(const Sweep& sweep) {
    ReportTable table = cellsTable(sweep, {std::begin(kOnPage), std::end(kOnPage)}, true);
    for (const char* key : {"cell", "took_ns", "memory_snapshot", "message"})
        removeColumn(table, key);
    for (const SweepAxis& axis : sweep.plan.axes) {
        if (axis.values.size() == 1)
            removeColumn(table, axis.key);
    }
    const bool hasStep =
        std::ranges::find(table.columns, "step_mean_ns", &ReportColumn::key) != table.columns.end();
    if (hasStep && table.columns.size() > kMostOnPage) {
        for (const char* key : {"forward_mean_ns", "backward_mean_ns"})
            removeColumn(table, key);
    }
    return table;
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
