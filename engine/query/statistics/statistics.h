// Statistics of spans grouped by name, with the columns of nsys's cuda_gpu_kern_sum and nvtx_sum: Time %,
// Total Time, Instances, Avg, Med, Min, Max, StdDev, Name; and, since ops nest, self time beside total time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/span_filter.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct StatisticsRow {
    /// For kernels and copies, the share of the sum of all rows' total times, 0…1, as in nsys. For ops, the
    /// share of the time that they take together, with nested time counted once: this is the sum of their
    /// self times, as in PyTorch's profiler, if the filter includes what is within an op along with it. Rows
    /// add up to more than 1, since nested ops count in their parents' time too, and none is above 1.
    double timeShare = 0;
    /// For ops, only the outermost call of a name counts, here and in all but the self times: an op that
    /// calls itself, as autocast's linear does, is one instance, and its time is counted once.
    Nanoseconds total;
    /// Time not spent in nested spans, and its share of all rows' self times: these add up to 100%.
    Nanoseconds self;
    double selfShare = 0;
    std::int64_t instances = 0;
    double average = 0;  // ns
    /// Mean of the middle two for an even count.
    double median = 0;
    Nanoseconds min;
    Nanoseconds max;
    /// Sample standard deviation (n − 1), 0 for one instance; ns. What is shown is spread().
    double standardDeviation = 0;
    /// Nothing for a single instance, whose variation is unknown.
    std::optional<double> spread() const {
        return instances > 1 ? std::optional(standardDeviation) : std::nullopt;
    }
    std::string name;
    OpFamily family = OpFamily::kOther;  // ops and kernels only
    /// Ranges only: one of kRangeKindNames.
    std::string_view kind = {};
};

/// What a range is; a part's shares are of the modules' time.
inline constexpr std::array<std::string_view, 4> kRangeKindNames = {"step", "phase", "module", "part"};

/// Ops of all CPU threads by name, most self time first.
std::vector<StatisticsRow> opStatistics(const Snapshot& snapshot, const SpanFilter& filter);
/// Kernels of all GPU streams by short name and by what they do (KernelWorks), most time first; their self
/// time is their time.
std::vector<StatisticsRow> kernelStatistics(const Snapshot& snapshot, const SpanFilter& filter);
/// Copies and fills of all GPU streams.
std::vector<StatisticsRow> copyStatistics(const Snapshot& snapshot, const SpanFilter& filter);
/// Ranges (steps as "step", phases, module paths, parts as "path/part") by name, most total time first. The
/// shares are of the time that the counted ranges of the same kind (steps, phases, modules) cover together,
/// that is, the time of the outermost of them. A condition on phase or module leaves out the ranges outside
/// it, which includes every step.
std::vector<StatisticsRow> rangeStatistics(const Snapshot& snapshot, const SpanFilter& filter);
/// Phases over the measured steps (all steps when there are none measured), in the order of Phase; and a last
/// row "step". Shares are of the steps' time. Setup and teardown happen once, outside the steps, and are
/// given as such, with no share. A step that the run's end cut off does not count, unless there is no other.
/// `phases`: kPhase, as the host went through them, or kGpuPhase, as the GPU did.
std::vector<StatisticsRow> phaseStatistics(const Snapshot& snapshot, TrackKind phases = TrackKind::kPhase);
/// The same over the steps that a filter takes: the measured ones (as above) or all complete ones; of ranges,
/// the phases that start in one and the steps that overlap one. With a phase, only its row and the last.
std::vector<StatisticsRow> phaseStatistics(const Snapshot& snapshot, const SpanFilter& filter,
                                           TrackKind phases = TrackKind::kPhase);
/// The time ranges of every range span whose name matches the pattern: a name ("forward", "blocks.7.attn",
/// "step 3", "step", "scores", "blocks.7.attn/scores"), or a glob with * (any text, dots too) and ? (any one
/// character). Sorted, merged where they touch, none empty; a span still open lasts to the snapshot's end.
/// Empty when nothing matches.
std::vector<TimeRange> rangesMatching(const Snapshot& snapshot, std::string_view pattern);

}  // namespace warpglass
