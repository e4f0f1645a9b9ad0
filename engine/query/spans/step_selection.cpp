#include "engine/query/spans/step_selection.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

std::int32_t warmupSteps(const Snapshot& snapshot) {
    const std::int64_t count = snapshot.info().getInteger("config.warmup").value_or(0);
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(count, 0, std::numeric_limits<std::int32_t>::max()));
}

namespace {

/// The steps whose spans have ended, in order.
std::vector<std::int32_t> endedStepNumbers(const Snapshot& snapshot) {
    std::vector<std::int32_t> steps;
    forEachRow(snapshot, TrackKind::kStep, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (chunk.step[i] >= 0)
            steps.push_back(chunk.step[i]);
    });
    std::ranges::sort(steps);
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

void dropIncomplete(const Snapshot& snapshot, std::vector<std::int32_t>& steps) {
    if (const auto completed = completedSteps(snapshot)) {
        std::erase_if(steps, [&](std::int32_t step) { return step >= *completed; });
        return;
    }
    const std::string state = snapshot.info().get("state");
    if (steps.size() > 1 && (state == run_state::kStopped || state == run_state::kFailed))
        steps.pop_back();
}

}  // namespace

std::optional<std::int32_t> completedSteps(const Snapshot& snapshot) {
    const auto stated = snapshot.info().getInteger("steps.completed");
    if (!stated || *stated < 0 || *stated > std::numeric_limits<std::int32_t>::max())
        return std::nullopt;
    return static_cast<std::int32_t>(*stated);
}

namespace {

/// From the first of `steps` that is not before `from`, which must be one.
StepSelection selectionFrom(const std::vector<std::int32_t>& steps,
                            std::vector<std::int32_t>::const_iterator from) {
    StepSelection selection;
    selection.first = *from;
    selection.last = steps.back();
    selection.count = steps.end() - from;
    return selection;
}

std::vector<std::int32_t> stepsThatEnded(const Snapshot& snapshot) {
    std::vector<std::int32_t> steps = endedStepNumbers(snapshot);
    dropIncomplete(snapshot, steps);
    return steps;
}

}  // namespace

StepSelection stepsToAverage(const Snapshot& snapshot) {
    const std::vector<std::int32_t> steps = stepsThatEnded(snapshot);
    if (steps.empty())
        return {};
    const auto first = std::lower_bound(steps.begin(), steps.end(), warmupSteps(snapshot));
    const bool measured = first != steps.end();
    StepSelection selection = selectionFrom(steps, measured ? first : steps.begin());
    selection.measured = measured;
    return selection;
}

StepSelection withoutVeryFirst(StepSelection steps) {
    if (steps.first == 0 && steps.count > 1) {
        ++steps.first;
        --steps.count;
    }
    return steps;
}

StepSelection completeSteps(const Snapshot& snapshot) {
    const std::vector<std::int32_t> steps = stepsThatEnded(snapshot);
    if (steps.empty())
        return {};
    StepSelection selection = selectionFrom(steps, steps.begin());
    selection.measured = selection.first >= warmupSteps(snapshot);
    return selection;
}

bool hasMeasuredSteps(const Snapshot& snapshot) {
    return stepsToAverage(snapshot).measured;
}

}  // namespace warpglass
