// How busy a run was over time, one value a pixel column: its GPU, or where it has none the threads' ops.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct ActivityCurve {
    /// Whether it is about kernels, copies and fills, rather than the outermost ops of the CPU threads.
    bool ofGpu = false;
    /// Each column's share of time, 0…1, with what runs: streams (threads) are added up, and cut at 1.
    std::vector<float> share;
    TimeRange range;
};

/// A lane with more than 64 spans a column is taken from its mip-map, 64 spans at a time with their time
/// spread evenly over them: no chunk is read, and what that moves is moved by less than their length.
/// O(columns · 64 + spans / 64).
ActivityCurve activityCurve(const Snapshot& snapshot, TimeRange range, std::size_t columns);

}  // namespace warpglass
