#include "engine/query/statistics/step_table.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/query/memory/allocation_filter.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/statistics/statistics.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/memory_model.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::step_table_test {

TEST(StepTable, HasEveryStepWithItsPhasesAndItsPeak) {
    RunConfig config = syntheticConfig();
    config.warmup = 2;
    config.steps = 3;
    const auto run = makeSyntheticRun({.config = config});
    const MemoryTimeline memory = timelineOf(run);
    std::map<std::int32_t, std::map<std::string, std::int64_t>> times;
    for (const NaiveSpan& span : allSpans(*run)) {
        if (span.kind == TrackKind::kPhase && span.row.step >= 0)
            times[span.row.step][span.name] += span.row.duration;
    }
    const std::vector<StepRow> rows = stepTable(memory, {});
    ASSERT_EQ(rows.size(), 5u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const StepRow& row = rows[i];
        EXPECT_EQ(row.step, static_cast<std::int32_t>(i));
        EXPECT_EQ(row.state, i < 2 ? StepState::kWarmup : StepState::kMeasured);
        std::map<std::string, std::int64_t> phases;
        for (std::size_t p = 0; p < kPhaseCount; ++p) {
            if (row.phases[p])
                phases[std::string(kPhaseNames[p])] = row.phases[p]->value;
        }
        EXPECT_EQ(phases, times[row.step]);
        EXPECT_EQ(row.peak, Bytes(sumOf(memory.peakIn(row.range)->bytes)));
    }
    EXPECT_EQ(stepTable(memory, {.measuredOnly = true}).size(), 3u);
    SpanFilter range;
    range.ranges = {{rows[1].range.begin, rows[3].range.begin}};
    range.phase = Phase::kForward;  // says nothing of a step
    EXPECT_EQ(stepTable(memory, range).size(), 2u);
    EXPECT_TRUE(stepTable(MemoryTimeline(), {}).empty());
}

TEST(StepTable, ARangeWithinAStepHasThatStepAndThePhasesThatBeginInIt) {
    const auto run = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(run);
    const std::vector<StepRow> all = stepTable(memory, {});
    ASSERT_GT(all.size(), 2u);
    const StepRow& step = all[all.size() - 2];
    std::optional<NaiveSpan> backward;
    for (const NaiveSpan& span : allSpans(*run)) {
        if (span.kind == TrackKind::kPhase && span.name == "backward" && span.row.step == step.step)
            backward = span;
    }
    ASSERT_TRUE(backward);
    ASSERT_GT(backward->row.start, step.range.begin.value);
    SpanFilter filter{.ranges = {{Nanoseconds(backward->row.start), Nanoseconds(backward->row.start + 1)}}};
    const std::vector<StepRow> rows = stepTable(memory, filter);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].step, step.step);
    EXPECT_EQ(rows[0].phases, step.phases) << "a step is a whole one";
    const std::vector<StatisticsRow> phases = phaseStatistics(*run, filter);
    ASSERT_EQ(phases.size(), 2u);
    EXPECT_EQ(phases[0].name, "backward");
    EXPECT_EQ(phases[0].total.value, backward->row.duration);
    EXPECT_EQ(phases[1].name, "step");
    EXPECT_EQ(phases[1].total, step.range.duration());
}

TEST(StepTable, ASpanOverlapsARangeThatItTouchesInside) {
    const auto range = [](std::int64_t begin, std::int64_t end) {
        return TimeRange{Nanoseconds(begin), Nanoseconds(end)};
    };
    const std::vector<TimeRange> ranges = {range(10, 20), range(30, 40)};
    EXPECT_TRUE(overlapsAny(range(0, 5), {}));
    for (const TimeRange span : {range(0, 11), range(12, 13), range(19, 25), range(0, 99), range(10, 10)})
        EXPECT_TRUE(overlapsAny(span, ranges)) << span.begin.value;
    for (const TimeRange span : {range(0, 10), range(20, 30), range(40, 50), range(20, 20)})
        EXPECT_FALSE(overlapsAny(span, ranges)) << span.begin.value;
}

TEST(StepTable, MarksTheStepThatAStopCutOff) {
    RunConfig config = syntheticConfig();
    config.warmup = 1;
    config.steps = 3;
    const MemoryTimeline memory =
        timelineOf(makeSyntheticRun({.config = config, .state = std::string(run_state::kStopped)}));
    const auto rows = stepTable(memory, {});
    ASSERT_GT(rows.size(), 1u);
    EXPECT_EQ(rows.front().state, StepState::kWarmup);
    EXPECT_EQ(rows.back().state, StepState::kCutOff);
}

std::vector<StepState> statesOf(const RandomRunOptions& options) {
    const RandomRun run(options);
    std::vector<StepState> states;
    for (std::int32_t step = 0; step < options.steps; ++step)
        states.push_back(stepState(*run.snapshot(), step));
    const MemoryTimeline memory = timelineOf(run.snapshot());
    const std::vector<StepRow> rows = stepTable(memory, {});
    EXPECT_EQ(rows.size(), states.size());
    for (const StepRow& row : rows)
        EXPECT_EQ(row.state, states.at(static_cast<std::size_t>(row.step)));
    return states;
}

