// What a comparison of two runs is computed from: what holds of the pair, and the tables of one scope.
//
// Pure functions over snapshots; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/query/compare/comparison.h"
#include "engine/query/compare/comparison_bridge.h"
#include "engine/query/compare/comparison_headline.h"
#include "engine/query/compare/kernel_match.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass::ui {

struct ComparedStep {
    StepSpan span;
    enum class State : std::uint8_t { kWarmup, kMeasured, kCutOff } state = State::kMeasured;
};

/// Those that ended, in order of time.
std::vector<ComparedStep> comparedSteps(const Snapshot& run);
/// The one that stands for the run (engine/query/compare/median_step.h), so that the picture is of what the
/// headline says; without one the first, −1 when there is none.
int typicalStep(const Snapshot& run, const std::vector<ComparedStep>& steps);

struct ComparisonFigures {
    ComparisonScope scope;
    /// "mean per measured step (n = 3 each)".
    std::string words;
    RunComparison rows;
    std::vector<KernelMatch> kernels;
    /// From A's step and peak to B's.
    std::optional<Bridge> time, memory;
    /// For one step of each run; for any other scope, the headline of the mean.
    ComparisonHeadline headline;
};

/// Facts about the pair that do not depend on the choice: by the mean of the measured steps.
struct ComparisonFacts {
    /// The views' own, which only read them too: both runs have ended.
    std::shared_ptr<const MemoryTimeline> memoryA, memoryB;
    std::vector<std::string> notes;
    /// Cautions that the two did not run under the same conditions, to be read before ratios of their times.
    std::vector<std::string> cautions;
    std::shared_ptr<const ComparisonFigures> mean;
};
/// Each with a snapshot, which is compared.
std::shared_ptr<const ComparisonFacts> comparisonFacts(std::shared_ptr<const MemoryTimeline> a,
                                                       std::shared_ptr<const MemoryTimeline> b);

std::shared_ptr<const ComparisonFigures> comparisonFigures(const ComparisonFacts& facts,
                                                           const ComparisonScope& scope);

}  // namespace warpglass::ui
