// What is known of a time in which a GPU was idle: what the timeline's tool tip and the inspector say.
//
// Any thread.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/trace/snapshot.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

struct IdleDetails {
    SelectedIdle idle;
    /// The name of what came next, and which span it is; empty at a step's end.
    QString next;
    std::optional<SpanRef> nextSpan;
    /// The step that it lies in, and what of that step's time it takes, 0…1.
    std::int32_t step = kNoStep;
    double shareOfStep = 0;
};

/// O(steps) and O(log n) for each of the GPU's lanes.
IdleDetails describeIdle(const Snapshot& snapshot, const SelectedIdle& idle);

/// "Cause": "waiting for the host".
struct IdleFact {
    enum class Kind { kCause, kNext, kBegin, kEnd, kDuration, kShare };
    Kind kind;
    QString label, value;
    /// The exact value in whole nanoseconds, or a sentence for the cause; empty if there is nothing to add.
    QString exact;
};
/// In the order in which they are shown; moments by the clock.
std::vector<IdleFact> idleFacts(const IdleDetails& details, const StepClock& clock = {});

}  // namespace warpglass::ui
