// Where two runs can be laid over each other: the start of a step, or something within it that both have, by
// what it is and not by when it was: a phase, a module, an op, a kernel; so that the same thing can be found
// in a step of another run.
//
// Pure functions; any thread. Linear in the spans of the step; damaged chunks are passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/spans/step_spans.h"
#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

struct Landmark {
    enum class Kind : std::uint8_t { kStep, kPhase, kModule, kOp, kKernel };
    Kind kind = Kind::kStep;
    /// A phase or a module: as the GPU ran it, not as the host went through it.
    bool onGpu = false;
    /// Of a phase which; of others the phase that they are in, kNone for any.
    Phase phase = Phase::kNone;
    /// A module's path. Of an op and a kernel the innermost module that they are in, "" for any.
    std::string module;
    /// An op's name. Of a kernel the op that launched it, "" for any, "(outside any op)" for none.
    std::string op;
    /// A kernel's name: any of these, copies and fills among them. Without names: of any name, see `copies`.
    std::vector<std::string> kernels;
    /// So many of the same come before it in the step.
    std::size_t nth = 0;
    /// Of a kernel without names, where both steps know their launches, instead: how many calls of its op
    /// came before its own, and how many kernels of its own call. A product may be one kernel in one run and
    /// two in the other; of a call that launched fewer the last is meant. A graph's kernels are launched by
    /// no op.
    std::optional<std::size_t> call;
    std::size_t within = 0;
    /// Of a kernel without names: a copy or a fill, not a kernel proper. A product may clear its result first
    /// in one run and not in the other. Where a step has none of the one, the other is meant.
    bool copies = false;

    /// "start of the step", "backward on the GPU", "blocks.3.attn, forward", "aten::mm in blocks.3.attn".
    std::string text() const;
    bool operator==(const Landmark&) const = default;
};

struct FoundLandmark {
    TimeRange range;
    /// The first span of it; none for the step itself.
    std::optional<SpanRef> span;
};

/// Nothing when the step has no such thing. Where nothing there is an op's, what is its twin's, that writes
/// in place ("aten::add_" for "aten::add") or does not: another precision takes the other.
std::optional<FoundLandmark> findLandmark(const Snapshot& run, const StepSpan& step,
                                          const Landmark& landmark);

/// The step, its phases and its modules in order of time; on a GPU also those as the GPU ran them.
std::vector<Landmark> landmarksOf(const Snapshot& run, const StepSpan& step);

/// What a span is in its step, so that findLandmark() in the same step gives the span again, and in a step of
/// another run what took its place: a kernel by its op and place whatever its name, since another precision
/// has other kernels. Nothing for what is in no step, and for calls.
std::optional<Landmark> landmarkAt(const Snapshot& run, SpanRef span);

/// About how many spans a search in this step looks at, those of the next one among them; in the time of a
/// few looks at the index.
std::uint64_t spansToSearch(const Snapshot& run, const StepSpan& step);

}  // namespace warpglass
