// Where computing went: time by place in the model, by op and by kernel.
//
// Where kernels were recorded it is the GPU's time, kernels, copies and fills, by the place and the op that
// launched them; else the ops' self time on all CPU threads. Either adds up to the whole and counts nothing
// twice. It is taken over the measured steps (all complete ones when none is measured), or over what a filter
// with ranges or a step chooses.
//
// One pass over the rows. Pure; any thread. Damaged chunks are passed over; no time is below 0.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/statistics.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct WorkRow {
    PlaceId place;
    /// Not valid for what no op launched.
    NameId op;
    /// The kernel or copy; not valid on the CPU.
    NameId kernel;
    std::int64_t time = 0;  // ns, of all steps
    std::int64_t instances = 0;
};

struct WorkTimes {
    bool gpu = false;
    /// What the sums are divided by for a mean: the steps, or 1 for a chosen range or step. 0 when no step
    /// was completed.
    std::int64_t steps = 0;
    bool measured = false;
    bool ofRange = false;
    /// Each combination of place, op and kernel once, in the order of their first occurrence.
    std::vector<WorkRow> rows;
};

WorkTimes workTimes(const Snapshot& snapshot, const SpanFilter& filter = {});

/// Whether the run has kernels of a GPU.
bool hasKernels(const Snapshot& snapshot);

}  // namespace warpglass
