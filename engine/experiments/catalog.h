// The experiments that there are, and what their tests reach for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "engine/experiments/experiment.h"

namespace warpglass::experiment {

extern const Experiment kBenchmark, kKernels, kAttentionParts, kAccumulation, kAutocast, kPrecision, kMemory,
    kAttention, kCompiled, kFusions;

/// From which iteration on times are those of the last half.
struct Settled {
    /// So many iterations come before it.
    std::int64_t after = 0;
    /// The median of the last half, in ns, and how near to it, as a share, an iteration has to be: 10%, or
    /// three standard deviations of the last half (by their median absolute deviation) where that is more.
    double later = 0, within = 0;
};
/// Nothing for fewer than four, where only the last half is near enough, or times differ by more than half.
std::optional<Settled> settledAfter(std::span<const double> times);

/// How a chart shows a cell that is not ok.
PointState stateOf(const SweepCell& cell);
/// A cell's figure at x, with its deviation where that is another figure's name; missing where an ok cell has
/// none.
ChartPoint pointOf(const SweepCell& cell, double x, std::string_view figure, std::string_view deviation = {});

/// The sweep "attention", with what was given of the attention workload's settings.
NamedSweep compiledAttentionSweep(const ExperimentOptions& options);
/// What it says: a sentence for each variant, a table, a chart. Nothing of an empty sweep, as a folder of an
/// earlier version has.
void evaluateCompiledAttention(const Sweep& sweep, ExperimentResult& result);

}  // namespace warpglass::experiment
