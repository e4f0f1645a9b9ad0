// The rules about a GPU that waits: each fires at its threshold and not below it, with its header's cost.
#include <gmock/gmock.h>

#include "engine/base/format.h"
#include "engine/query/findings/findings.h"
#include "engine/query/findings/first_step.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/rules.h"
#include "tests/support/must.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::idle_rules_test {

using testing::HasSubstr;
using testing::Not;

TEST(LaunchBound, AWordSaysWhatBoundsARun) {
    const auto words = [](const RunByHand& run) { return boundInWords(RunFacts(run.timeline())); };
    EXPECT_EQ(words(lateBy(40 * kMs)),
              "launch-bound (the GPU waits for the host " + formatPercent(0.4) + " of the step)");
    EXPECT_EQ(words(lateBy(1 * kMs)),
              "GPU-bound (the GPU is busy for " + formatPercent(0.99) + " of the step)");
    EXPECT_EQ(words(RunByHand()), "");
    RunByHand one = lateBy(40 * kMs);
    one.stepLengths.resize(2);  // a warm-up and one measured step
    EXPECT_EQ(words(one), "launch-bound in the one measured step (the GPU waits for the host " +
                              formatPercent(0.4) + " of it)");
}

TEST(LaunchBound, IsFoundFromATenthOfTheStepOn) {
    EXPECT_FALSE(finding(findLaunchBound, lateBy(10 * kMs - 1)));
    const auto found = must(finding(findLaunchBound, lateBy(10 * kMs)));
    EXPECT_EQ(found.nsPerStep, 10.0 * kMs);
    EXPECT_DOUBLE_EQ(found.stepShare, 0.1);
    // The first of the averaged steps; the stretch is where it is to be seen.
    EXPECT_EQ(found.evidence.range, (TimeRange{Nanoseconds(100 * kMs), Nanoseconds(200 * kMs)}));
    EXPECT_EQ(found.evidence.visible, (TimeRange{Nanoseconds(100 * kMs), Nanoseconds(110 * kMs)}));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->setting, "execution");
    EXPECT_EQ(found.trial->value, "graph");
    EXPECT_EQ(found.trial->before, 100.0 * kMs);
    EXPECT_EQ(found.trial->expected, 90.0 * kMs);
}

TEST(LaunchBound, AGraphHasNothingToTry) {
    RunByHand run = lateBy(50 * kMs);
    run.config.execution = Execution::kGraph;
    EXPECT_FALSE(must(finding(findLaunchBound, run)).trial);
}

TEST(LaunchBound, AMeanWithTheFirstStepInItIsNotPromised) {
    RunByHand run = lateBy(50 * kMs);
    run.config.warmup = 0;
    run.config.steps = 3;
    const auto found = must(finding(findLaunchBound, run));
    EXPECT_FALSE(found.trial) << "the other run's mean would have its first step in it";
}

TEST(LaunchBound, StatesTheMeanOfItsKernelsWithoutCopies) {
    RunByHand run;
    run.kernels = {{40 * kMs, 60 * kMs}, {60 * kMs, 70 * kMs}, {70 * kMs, 100 * kMs}};
    run.kernels[2].isCopy = true;
    const auto found = must(finding(findLaunchBound, run));
    EXPECT_THAT(found.sentence, HasSubstr("2 kernels per step; each runs for 15.0\u202Fms on average"));
}

TEST(LaunchBound, OfLostCallsIsNotKnown) {
    RunByHand run = lateBy(50 * kMs);
    EXPECT_TRUE(finding(findLaunchBound, run));
    run.info.emplace_back("missing.any", "yes");
    run.info.emplace_back("missing.waits", "1 of 3");
    EXPECT_TRUE(finding(findLaunchBound, run)) << "the calls tell when the host waited";
    run.info.emplace_back("missing.calls", "1 of 3");
    EXPECT_FALSE(finding(findLaunchBound, run));
}

TEST(KernelGaps, AreFoundFromATwentiethOfTheStepOn) {
    const auto gap = [](std::int64_t length) {
        RunByHand run;
        run.kernels = {{0, 50 * kMs}, {50 * kMs + length, 100 * kMs, 20 * kMs}};
        return finding(findKernelGaps, run);
    };
    EXPECT_FALSE(gap(5 * kMs - 1));
    const auto found = must(gap(5 * kMs));
    EXPECT_EQ(found.nsPerStep, 5.0 * kMs);
    EXPECT_EQ(found.evidence.visible, (TimeRange{Nanoseconds(150 * kMs), Nanoseconds(155 * kMs)}));
    EXPECT_FALSE(found.trial);
}

