// Which step stands for a run.
#include "engine/query/compare/median_step.h"
#include "tests/support/must.h"

#include <gtest/gtest.h>

#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::median_step_test {

std::optional<std::int32_t> medianStepOf(std::vector<std::int64_t> lengths, int warmup = 0) {
    RunByHand run;
    run.stepLengths = std::move(lengths);
    run.config.warmup = warmup;
    const auto step = medianStep(*run.snapshot());
    return step ? std::optional(step->step) : std::nullopt;
}

TEST(MedianStep, IsNearestTheMedianAndTheFirstOfSeveral) {
    EXPECT_EQ(medianStepOf({90 * kMs}), 0);
    EXPECT_EQ(medianStepOf({90 * kMs, 80 * kMs, 100 * kMs}), 0);
    EXPECT_EQ(medianStepOf({100 * kMs, 80 * kMs, 90 * kMs}), 2);
    // The median of an even number is between two steps, which are equally near.
    EXPECT_EQ(medianStepOf({100 * kMs, 70 * kMs, 90 * kMs, 80 * kMs}), 2);
    EXPECT_EQ(medianStepOf({50 * kMs, 50 * kMs, 50 * kMs}), 0);
}

TEST(MedianStep, IsOfTheStepsThatMeansCover) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const RandomRun run({.seed = seed, .steps = 3 + static_cast<std::int32_t>(seed % 6)});
        const std::vector<StepSpan> steps = averagedSteps(*run.snapshot());
        const auto found = must(medianStep(*run.snapshot()));
        // As many are shorter as are longer, but for it and one more.
        int shorter = 0, longer = 0;
        bool among = false;
        for (const StepSpan& step : steps) {
            shorter += step.range.duration() < found.range.duration() ? 1 : 0;
            longer += step.range.duration() > found.range.duration() ? 1 : 0;
            among = among || step.range == found.range;
        }
        EXPECT_TRUE(among);
        EXPECT_LE(std::abs(shorter - longer), 1) << "seed " << seed;
    }
    const RandomRun none({.steps = 0, .warmup = 0});
    EXPECT_FALSE(medianStep(*none.snapshot()));
}

}  // namespace warpglass::test::median_step_test
