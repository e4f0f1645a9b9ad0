#include "engine/query/statistics/phase_samples.h"

#include <gtest/gtest.h>

#include "engine/query/statistics/statistics.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::phase_samples_test {

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

}  // namespace warpglass::test::phase_samples_test