TEST(Synchronizations, AreFoundFromATwentiethOfTheStepOn) {
    const auto waiting = [](std::int64_t length) {
        RunByHand run;
        run.kernels = {{0, 50 * kMs}, {50 * kMs + length, 100 * kMs, 1}};
        run.waits = {{Nanoseconds(40 * kMs), Nanoseconds(50 * kMs + 1)}};
        return finding(findSynchronizations, run);
    };
    EXPECT_FALSE(waiting(5 * kMs - 1));
    EXPECT_EQ(must(waiting(5 * kMs)).nsPerStep, 5.0 * kMs);
}

/// It completed all of its steps, which took so long.
RunByHand stepsOf(std::int64_t warmup, const std::vector<std::int64_t>& lengths) {
    RunByHand run;
    run.config.warmup = warmup;
    run.config.steps = std::ssize(lengths) - warmup;
    run.stepLengths = lengths;
    return run;
}

TEST(FirstStep, CountsWhereTheMeanHasIt) {
    RunByHand run = stepsOf(0, {149 * kMs, 100 * kMs, 100 * kMs});
    EXPECT_FALSE(finding(findFirstStep, run)) << "below half as long again it is chance";
    run.stepLengths[0] = 400 * kMs;
    const auto found = must(finding(findFirstStep, run));
    EXPECT_EQ(found.nsPerStep, 100.0 * kMs);
    EXPECT_DOUBLE_EQ(found.stepShare, 0.5);
    EXPECT_EQ(found.evidence.range, (TimeRange{Nanoseconds(0), Nanoseconds(400 * kMs)}));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->setting, "warmup");
    EXPECT_EQ(found.trial->config.warmup, 1);
    EXPECT_EQ(found.trial->before, 200.0 * kMs);
    EXPECT_EQ(found.trial->expected, 100.0 * kMs);

    run.config.warmup = 1;
    run.config.steps = 2;
    EXPECT_FALSE(finding(findFirstStep, run)) << "a warm-up step has taken it out of the mean";
}

TEST(FirstStep, AfterAWarmUpTakesThreeStepsAndIsNotTheLibraries) {
    RunByHand run = stepsOf(0, {400 * kMs, 100 * kMs});
    const auto cold = must(finding(findFirstStep, run));
    EXPECT_THAT(cold.remedy, HasSubstr("Libraries load"));

    run = stepsOf(1, {900 * kMs, 400 * kMs, 100 * kMs});
    EXPECT_FALSE(finding(findFirstStep, run)) << "of two either may be the one by chance";
    run = stepsOf(1, {900 * kMs, 400 * kMs, 100 * kMs, 100 * kMs});
    const auto warm = must(finding(findFirstStep, run));
    EXPECT_EQ(warm.nsPerStep, 100.0 * kMs) << "the warm-up step is in no mean";
    EXPECT_THAT(warm.remedy, Not(HasSubstr("Libraries load")));
    ASSERT_TRUE(warm.trial);
    EXPECT_EQ(warm.trial->config.warmup, 2);
}

TEST(FirstStep, InWhichTheHostWasBusySaysThatThisMayBeWhy) {
    RunByHand run = stepsOf(1, {900 * kMs, 400 * kMs, 100 * kMs, 100 * kMs});
    // Waited half of the first measured step, and of no other.
    run.waited = {{0, 0}, {900 * kMs, 0}, {1300 * kMs, 200.0 * kMs}, {1500 * kMs, 200.0 * kMs}};
    auto found = must(finding(findFirstStep, run));
    EXPECT_THAT(found.sentence,
                testing::EndsWith(" The host was busy in it, which may be why: the run's thread waited "
                                  "for a core 50% of the time."));
    EXPECT_THAT(found.remedy, Not(HasSubstr("outlasts")));
    EXPECT_FALSE(found.trial);
    // Elsewhere it explains nothing of this step.
    run.waited = {{0, 0}, {900 * kMs, 300.0 * kMs}, {1300 * kMs, 300.0 * kMs}, {1500 * kMs, 400.0 * kMs}};
    found = must(finding(findFirstStep, run));
    EXPECT_THAT(found.sentence, Not(HasSubstr("host")));
    EXPECT_TRUE(found.trial);
}

TEST(FirstStep, IsNotKnownWhereStepsAreLost) {
    RunByHand run;
    run.config.warmup = 0;
    run.config.steps = 4;
    run.stepLengths = {400 * kMs, 100 * kMs, 100 * kMs};
    EXPECT_TRUE(finding(findFirstStep, run));
    run.info = {{"missing.any", "yes"}, {"missing.steps", "1 of 4"}};
    EXPECT_FALSE(finding(findFirstStep, run));
}

TEST(FirstStep, AmongManyStepsIsNothing) {
    RunByHand run = stepsOf(0, std::vector<std::int64_t>(40, 100 * kMs));
    run.stepLengths[0] = 299 * kMs;  // 4.97% of the mean
    EXPECT_FALSE(finding(findFirstStep, run));
    run.stepLengths[0] = 301 * kMs;
    EXPECT_TRUE(finding(findFirstStep, run));
}

}  // namespace warpglass::test::idle_rules_test
