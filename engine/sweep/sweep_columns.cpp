#include "engine/sweep/sweep_columns.h"

#include <algorithm>

#include "engine/sweep/measures.h"
#include "engine/sweep/sweep_slice.h"

namespace warpglass {

namespace {

using CellColumn = Column<SweepCell>;

CellColumn axisColumn(const SweepAxis& axis, std::size_t place) {
    const Setting* setting = findSetting(axis.key);
    const std::string title =
        !setting ? axis.key
                 : std::string(setting->panel.head.empty() ? setting->panel.label : setting->panel.head);
    const std::string noun = setting ? std::string(setting->noun) : axis.key;
    if (const auto numbers = numbersOf(axis)) {
        return CellColumn(axis.key, title, Unit::kCount, "The cell's " + noun,
                          [place, numbers = *numbers](const SweepCell& cell) {
                              const bool known =
                                  place < cell.values.size() && cell.values[place] < numbers.size();
                              return known ? wholeIfExact(numbers[cell.values[place]]) : Cell();
                          },
                          {.firstSort = FirstSort::kLeast, .width = 96});
    }
    return CellColumn(axis.key, title, Unit::kText, "The cell's " + noun,
                      [place, values = axis.values](const SweepCell& cell) {
                          const bool known = place < cell.values.size() && cell.values[place] < values.size();
                          return known ? Cell(values[cell.values[place]]) : Cell();
                      },
                      {.width = 110});
}

bool hasFigure(const Sweep& sweep, const std::string& key) {
    return std::any_of(sweep.cells.begin(), sweep.cells.end(),
                       [&](const SweepCell& cell) { return cell.figure(key).has_value(); });
}

}  // namespace

TableDescription<SweepCell> sweepColumns(const Sweep& sweep) {
    TableDescription<SweepCell> table;
    table.key = "cells";
    table.columns.push_back(CellColumn("cell", "Cell", Unit::kOrdinal,
                                       "Number of the cell in the grid, counted from 0", &SweepCell::index,
                                       {.width = 64}));
    for (std::size_t i = 0; i < sweep.plan.axes.size(); ++i)
        table.columns.push_back(axisColumn(sweep.plan.axes[i], i));
    if (sweep.plan.repeats > 1)
        table.columns.push_back(CellColumn("repeat", "Repeat", Unit::kOrdinal,
                                           "Which repeat of the same settings, counted from 0",
                                           &SweepCell::repeat, {.width = 72}));
    table.columns.push_back(CellColumn("state", "State", Unit::kText, "What became of the cell",
                                       [](const SweepCell& cell) { return cellStateName(cell.state); },
                                       {.width = 110}));
    for (const Measure& measure : measures()) {
        if (!hasFigure(sweep, measure.key))
            continue;
        table.columns.push_back(CellColumn(measure.key, measure.title, measure.unit, measure.description,
                                           [key = measure.key](const SweepCell& cell) {
                                               const auto figure = cell.figure(key);
                                               return figure ? wholeIfExact(*figure) : Cell();
                                           },
                                           {.width = 120}));
    }
    table.columns.push_back(CellColumn(
        "took_ns", "Took", Unit::kNanoseconds, "Time of the whole cell, with the start of its process",
        [](const SweepCell& cell) { return wholeOrAbsent(double(cell.took.value)); }, {.width = 96}));
    if (std::any_of(sweep.cells.begin(), sweep.cells.end(),
                    [](const SweepCell& cell) { return !cell.memorySnapshot.empty(); }))
        table.columns.push_back(
            CellColumn("memory_snapshot", "Memory Snapshot", Unit::kText,
                       "LibTorch's memory snapshot of the cell, for pytorch.org/memory_viz; relative to the "
                       "sweep's folder",
                       [](const SweepCell& cell) { return textOrAbsent(cell.memorySnapshot.string()); },
                       {.width = 160}));
    table.columns.push_back(
        CellColumn("message", "Message", Unit::kText, "Why there are no figures of it, or no memory snapshot",
                   [](const SweepCell& cell) { return textOrAbsent(cell.message); }, {.width = 320}));
    return table;
}

}  // namespace warpglass
