// Whether a run is worse than the one it is held against by more than it may be: conditions on measures
// (measures.h), for a machine that decides whether a change goes in.
//
//     step.mean > +5%             B's mean step is more than 5% longer than A's
//     tokens_per_second < -5%     B does less than 95% of A's tokens per second
//     memory.peak > +100MiB       B's peak is more than 100 MiB above A's
//     step.mean > 20ms            B's mean step is longer than 20 ms, whatever A's is
//
// A measure is named by its key, with or without its unit ("step_mean_ns", "peak_bytes"), and dots are as
// good as underscores ("step.mean", "memory.peak"). Sizes take B, KiB, MiB, GiB, kB, MB and GB, times ns, us,
// ms and s.
//
// What is timed scatters, and so does the last loss of a run on a GPU, so a condition is judged by an
// interval that holds the true change with 95% confidence: it trips where the whole interval lies beyond the
// limit, holds where none of it does, and is undecided otherwise. With one pair of runs the interval comes
// from the spread of their steps (Welch, as in engine/query/compare/mean_spread.h; that of a ratio by the
// delta method), with several pairs from the spread of their changes (Student, paired). Bytes, FLOPs and
// other losses are exact in each run.
//
// A run that ran out of memory is worse than one that did not, whatever the measure is: every condition trips
// where B did and the A of its pair did not, and a condition on B alone where B did.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/sweep/measures.h"

namespace warpglass {

struct GateCondition {
    /// What the limit is set to: the change as a fraction of A's, the difference B − A, or B's own value.
    enum class Of : std::uint8_t { kChange, kDifference, kValue };

    /// As it was written.
    std::string text;
    const Measure* measure = nullptr;
    Of of = Of::kChange;
    /// It trips above the limit, else below.
    bool above = true;
    /// 0.05 for 5%, or in the measure's unit.
    double limit = 0;
};

/// An error says what of it is not understood, with the measures that may have been meant.
Result<GateCondition> parseGateCondition(std::string_view text);

/// What two runs came to: measure() of each.
struct GatePair {
    std::map<std::string, double, std::less<>> a, b;
    /// Either ran on a GPU, where sums may be added up in any order and the last loss scatters.
    bool onGpu = false;
    /// Where each ran out of memory: "in the forward pass of step 1". Nothing where it did not.
    std::optional<std::string> outOfMemoryA{}, outOfMemoryB{};
};

/// Why conditions cannot be judged, in whole sentences: any; those that hold B against A; those on memory;
/// those on times and rates. Empty where they can.
struct GateCautions {
    std::string all{}, againstA{}, memory{}, times{};
};

enum class GateVerdict : std::uint8_t { kHolds, kTrips, kUndecided };
inline constexpr std::string_view kGateVerdictNames[] = {"holds", "trips", "undecided"};

struct GateJudgment {
    GateVerdict verdict = GateVerdict::kUndecided;
    /// The means over the pairs; nothing where a pair lacks the measure.
    std::optional<double> a, b;
    /// What the limit is set to, as measured, and its interval; equal where the measure is exact. Nothing
    /// where it is not known.
    std::optional<double> found, low, high;
    /// Whole: what was found, against what, and so the verdict, or why there is none.
    std::string sentence;
};

/// What a run is called: "A", or "A of pair 2"; `pair` counts from 1 and is 0 where there is only one.
std::string runOfPair(std::string_view run, std::size_t pair);

/// Precondition: at least one pair.
GateJudgment judge(const GateCondition& condition, std::span<const GatePair> pairs,
                   const GateCautions& cautions);

}  // namespace warpglass
