// Every phase of every step, one by one: what the statistics of phases (engine/query/statistics/statistics.h)
// are made of, and how much steps differ.
//
// Pure; any thread. Steps and phases are few, whatever they hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct PhaseSample {
    std::int32_t step = kNoStep;
    Nanoseconds start, duration;
    /// Counts in the mean.
    bool counted = false;
    /// Of the warm-up; what is neither was cut off by the run's end.
    bool warmup = false;
    LaneId lane;
    std::uint64_t row = 0;
    /// What it ran under.
    Conditions conditions{};
};

struct PhaseSamples {
    /// "forward"; "step".
    std::string name;
    Phase phase = Phase::kNone;  // kNone for the steps
    /// In order of time.
    std::vector<PhaseSample> samples;
    /// Of the counted ones; the sample standard deviation (n − 1), 0 for one; ns.
    std::int64_t counted = 0;
    double mean = 0, standardDeviation = 0, median = 0;
    Nanoseconds min, max;

    /// Standard deviation over mean; 0 where nothing counts.
    double variation() const { return mean > 0 ? standardDeviation / mean : 0; }
};

/// In the order of Phase, the steps last; set-up and teardown, which no step has, are left out. `phases`:
/// kPhase, as the host went through them, or kGpuPhase, as the GPU did. Empty when no step has ended.
/// Of a scope count its phase, its step and its ranges (what overlaps one, wherever it begins); a phase is of
/// all modules and ops. What counts is what is complete: of
/// ranges and of a step whatever there is, warm-ups too.
std::vector<PhaseSamples> phaseSamples(const Snapshot& snapshot, TrackKind phases,
                                       const WorkScope& scope = {});

}  // namespace warpglass
