// Marks in the memory chart, where the op under the mouse in the timeline (or the selected one, or that of
// the kernel) allocated: a small triangle over the curve for each, and the sum beside the first.
#pragma once

#include <vector>

#include "engine/query/span_links.h"
#include "ui/charts/memory_plot.h"

class QPainter;

namespace warpglass::ui {

/// As many are told apart.
inline constexpr std::size_t kMostCausedAllocations = 64;

/// Of the hovered span, else of the selected one; empty without an op.
std::vector<CausedAllocation> causedAllocations(RunDocument& document, const TimeAxis& axis);

void paintCausedAllocations(QPainter& painter, const MemoryPlot& plot, RunDocument& document,
                            const TimeAxis& axis);

}  // namespace warpglass::ui
