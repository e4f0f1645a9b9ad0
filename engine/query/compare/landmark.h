// A point at which two runs can be aligned: the start of a step, or something within it that both have. A
// phase, a module, an op or a kernel is described by what it is rather than when it was, so that the same
// thing can be found in a step of another run.
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
    /// For a phase, which one; for anything else, the phase that it is in, kNone for any.
    Phase phase = Phase::kNone;
    /// A module's path; for an op or a kernel, the innermost module that it is in, "" for any.
    std::string module;
    /// An op's name; for a kernel, the op that launched it, "" for any, "(outside any op)" for none.
    std::string op;
    /// A kernel's name: any of these, copies and fills among them. Without names: of any name, see `copies`.
    std::vector<std::string> kernels;
    /// How many of the same come before it in the step.
    std::size_t nth = 0;
    /// Used instead for a kernel without names, if both steps know their launches: how many calls of its op,
    /// and how many kernels of its own call, came before it. A GEMM may be one kernel in one run and two in
    /// the other; if a call launched fewer kernels, its last one is meant. No op launches the kernels of a
    /// graph.
    std::optional<std::size_t> call;
    std::size_t within = 0;
    /// For a kernel without names: whether it is a copy or a fill rather than a proper kernel. A GEMM may
    /// clear its result first in one run and not in the other. If a step has none of the one kind, the other
    /// kind is meant.
    bool copies = false;

    /// "step start", "backward on the GPU", "blocks.3.attn, forward", "aten::mm in blocks.3.attn".
    std::string text() const;
    bool operator==(const Landmark&) const = default;
};

struct FoundLandmark {
    TimeRange range;
    /// The first span of it; none for the step itself.
    std::optional<SpanRef> span;
};

/// Nothing when the step has no such thing. If the op is absent, its in-place or out-of-place twin is used
/// ("aten::add_" for "aten::add"); other precisions choose the other one.
std::optional<FoundLandmark> findLandmark(const Snapshot& run, const StepSpan& step,
                                          const Landmark& landmark);

/// The step, its phases and its modules in order of time; on a GPU also those as the GPU ran them.
std::vector<Landmark> landmarksOf(const Snapshot& run, const StepSpan& step);

/// What a span is in its step, so that findLandmark() in the same step gives the span again, and in a step of
/// another run finds its counterpart: a kernel is matched by its op and place, not by name, since another
/// precision has other kernels. Nothing for calls, and for what is in no step.
std::optional<Landmark> landmarkAt(const Snapshot& run, SpanRef span);

/// About how many spans a search in this step looks at, those of the next one among them; in the time of a
/// few looks at the index.
std::uint64_t spansToSearch(const Snapshot& run, const StepSpan& step);

}  // namespace warpglass
