// Where computing went: time by place in the model, by op and by kernel.
//
// Where kernels were recorded it is the GPU's time, kernels, copies and fills, by the place and the op that
// launched them; else the ops' self time on all CPU threads. Either adds up to the whole and counts nothing
// twice. It is taken over the measured steps (all complete ones when none is measured), over all complete
// ones, or over what a filter with ranges or a step chooses.
//
// One pass over the rows. Pure; any thread. Damaged chunks are passed over; no time is below 0.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/span_filter.h"
#include "engine/query/spans/span_scan.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// What time is taken over: what passes a filter, and no more.
struct WorkScope {
    SpanFilter filter;
    /// Count every complete step, including warm-up steps. It has no effect if the filter has ranges or a
    /// step.
    bool allSteps = false;
    /// Only ops and kernels with this in their name or the path of their module, and what such an op
    /// launched; letters of either case are alike (text_match.h). "" for any.
    std::string text;

    WorkScope() = default;
    WorkScope(SpanFilter spans) : filter(std::move(spans)) {}  // NOLINT: a filter is a scope

    /// Whether all ops and kernels of whole steps count, if the step ran to its end.
    bool ofWholeSteps() const { return filter.ranges.empty() && ofAllOps(); }
    bool ofAllOps() const { return filter.name.empty() && text.empty(); }
};

/// Whether a step's plan can be compared with what the scope includes of this run: the scope says so itself,
/// and no step that still runs or was cut off is in it.
bool isOfWholeSteps(const Snapshot& snapshot, const WorkScope& scope);

/// Whether what the scope takes is of a step that was not completed: not all of its plan has run.
bool isOfUnfinishedStep(const Snapshot& snapshot, const WorkScope& scope);

struct WorkRow {
    PlaceId place;
    /// Not valid for what no op launched.
    NameId op;
    /// The kernel or copy; not valid on the CPU.
    NameId kernel;
    std::int64_t time = 0;  // ns, of all steps
    std::int64_t instances = 0;
    /// A copy or a fill, and no kernel.
    bool copy = false;
    /// The kernel's whole signature, where it was recorded.
    NameId signature = {};
};

/// The kernel's, on the CPU the op's; a copy's or a fill's is kCopy.
OpFamily familyOf(const Snapshot& snapshot, const WorkRow& row);

struct WorkTimes {
    bool gpu = false;
    /// What the sums are divided by for a mean: the steps, or 1 for a chosen range or step. 0 when no step
    /// was completed.
    std::int64_t steps = 0;
    bool measured = false;
    bool ofRange = false;
    /// Each combination of place, op, kernel and signature once, in the order of their first occurrence.
    std::vector<WorkRow> rows;
};

WorkTimes workTimes(const Snapshot& snapshot, const WorkScope& scope = {});

/// The GPU's rows of all kernels, copies and fills that pass.
std::vector<WorkRow> gpuWork(const Snapshot& snapshot, const RowFilter& filter);

/// Whether the run has kernels of a GPU.
bool hasKernels(const Snapshot& snapshot);

}  // namespace warpglass
