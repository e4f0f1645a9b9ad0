#include "ui/compare/comparison_query.h"

#include "engine/base/parallel.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/compare/median_step.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/statistics/step_table.h"

namespace warpglass::ui {

std::vector<ComparedStep> comparedSteps(const Snapshot& run) {
    using State = ComparedStep::State;
    const StepStates states(run);
    std::vector<ComparedStep> steps;
    for (const StepSpan& span : endedSteps(run)) {
        const StepState state = states.of(span.step);
        steps.push_back({span, state == StepState::kCutOff   ? State::kCutOff
                               : state == StepState::kWarmup ? State::kWarmup
                                                             : State::kMeasured});
    }
    return steps;
}

int typicalStep(const Snapshot& run, const std::vector<ComparedStep>& steps) {
    const std::optional<StepSpan> median = medianStep(run);
    for (std::size_t i = 0; i < steps.size() && median; ++i) {
        if (steps[i].span.range == median->range)
            return static_cast<int>(i);
    }
    return steps.empty() ? -1 : 0;
}

namespace {

std::shared_ptr<ComparisonFigures> figuresOf(const ComparisonFacts& facts, const ComparisonScope& scope) {
    const Snapshot &a = *facts.memoryA->snapshot(), &b = *facts.memoryB->snapshot();
    auto figures = std::make_shared<ComparisonFigures>();
    figures->scope = scope;
    figures->words = scopeText(a, b, scope);
    figures->rows = compareRuns(*facts.memoryA, *facts.memoryB, scope);
    figures->kernels = matchKernels(figures->rows, a, b, scope);
    figures->memory = memoryBridge(figures->rows);
    if (facts.mean && scope.steps != ComparisonScope::Steps::kOne)
        figures->headline = facts.mean->headline;
    else
        figures->headline = headlineOf(figures->rows, a, b, scope);
    if (facts.mean) {
        figures->headline.boundA = facts.mean->headline.boundA;
        figures->headline.boundB = facts.mean->headline.boundB;
    }
    // Where the headline has no step times, these say nothing either.
    if (figures->headline.stepA && figures->headline.stepB)
        figures->time = timeBridge(figures->rows, a, b, scope);
    return figures;
}

}  // namespace

std::shared_ptr<const ComparisonFigures> comparisonFigures(const ComparisonFacts& facts,
                                                           const ComparisonScope& scope) {
    return figuresOf(facts, scope);
}

std::shared_ptr<const ComparisonFacts> comparisonFacts(std::shared_ptr<const MemoryTimeline> a,
                                                       std::shared_ptr<const MemoryTimeline> b) {
    auto facts = std::make_shared<ComparisonFacts>();
    facts->memoryA = std::move(a);
    facts->memoryB = std::move(b);
    const auto runA = facts->memoryA->snapshot(), runB = facts->memoryB->snapshot();
    std::string boundOfA, boundOfB;
    std::shared_ptr<ComparisonFigures> mean;
    runTogether({[&] { boundOfA = boundInWords(RunFacts(*facts->memoryA)); },
                 [&] {
                     if (runA != runB)
                         boundOfB = boundInWords(RunFacts(*facts->memoryB));
                 },
                 [&] { mean = figuresOf(*facts, {}); }});
    mean->headline.boundA = boundOfA;
    mean->headline.boundB = runA == runB ? boundOfA : boundOfB;
    facts->mean = std::move(mean);
    facts->notes = comparisonNotes(facts->mean->rows, runA, runB);
    facts->cautions = comparisonCautions(*runA, *runB);
    return facts;
}

}  // namespace warpglass::ui