TEST(StepTable, CallsAStepWhatItIsWhoeverAsks) {
    using enum StepState;
    using States = std::vector<StepState>;
    EXPECT_EQ(statesOf({.steps = 4, .warmup = 2}), (States{kWarmup, kWarmup, kMeasured, kMeasured}));
    EXPECT_EQ(statesOf({.steps = 4, .warmup = 2, .state = "failed"}),
              (States{kWarmup, kWarmup, kMeasured, kCutOff}));
    EXPECT_EQ(statesOf({.steps = 2, .warmup = 3, .state = "stopped"}), (States{kWarmup, kCutOff}))
        << "a warm-up too";
    EXPECT_EQ(statesOf({.steps = 3, .warmup = 1, .state = "recording"}),
              (States{kWarmup, kMeasured, kMeasured}));
}

TEST(AllocationFilter, FindsWhatWasMadeInARange) {
    const auto run = makeSyntheticRun();
    const std::int64_t end = run->range().end.value;
    const std::vector<TimeRange> ranges = {{Nanoseconds(end / 5), Nanoseconds(end / 4)},
                                           {Nanoseconds(end / 2), Nanoseconds(end / 2 + end / 9)}};
    std::vector<AllocationId> expected;
    for (const TimeRange& range : ranges) {
        for (std::uint64_t i = 0; i < run->memoryEventCount(); ++i) {
            const MemoryEvent event = *run->memoryEvent(i);
            if (event.action == MemoryAction::kAllocate && range.contains(Nanoseconds(event.time)))
                expected.push_back(event.allocation);
        }
    }
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(allocationsMadeIn(*run, ranges), expected);
    EXPECT_TRUE(allocationsMadeIn(*run, {{Nanoseconds(end + 5), Nanoseconds(end + 9)}}).empty());
}

TEST(AllocationFilter, FindsWhatWasMadeAroundADamagedChunk) {
    const auto whole = makeManyMemoryEvents(3 * kChunkRows + 1000);
    const std::int64_t end = whole->memoryEvent(whole->memoryEventCount() - 1)->time;
    for (const std::size_t lost : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
        Damage damage;
        damage.memoryEvents.insert(lost);
        const auto run = mountWithDamage(whole, damage).snapshot;
        for (std::int64_t part = 0; part < 8; ++part) {
            const TimeRange range{Nanoseconds(end / 8 * part), Nanoseconds(end / 8 * part + end / 10)};
            std::vector<AllocationId> expected;
            for (std::uint64_t i = 0; i < whole->memoryEventCount(); ++i) {
                const MemoryEvent event = *whole->memoryEvent(i);
                if (i / kChunkRows != lost && event.action == MemoryAction::kAllocate &&
                    range.contains(Nanoseconds(event.time)))
                    expected.push_back(event.allocation);
            }
            EXPECT_EQ(allocationsMadeIn(*run, {range}), expected)
                << "part " << part << " with chunk " << lost << " lost";
        }
    }
}

void expectSameAsStatistics(const Snapshot& run, TrackKind kind) {
    const std::vector<PhaseSamples> phases = phaseSamples(run, kind);
    std::size_t matched = 0;
    for (const StatisticsRow& row : phaseStatistics(run, kind)) {
        if (row.name == "setup" || row.name == "teardown")
            continue;
        ASSERT_LT(matched, phases.size());
        const PhaseSamples& phase = phases[matched++];
        EXPECT_EQ(phase.name, row.name);
        EXPECT_EQ(phase.counted, row.instances);
        EXPECT_NEAR(phase.mean, row.average, 1e-6 * row.average + 1e-9);
        EXPECT_NEAR(phase.standardDeviation, row.standardDeviation, 1e-6 * row.average + 1e-9);
        EXPECT_DOUBLE_EQ(phase.median, row.median);
        EXPECT_EQ(phase.min, row.min);
        EXPECT_EQ(phase.max, row.max);
    }
    EXPECT_EQ(matched, phases.size());
}

TEST(PhaseSamples, AreWhatThePhasesStatisticsAreMadeOf) {
    for (const std::uint64_t seed : {1u, 2u, 3u})
        expectSameAsStatistics(*RandomRun({.seed = seed}).snapshot(), TrackKind::kPhase);
    const auto run = openSampleRun("small-bf16-flash");
    expectSameAsStatistics(*run, TrackKind::kPhase);
    expectSameAsStatistics(*run, TrackKind::kGpuPhase);
}

TEST(PhaseSamples, HoldEveryStepAndWhereItIs) {
    const RandomRun run({.seed = 9, .steps = 5, .warmup = 2, .state = "stopped"});
    const std::vector<PhaseSamples> phases = phaseSamples(*run.snapshot(), TrackKind::kPhase);
    ASSERT_EQ(phases.size(), 6u);
    EXPECT_EQ(phases.back().name, "step");
    for (const PhaseSamples& phase : phases) {
        ASSERT_EQ(phase.samples.size(), 5u) << phase.name;
        for (std::size_t i = 0; i < 5; ++i) {
            const PhaseSample& sample = phase.samples[i];
            EXPECT_EQ(sample.step, static_cast<std::int32_t>(i));
            EXPECT_EQ(sample.warmup, i < 2);
            EXPECT_EQ(sample.counted, i == 2 || i == 3) << "the last one was cut off by the stop";
            const SpanRow row = *run.snapshot()->lane(sample.lane).row(sample.row);
            EXPECT_EQ(row.start, sample.start.value);
            EXPECT_EQ(row.duration, sample.duration.value);
            EXPECT_EQ(row.step, sample.step);
        }
    }
}

TEST(PhaseSamples, OfNothingAreNone) {
    EXPECT_TRUE(phaseSamples(*traceOf(), TrackKind::kPhase).empty());
    PhaseSamples none;
    EXPECT_EQ(none.variation(), 0);
}

}  // namespace warpglass::test::step_table_test
