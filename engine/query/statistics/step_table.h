// Every step of a run with its phases: the rows behind a mean, warm-ups and the step that a stop cut off
// included and marked.
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/query/activity/conditions.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/span_filter.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class StepState : std::uint8_t { kWarmup, kMeasured, kCutOff };

/// What became of the steps of a run, by their numbers: cut off are those after the last complete one of a
/// run that was stopped, failed or says how many were completed, warm-ups too; warm-ups are as configured. A
/// step that still runs is what it will be.
class StepStates {
public:
    explicit StepStates(const Snapshot& snapshot);
    StepState of(std::int32_t step) const {
        return step > m_lastComplete ? StepState::kCutOff
               : step < m_warmup     ? StepState::kWarmup
                                     : StepState::kMeasured;
    }

private:
    std::int32_t m_warmup;
    std::int32_t m_lastComplete;
};
StepState stepState(const Snapshot& snapshot, std::int32_t step);
/// Whether a measured step has begun, which hasMeasuredSteps() does not say before it has ended. O(lanes),
/// after what StepStates takes.
bool hasBegunMeasuring(const Snapshot& snapshot);
inline constexpr std::array<std::string_view, 3> kStepStateNames = {"warm-up", "measured", "cut off"};

struct StepRow {
    std::int32_t step = kNoStep;
    StepState state = StepState::kMeasured;
    TimeRange range;
    /// By Phase; nothing for a phase that it did not go through.
    std::array<std::optional<Nanoseconds>, kPhaseCount> phases{};
    /// The most memory while it ran; nothing without memory events.
    std::optional<Bytes> peak;
    /// What it ran under.
    Conditions conditions{};
};

/// Ended steps in order of time, each as a whole. The filter's ranges (a step that overlaps one), step and
/// measuredOnly apply. `phases`: kPhase for the host's times or kGpuPhase for the GPU's.
std::vector<StepRow> stepTable(const MemoryTimeline& memory, const SpanFilter& filter,
                               TrackKind phases = TrackKind::kPhase);

/// Whether a span lies in one of the ranges in part, or begins in one. `ranges`: as a SpanFilter's, none of
/// them for no condition.
bool overlapsAny(TimeRange span, const std::vector<TimeRange>& ranges);

}  // namespace warpglass
