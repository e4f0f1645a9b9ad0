// A run in a few figures: what `info` prints and the summary page shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"
#include "engine/query/memory/memory_before_backward.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/model/roofline.h"
#include "engine/trace/missing_records.h"

namespace warpglass {

struct RunSummary {
    /// "small · fp32 · naive · 512"; empty when the run does not state its configuration.
    std::string title;
    std::optional<RunConfig> config;
    /// A run_state value (empty when the run does not state one), and its sentence when it failed.
    std::string state;
    std::string stateMessage;
    Nanoseconds duration;

    /// Steps that have ended, warm-up steps among them, and how many the configuration asks for (0 when
    /// unknown).
    std::int64_t warmupSteps = 0;
    std::int64_t measuredSteps = 0;
    std::int64_t plannedSteps = 0;
    /// Over `averagedSteps` steps: the complete measured ones, or all when there are none (`averagesWarmup`).
    /// The mean and the sample standard deviation in ns: nothing without a complete measured step, since a
    /// warm-up step may take a hundred times as long, and no deviation of a single one.
    std::int64_t averagedSteps = 0;
    bool averagesWarmup = false;
    std::optional<double> stepMean;
    std::optional<double> stepStandardDeviation;
    /// What people read of it: nothing of fewer than five steps (PhaseSamples::kLeastForDeviation).
    std::optional<double> shownDeviation() const;
    /// batch × context / stepMean; needs config and stepMean. Attention alone has no tokens.
    std::optional<double> tokensPerSecond;
    /// What one step computes by arithmetic (engine/plan/flops.h), GEMMs and all, and that over
    /// stepMean.
    std::optional<Flops> matmulFlopsPerStep;
    std::optional<Flops> flopsPerStep;
    std::optional<double> matmulFlopsPerSecond;
    std::optional<double> flopsPerSecond;
    /// The GEMMs of the model, or of attention alone, against the device's ceilings.
    std::optional<ModelUtilization> utilization;

    /// The run's peak and what it consists of, by category; nothing without memory events.
    std::optional<MemoryPoint> peak;
    /// The most that was in use just before a measured step's backward pass.
    std::optional<BeforeBackward> beforeBackward;

    std::uint64_t spans = 0;
    /// Spans of CPU threads.
    std::uint64_t ops = 0;
    /// Spans of GPU streams.
    std::uint64_t kernels = 0;
    std::uint64_t memoryEvents = 0;
    std::uint64_t allocations = 0;
    std::uint64_t counterSamples = 0;
    std::vector<LossCount> losses;
};

/// For a damaged file, counts what is there instead of what should be; for a complete file it changes
/// nothing.
void countReadable(const MissingRecords& missing, RunSummary& summary);

/// `peak`: MemoryTimeline::peak() of the run, for which no timeline is then needed; beforeBackward, which
/// needs one, is then nothing. In a damaged file every chunk is read (Completeness::missing()), in a complete
/// one only those of steps and phases. Pure; any thread.
RunSummary summarizeRun(const Snapshot& snapshot, const std::optional<MemoryPoint>& peak);
/// Precondition: timeline.snapshot() is not null.
RunSummary summarizeRun(const MemoryTimeline& timeline);

/// "finished"; of a recording that was cut off, also when, unless nothing was recorded: "cut off at 4.60 s".
std::string stateInWords(const RunSummary& run);

/// What to keep in mind of a run's figures because of how few steps they are of: one sentence where a run
/// that has ended has a single measured step, or none but the warm-up's; "" otherwise.
std::string stepCaution(const RunSummary& run);

}  // namespace warpglass
