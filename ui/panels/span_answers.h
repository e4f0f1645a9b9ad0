// What the inspector answers of a selected span: what it is, what waited for whom, and whether it is slow for
// what it is; each in whole sentences first, with the numbers behind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/query/activity/conditions.h"
#include "engine/query/activity/gpu_busy.h"
#include "engine/query/activity/range_activity.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/shared_work.h"
#include "engine/query/model/span_roof.h"
#include "engine/query/spans/step_spans.h"
#include "ui/models/span_details.h"
#include "ui/models/step_clock.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui {

/// What a span's sections are made of, but for its chain of causes.
struct SpanAnswers {
    SpanRef ref;
    SpanDetails span;
    KindStatistics statistics;
    std::optional<OwnKernelSpan> own;
    std::optional<Sharing> shared;
    std::optional<SpanRoof> roof;
    /// What keeps a kernel's occupancy where it is: occupancyLimit().
    std::string occupancyLimit{};
    /// What its GPU did just before work began.
    std::optional<GpuBusy::Stretch> before;
    /// What the GPU did, and the host, while a step, a phase, a module or a wait lasted; zeros for others.
    GpuBusy::Times gpu{};
    Nanoseconds hostWaited;
    Conditions conditions;
    /// The step that it belongs to.
    std::optional<StepSpan> step;
};
/// Linear in the run's spans: on a worker where there are many. Precondition: `details` are of that span.
SpanAnswers answersOf(const Snapshot& snapshot, SpanRef span, const SpanDetails& details);

/// What is it: links as spanProperties() has them.
std::vector<Property> whatProperties(const SpanAnswers& answers, const StepClock& clock,
                                     const SpansAroundOne& around);
/// What waited: `queued` is the time from its launch to its start. Empty where nothing is known to.
std::vector<Property> waitProperties(const SpanAnswers& answers, std::optional<Nanoseconds> queued);
/// Is it slow for what it is.
std::vector<Property> slowProperties(const SpanAnswers& answers);

}  // namespace warpglass::ui
