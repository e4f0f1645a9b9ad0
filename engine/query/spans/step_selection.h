// Which steps of a run means are taken over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/query/spans/step_spans.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// The steps that means are taken over, as an interval; complete ones only.
struct StepSelection {
    std::int32_t first = 0;
    std::int32_t last = -1;
    std::int64_t count = 0;
    /// False if no measured step is complete and warm-up steps are used instead.
    bool measured = false;

    bool contains(std::int32_t step) const { return first <= step && step <= last; }
};

/// config.warmup; 0 when the run does not say.
std::int32_t warmupSteps(const Snapshot& snapshot);

/// The measured steps, or all when there are none. A step that is still open does not count. Nor does the
/// last step of a run that was stopped or failed, which ended inside it, unless it is the only one
/// ("steps.completed" in the run information, where a run states it, says exactly how many were completed).
StepSelection stepsToAverage(const Snapshot& snapshot);

/// The same without the run's very first step, which loads libraries, if there are others.
StepSelection withoutVeryFirst(StepSelection steps);

/// All complete steps, warm-ups among them; `measured` when there are no warm-ups among them.
StepSelection completeSteps(const Snapshot& snapshot);

/// How many steps ran to their end, where the run says so ("steps.completed").
std::optional<std::int32_t> completedSteps(const Snapshot& snapshot);

/// The steps of a selection, in order of time.
std::vector<StepSpan> stepSpans(const Snapshot& snapshot, const StepSelection& selection);

/// Whether a step after the warm-up was completed.
bool hasMeasuredSteps(const Snapshot& snapshot);

}  // namespace warpglass
