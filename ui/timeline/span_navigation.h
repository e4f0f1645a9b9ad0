// Moving from a span to the next, the previous, the enclosing and the first nested one, as the arrow keys do.
// Steps, phases and modules are nested in each other and have rows of their own. Rows of damaged chunks are
// skipped; open spans have no row yet and are never the result.
#pragma once

#include <optional>

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass::ui {

/// Nothing when the reference is not of this snapshot or its row is lost.
std::optional<SpanRow> spanRow(const Snapshot& snapshot, SpanRef span);

/// The readable span before or after it in its lane.
std::optional<SpanRef> previousSpan(const Snapshot& snapshot, SpanRef span);
std::optional<SpanRef> nextSpan(const Snapshot& snapshot, SpanRef span);
/// The span of the lane above in which it lies.
std::optional<SpanRef> parentSpan(const Snapshot& snapshot, SpanRef span);
/// The first span of the lane below that lies in it.
std::optional<SpanRef> childSpan(const Snapshot& snapshot, SpanRef span);

/// Like parentSpan(); for an outermost module, the phase around it, and for a phase, the step.
std::optional<SpanRef> spanAround(const Snapshot& snapshot, SpanRef span);
/// Like childSpan(); for a step, its first phase, and for a phase, its first module.
std::optional<SpanRef> firstSpanIn(const Snapshot& snapshot, SpanRef span);

/// What a merged run of rows [first, first + count) consists of, exactly. Reads all of them: meant for one
/// run at a time (a tool tip), not for a frame.
struct RunSummary {
    Nanoseconds busy;
    std::uint64_t longestRow = 0;
    std::uint64_t count = 0;  // readable rows
};
RunSummary summarizeRun(const SpanLane& lane, std::uint64_t first, std::uint64_t count);

}  // namespace warpglass::ui
