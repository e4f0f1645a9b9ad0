// Which spans a figure is taken over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// Which spans count. All conditions must hold; a default filter takes everything.
struct SpanFilter {
    /// Spans that start inside one of these ranges (closed-open); empty for no condition. Sorted,
    /// non-overlapping.
    std::vector<TimeRange> ranges;
    std::optional<Phase> phase;
    std::optional<std::int32_t> step;
    /// A dotted module path: itself and everything under it.
    std::string modulePath;
    /// Only steps after the run's warm-up steps (the run information's config.warmup).
    bool measuredOnly = false;
    /// The ranges are meant on the CPU's side: a kernel or a copy counts by when the call that launched it
    /// began, which may be long before it runs. Without effect on other spans.
    bool byLaunch = false;
    /// Spans of exactly this name, and what an op of this name launched on a GPU; "" for any. Several are set
    /// apart by "|": "aten::copy_|aten::cat". Ranges (steps, phases, modules) know no such condition.
    std::string name;
};
/// By NameId: whether SpanFilter::name matches it. All false for a name that does not occur.
std::vector<std::uint8_t> idsOfNames(const Snapshot& snapshot, std::string_view names);
/// How many steps' work a filter by steps or by ranges takes: of those that means are taken over, the ones
/// that lie in its ranges from end to end. 0 where it takes parts of steps or others besides.
std::int64_t wholeStepsOf(const Snapshot& snapshot, const SpanFilter& filter);
/// How many of the measured steps have one of the filter's ranges within them: what the totals of a range
/// that recurs ("backward", "blocks.*.attn") are divided by to be per step. 0 unless the filter takes
/// measured steps only and each range that is not of the set-up lies within one step that has ended.
std::int64_t stepsWithRanges(const Snapshot& snapshot, const SpanFilter& filter);

}  // namespace warpglass
