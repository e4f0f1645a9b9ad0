// What a recorded run says about its plan: the bridge from a Snapshot to engine/plan. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/query/spans/span_filter.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// Nothing for a run that states no configuration, or an impossible one.
std::optional<RunConfig> configOfRun(const Snapshot& snapshot);

/// The trace's phase of a planned one.
constexpr Phase tracePhase(PlanPhase phase) {
    constexpr Phase kPhases[] = {Phase::kForward, Phase::kLoss, Phase::kBackward, Phase::kOptimizer};
    return kPhases[static_cast<std::size_t>(phase)];
}

/// Whether a filter's phase and module let through what is planned there.
bool isPlannedIn(const SpanFilter& filter, PlanPhase phase, std::string_view module);

}  // namespace warpglass
