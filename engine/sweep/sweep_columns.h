// The table of a sweep's cells: its axes, what became of each cell, and the measures that any of them has.
#pragma once

#include "engine/sweep/sweep.h"
#include "engine/tables/column.h"

namespace warpglass {

/// Tells rows apart in the window's table.
inline std::int64_t rowKey(const SweepCell& cell) {
    return cell.index;
}

/// The columns depend on the plan and on which measures there are, and refer to neither afterwards.
TableDescription<SweepCell> sweepColumns(const Sweep& sweep);

}  // namespace warpglass
