#include "engine/query/statistics/short_warmup.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

/// The warm-up takes ten times as long as a measured step, and the measured ones as given.
PhaseSamples stepsThatTook(std::int32_t warmup, const std::vector<std::int64_t>& measured) {
    PhaseSamples steps;
    const auto add = [&steps](std::int64_t duration, bool measured) {
        PhaseSample sample;
        sample.step = static_cast<std::int32_t>(steps.samples.size());
        sample.duration = Nanoseconds(duration);
        sample.counted = measured;
        sample.warmup = !measured;
        steps.samples.push_back(sample);
    };
    for (std::int32_t step = 0; step < warmup; ++step)
        add(1000, false);
    for (const std::int64_t duration : measured)
        add(duration, true);
    return steps;
}

TEST(ShortWarmup, IsSaidWhereTheFirstMeasuredStepIsClearlySlower) {
    EXPECT_EQ(shortWarmup(stepsThatTook(1, {112, 98, 100, 102}), 1),
              "Step 1 took 12\u202f% longer than the steps after it: one warm-up step was too short.");
    EXPECT_EQ(shortWarmup(stepsThatTook(3, {150, 100, 100}), 3),
              "Step 3 took 50\u202f% longer than the steps after it: 3 warm-up steps were too short.");
    EXPECT_EQ(shortWarmup(stepsThatTook(0, {250, 100, 100}), 0),
              "Step 0 took 150\u202f% longer than the steps after it: the run had no warm-up step.");
}

TEST(ShortWarmup, IsNotSaidOfADifferenceThatStepsHaveAnyway) {
    EXPECT_EQ(shortWarmup(stepsThatTook(1, {110, 100, 100}), 1), "") << "a tenth is no clear difference";
    EXPECT_EQ(shortWarmup(stepsThatTook(1, {120, 100, 100, 100, 121}), 1), "") << "a later one is as slow";
    EXPECT_EQ(shortWarmup(stepsThatTook(1, {150, 100}), 1), "") << "either may be the odd one";
    EXPECT_EQ(shortWarmup(stepsThatTook(1, {90, 100, 100}), 1), "");
    EXPECT_EQ(shortWarmup({}, 1), "");
    EXPECT_EQ(shortWarmup(stepsThatTook(1, {0, 0, 0}), 1), "");
}

TEST(ShortWarmup, IsNotJudgedByASelectionThatBeginsElsewhere) {
    EXPECT_EQ(shortWarmup(stepsThatTook(2, {150, 100, 100}), 1), "") << "it begins with step 2";
    PhaseSamples steps = stepsThatTook(1, {150, 100, 100});
    steps.samples.front().counted = true;
    EXPECT_EQ(shortWarmup(steps, 1), "") << "the warm-up is among what is looked at";
}

TEST(ShortWarmup, ASampleThatWasCutOffIsNoStepAfterIt) {
    PhaseSamples steps = stepsThatTook(1, {150, 100, 100});
    steps.samples.back().counted = false;
    EXPECT_EQ(shortWarmup(steps, 1), "");
}

}  // namespace
}  // namespace warpglass
