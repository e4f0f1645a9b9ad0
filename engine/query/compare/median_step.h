// The step that stands for a run where only one can be shown.
//
// Pure function; any thread.
#pragma once

#include <optional>

#include "engine/query/spans/step_spans.h"

namespace warpglass {

/// The step whose duration is nearest the median of the steps that means cover (averagedSteps()), the
/// earliest of several; nothing where there is none. O(n log n) in the steps.
std::optional<StepSpan> medianStep(const Snapshot& run);

}  // namespace warpglass
