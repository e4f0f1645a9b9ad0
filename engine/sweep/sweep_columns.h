// The table of a sweep's cells: its axes, what became of each cell, and its figures. The window, the command
// line and reports have it.
#pragma once

#include <string>
#include <vector>

#include "engine/sweep/sweep.h"
#include "engine/tables/column.h"

namespace warpglass {

/// Tells rows apart in the window's table.
inline std::int64_t rowKey(const SweepCell& cell) {
    return cell.index;
}

/// A column for each axis: the cell's value of it, in the setting's words, or as a number.
std::vector<Column<SweepCell>> axisColumns(const SweepPlan& plan);

/// The keys of measures(), in their order.
std::vector<std::string> measureKeys();

/// `figures`: keys, in their order. People see those that some cell has. The columns refer to neither of the
/// arguments afterwards.
TableDescription<SweepCell> sweepColumns(const Sweep& sweep,
                                         const std::vector<std::string>& figures = measureKeys());

}  // namespace warpglass
