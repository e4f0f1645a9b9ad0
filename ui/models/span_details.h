// What is known about one span: its own figures, and how it compares with its kind in the run.
//
// Pure functions over a Snapshot; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/links/span_links.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/statistics/duration_distribution.h"
#include "engine/trace/snapshot.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

struct SpanDetails {
    TrackKind kind = TrackKind::kStep;
    std::string name;
    NameId nameId;
    /// The track's name: "main", "autograd 2".
    std::string track;
    std::uint32_t depth = 0;
    Nanoseconds start;
    Nanoseconds duration;
    Nanoseconds self;
    Phase phase = Phase::kNone;
    std::string module;
    std::string part;
    std::int32_t step = kNoStep;
    OpFamily family = OpFamily::kOther;  // ops and kernels only
    /// For what ran on a GPU: the shape of its launch, the full name, and the op that launched it.
    std::optional<SpanDetail> gpu;
    std::string fullName;
    std::string op;
    /// For an op whose types were recorded: "bf16[4,128,256], bf16[1024,256]".
    std::string inputs, outputs;

    TimeRange range() const { return {start, start + duration}; }
};

/// Nothing when the span is not in the snapshot or its chunk is damaged.
std::optional<SpanDetails> describeSpan(const Snapshot& snapshot, SpanRef span);

/// All spans of one name on tracks of one kind (all steps for a step: each has a name of its own).
struct KindStatistics {
    std::int64_t instances = 0;
    Nanoseconds total;
    Nanoseconds self;
    /// Share of the self time of all spans on tracks of this kind, 0…1.
    double selfShare = 0;
    /// Total time as a share of the same; 1 for a span that contains all others.
    double timeShare = 0;
    /// The median of an even count is the mean of the two middle ones.
    Nanoseconds median;
    DurationDistribution durations;
    /// Those that took more and less time than the one that was asked about.
    std::int64_t longer = 0, shorter = 0;
};
/// Linear in the spans of the kind's tracks: ask on a worker when there are many. `one`: how long the span
/// took whose place among them is wanted.
KindStatistics kindStatistics(const Snapshot& snapshot, TrackKind kind, NameId name,
                              std::optional<Nanoseconds> one = std::nullopt);

/// The spans around one: its op, innermost module or its part, phase and step, as far as they are other
/// spans.
struct SpansAroundOne {
    std::optional<SpanRef> op, module, part, phase, step;
};
/// `chain` is the span's own. O(log n).
SpansAroundOne spansAroundOne(const Snapshot& snapshot, const SpanDetails& span, const CauseChain& chain);

/// The longest completed span of that name (of any, without one) on tracks of that kind, of those that start
/// inside one of the ranges (anywhere, when there are none) and belong to `fromStep` or a later one, and to
/// the phase, if one is given. Linear in the spans of the kind's tracks: ask on a worker when there are many.
std::optional<SpanRef> longestSpan(const Snapshot& snapshot, TrackKind kind, std::optional<NameId> name,
                                   const std::vector<TimeRange>& ranges, std::int32_t fromStep = kNoStep,
                                   std::optional<Phase> phase = std::nullopt);

/// The name of the innermost span that holds t on the first track of that kind, "" when there is none: the
/// phase ("backward"), the step ("step 3").
std::string spanNameAt(const Snapshot& snapshot, TrackKind kind, Nanoseconds t);

}  // namespace warpglass::ui
