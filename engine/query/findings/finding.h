// One thing about a run that costs time or memory: a sentence with its numbers, where to see it, and what
// would change it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// Where a finding is to be seen. The words are those of the command line's tables.
enum class EvidenceView : std::uint8_t { kTimeline, kMemory, kSegments, kKernels, kCopies, kOps, kAttention };
inline constexpr std::array<std::string_view, 7> kEvidenceViewNames = {
    "timeline", "memory", "segments", "kernels", "copies", "ops", "attention"};

/// What the finding counted, so that the view adds up to the sentence's number.
struct Evidence {
    EvidenceView view = EvidenceView::kTimeline;
    /// What the tables count; nothing for the measured steps.
    std::optional<TimeRange> range = {};
    /// What to zoom to where that is another stretch than the range.
    std::optional<TimeRange> visible = {};
    /// A moment for the cursor: memory's peak.
    std::optional<Nanoseconds> moment = {};
    /// For tables of kernels, copies and ops: only these names, as in SpanFilter::name, in this phase.
    std::string names = {};
    std::optional<Phase> phase = {};
    /// For memory: exactly these allocations, live at the moment; empty for all.
    std::vector<AllocationId> allocations = {};

    /// What is to be seen at first.
    const std::optional<TimeRange>& inView() const { return visible ? visible : range; }
};

enum class TrialMetric : std::uint8_t { kStepTime, kPeakMemory };
inline constexpr std::array<std::string_view, 2> kTrialMetricNames = {"step time", "peak memory"};

/// A run that differs in one setting, and what it is expected to change.
struct Trial {
    RunConfig config;
    /// The command line's words: "attention", "sdpa-flash".
    std::string setting, value;
    TrialMetric metric = TrialMetric::kStepTime;
    /// ns per step, or bytes at the peak: of this run, and as expected of the other.
    double before = 0;
    double expected = 0;
};

struct Finding {
    /// "launch-bound": stable, for scripts.
    std::string rule;
    /// The rule of the finding that this one's time is a part of, so that nobody adds them up; "" for none.
    std::string partOf;
    /// A sentence with its numbers, and one that says what would change it (empty where nothing is known to).
    std::string sentence;
    std::string remedy;
    /// What it costs: time of one step and its share of it, bytes at the peak and their share of it; 0 for
    /// none.
    double nsPerStep = 0;
    double stepShare = 0;
    Bytes bytes;
    double peakShare = 0;
    Evidence evidence;
    std::optional<Trial> trial;
};

/// What a finding costs first of all. Shares of a step and shares of the peak can't be weighed against each
/// other by the reader, so that lists of findings are in two parts.
enum class FindingCost : std::uint8_t { kTime, kMemory };
inline constexpr std::array<std::string_view, 2> kFindingCostHeads = {
    "What costs time, largest first (entries may overlap)",
    "What fills memory, largest first, then the rest"};
inline FindingCost costOf(const Finding& finding) {
    return finding.stepShare > 0 ? FindingCost::kTime : FindingCost::kMemory;
}

}  // namespace warpglass
