// What one run contributes to a comparison's memory tables: its peak, how much of it each module and op had
// requested, and the peak of each phase.
//
// Internal to engine/query.
#pragma once

#include <optional>

#include "engine/query/compare/comparison_figures.h"
#include "engine/query/compare/comparison_scope.h"
#include "engine/query/compare/scoped_steps.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

struct ComparedMemory {
    /// The peak of the run, or of the one step if that is the scope; nothing without memory events.
    std::optional<MemoryPoint> peak;
    /// Bytes alive then.
    ComparedFigures modules, ops;
    /// The most bytes while a phase of the scope's steps ran, and while such a step did ("step"): as the host
    /// went through it, or the GPU where the host only replays a graph.
    ComparedFigures phases;
    /// The most just before a backward pass of such a step: "allocated", and of a GPU's allocator "reserved".
    ComparedFigures beforeBackward;
};

/// `timeline`: of the run, with a snapshot.
ComparedMemory comparedMemory(const MemoryTimeline& timeline, const ComparisonScope& scope,
                              const ScopedSteps& scoped);

}  // namespace warpglass
