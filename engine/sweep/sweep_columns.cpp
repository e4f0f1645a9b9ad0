#include "engine/sweep/sweep_columns.h"

#include <algorithm>
#include <utility>

#include "engine/base/collect.h"
#include "engine/plan/settings.h"
#include "engine/sweep/measures.h"
#include "engine/tables/report.h"

namespace warpglass {

namespace {

using CellColumn = Column<SweepCell>;

/// A value as scripts have it, and in words where people do not read it as a number.
struct AxisValue {
    Cell plain;
    std::optional<std::string> words;
};

Unit unitOf(const Setting* setting) {
    if (setting && std::holds_alternative<AnyNumber>(setting->kind))
        return Unit::kOrdinal;  // a seed
    return setting && (std::holds_alternative<WholeNumber>(setting->kind) ||
                       std::holds_alternative<SizeLimit>(setting->kind))
               ? Unit::kCount
               : Unit::kText;
}

AxisValue axisValue(const Setting* setting, const std::string& text) {
    RunConfig config;
    if (!setting || !setting->take(text, config))
        return {text, {}};
    if (const auto* number = std::get_if<WholeNumber>(&setting->kind))
        return {number->value.of(config), {}};
    if (const auto* number = std::get_if<AnyNumber>(&setting->kind))
        return {std::in_range<std::int64_t>(number->value.of(config)) ? cellOf(number->value.of(config))
                                                                      : Cell(text),
                {}};
    const auto* size = std::get_if<SizeLimit>(&setting->kind);
    return {size ? cellOf(size->value.of(config)) : Cell(text), setting->words(config)};
}

CellColumn axisColumn(const SweepAxis& axis, std::size_t place) {
    const Setting* setting = findSetting(axis.key);
    auto values =
        mapped<AxisValue>(axis.values, [&](const std::string& text) { return axisValue(setting, text); });
    // A cell of a damaged file may have no value.
    const auto valueOf = [place, values = std::move(values)](const SweepCell& cell) {
        const bool known = place < cell.values.size() && cell.values[place] < values.size();
        return known ? values[cell.values[place]] : AxisValue();
    };
    return CellColumn(axis.key, setting ? setting->columnTitle() : axis.key, unitOf(setting),
                      "The cell's " + (setting ? std::string(setting->noun) : axis.key),
                      [valueOf](const SweepCell& cell) { return valueOf(cell).plain; },
                      {.text = [valueOf](const SweepCell& cell) { return valueOf(cell).words; },
                       .firstSort = FirstSort::kLeast,
                       .width = isNumber(unitOf(setting)) ? 96 : 110});
}

CellColumn figureColumn(const std::string& key) {
    const Measure* measure = findMeasure(key);
    return CellColumn(key, measure ? measure->title : key, measure ? measure->unit : Unit::kNumber,
                      measure ? measure->description : std::string(),
                      [key](const SweepCell& cell) {
                          const auto figure = cell.figure(key);
                          return figure ? wholeIfExact(*figure) : Cell();
                      },
                      {.width = 120});
}

}  // namespace

std::vector<CellColumn> axisColumns(const SweepPlan& plan) {
    std::vector<CellColumn> columns;
    for (const SweepAxis& axis : plan.axes)
        columns.push_back(axisColumn(axis, columns.size()));
    return columns;
}

std::vector<std::string> measureKeys() {
    return mapped<std::string>(measures(), &Measure::key);
}

TableDescription<SweepCell> sweepColumns(const Sweep& sweep, const std::vector<std::string>& figures) {
    const auto seenIfAny = [&](const auto& has) {
        return std::ranges::any_of(sweep.cells, has) ? Seen::kEverywhere : Seen::kScripts;
    };
    TableDescription<SweepCell> table;
    table.key = "cells";
    std::vector<CellColumn>& columns = table.columns;
    columns = axisColumns(sweep.plan);
    columns.insert(columns.begin(), CellColumn("cell", "Cell", Unit::kOrdinal,
                                               "Number of the cell in the grid, counted from 0",
                                               &SweepCell::index, {.width = 64}));
    columns.push_back(
        CellColumn("repeat", "Repeat", Unit::kOrdinal, "Which repeat of the same settings, counted from 0",
                   &SweepCell::repeat,
                   {.seen = sweep.plan.repeats > 1 ? Seen::kEverywhere : Seen::kScripts, .width = 72}));
    columns.push_back(CellColumn("state", "State", Unit::kText, "What became of the cell",
                                 [](const SweepCell& cell) { return cellStateName(cell.state); },
                                 {.width = 110}));
    columns.push_back(CellColumn("took_ns", "Took", Unit::kNanoseconds,
                                 "Time of the whole cell, with the start of its process",
                                 ifPositive(&SweepCell::took), {.width = 96}));
    columns.push_back(CellColumn("started", "Started", Unit::kText, "When, in UTC",
                                 unlessEmpty(&SweepCell::started), {.seen = Seen::kScripts}));
    columns.push_back(CellColumn("message", "Message", Unit::kText,
                                 "Why there are no figures of it, or no memory snapshot",
                                 unlessEmpty(&SweepCell::message), {.width = 320}));
    columns.push_back(CellColumn(
        "run_file", "Run file", Unit::kText, "Its run, relative to the sweep's folder",
        unlessEmpty([](const SweepCell& cell) { return cell.runFile.string(); }), {.seen = Seen::kScripts}));
    columns.push_back(CellColumn(
        "memory_snapshot", "Memory snapshot", Unit::kText,
        "LibTorch's memory snapshot of the cell, for pytorch.org/memory_viz; relative to the sweep's folder",
        unlessEmpty([](const SweepCell& cell) { return cell.memorySnapshot.string(); }),
        {.seen = seenIfAny([](const SweepCell& cell) { return !cell.memorySnapshot.empty(); }),
         .width = 160,
         .after = "took_ns"}));
    // People read the figures between how long a cell took and what is said of it; the window has them first.
    std::string before = "took_ns";
    std::ptrdiff_t shown = 0;
    for (const std::string& key : figures) {
        CellColumn column = figureColumn(key);
        column.seen = seenIfAny([&](const SweepCell& cell) { return cell.figure(key).has_value(); });
        column.after = before;
        if (column.seen == Seen::kEverywhere) {
            before = key;
            ++shown;
        }
        columns.push_back(std::move(column));
    }
    for (const CellColumn* column : inReport(columns, true))
        table.windowOrder.push_back(column->key);
    const auto took = std::ranges::find(table.windowOrder, "took_ns");
    std::rotate(took, took + 1, took + 1 + shown);
    return table;
}

}  // namespace warpglass
