// Every phase of every step, one by one: what the statistics of phases (engine/query/statistics/statistics.h)
// are made of, and how much steps differ.
//
// Pure; any thread. Steps and phases are few, however long they are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/activity/gpu_busy.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct PhaseSample {
    std::int32_t step = kNoStep;
    Nanoseconds start, duration;
    /// Counts in the mean.
    bool counted = false;
    /// From the warm-up. A sample that is neither counted nor a warm-up was cut off by the run's end.
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
    /// Statistics of the counted samples, in ns; the standard deviation is the sample's (n − 1), 0 for a
    /// single one.
    std::int64_t counted = 0;
    double mean = 0, standardDeviation = 0, median = 0;
    Nanoseconds min, max;

    /// Fewer samples have a range; a deviation of them would look surer than it is.
    static constexpr std::int64_t kLeastForDeviation = 5;
    bool showsDeviation() const { return counted >= kLeastForDeviation; }
    /// Longest less shortest.
    Nanoseconds range() const { return max - min; }
    /// Standard deviation over mean; 0 where nothing counts.
    double variation() const { return mean > 0 ? standardDeviation / mean : 0; }
};

/// In the order of Phase, with the steps last; set-up and teardown are left out, since no step has them.
/// `phases`: kPhase for the host's times or kGpuPhase for the GPU's. Until a step has ended, there is no
/// entry for the steps. A scope's phase, step and ranges apply (whatever overlaps a range, wherever it
/// begins); its other conditions do not, since a phase covers all modules and ops. Complete samples count;
/// with ranges or a step, all of them do, including warm-up steps.
std::vector<PhaseSamples> phaseSamples(const Snapshot& snapshot, TrackKind phases,
                                       const WorkScope& scope = {});
/// The last of phaseSamples(), where a step has ended; else null.
const PhaseSamples* stepsOf(std::span<const PhaseSamples> phases);
/// Whether a phase has a say in how much the steps differ: it differs by a tenth of their range or more, or
/// some of those that count do not have it. For a single step, whether it takes a twentieth of it or more. A
/// phase that never counts always has one, since its range is not known.
bool movesSteps(const PhaseSamples& phase, const PhaseSamples& steps);
/// How the GPU used the time of the samples that count.
GpuBusy::Times gpuTimesIn(const PhaseSamples& phase, const GpuBusy& busy);

}  // namespace warpglass
