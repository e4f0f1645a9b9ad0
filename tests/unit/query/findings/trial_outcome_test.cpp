#include "engine/query/findings/trial_outcome.h"

#include <gmock/gmock.h>

#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::trial_outcome_test {

using testing::HasSubstr;

Trial faster() {
    return {.setting = "execution", .value = "graph", .before = 110.0 * kMs, .expected = 60.0 * kMs};
}

TrialVerdict verdictOf(const Trial& trial, const RunByHand& run) {
    return trialOutcome(trial, run.timeline()).verdict;
}

RunByHand runOf(std::int64_t step) {
    RunByHand run;
    run.stepLengths = {300 * kMs, step, step};
    return run;
}

TEST(TrialOutcome, IsJudgedByHowMuchOfTheGainCame) {
    EXPECT_EQ(verdictOf(faster(), runOf(50 * kMs)), TrialVerdict::kCameTrue) << "more than was expected";
    EXPECT_EQ(verdictOf(faster(), runOf(70 * kMs)), TrialVerdict::kCameTrue);
    EXPECT_EQ(verdictOf(faster(), runOf(71 * kMs)), TrialVerdict::kPartly);
    EXPECT_EQ(verdictOf(faster(), runOf(100 * kMs)), TrialVerdict::kPartly);
    EXPECT_EQ(verdictOf(faster(), runOf(101 * kMs)), TrialVerdict::kNot);
    EXPECT_EQ(verdictOf(faster(), runOf(200 * kMs)), TrialVerdict::kNot);
}

TEST(TrialOutcome, HasBothNumbersInItsSentence) {
    const TrialOutcome outcome = trialOutcome(faster(), runOf(70 * kMs).timeline());
    EXPECT_EQ(outcome.measured, 70.0 * kMs);
    EXPECT_EQ(
        outcome.sentence,
        "Execution CUDA graph: 70.0\u202Fms per step instead of 110\u202Fms; best case 60.0\u202Fms, so the "
        "gain came true.");
    EXPECT_EQ(expectationSentence(faster()),
              "Best case: 60.0\u202Fms per step, which saves 50.0\u202Fms (45%).");
}

TEST(TrialOutcome, OfASingleMeasuredStepSaysThatItMayBeChance) {
    RunByHand run = runOf(70 * kMs);
    run.stepLengths.pop_back();
    const TrialOutcome outcome = trialOutcome(faster(), run.timeline());
    EXPECT_EQ(outcome.verdict, TrialVerdict::kCameTrue);
    EXPECT_THAT(outcome.sentence, testing::EndsWith(" may be noise."));
}

TEST(TrialOutcome, WhereStepsDifferByMoreThanTheGainThereIsNoAnswer) {
    Trial trial = faster();
    trial.expected = 105.0 * kMs;
    RunByHand run;
    run.stepLengths = {300 * kMs, 80 * kMs, 130 * kMs};  // 105 ± 35.4 ms
    const TrialOutcome outcome = trialOutcome(trial, run.timeline());
    EXPECT_EQ(outcome.verdict, TrialVerdict::kNoAnswer);
    EXPECT_EQ(outcome.measured, 105.0 * kMs);
    EXPECT_THAT(outcome.sentence, HasSubstr("differ by ± 35.4"));
    // What differs by less than came is an answer all the same.
    run.stepLengths = {300 * kMs, 30 * kMs, 40 * kMs};
    EXPECT_EQ(verdictOf(trial, run), TrialVerdict::kCameTrue);
}

TEST(TrialOutcome, OfMemoryIsThePeak) {
    Trial trial{.setting = "attention",
                .value = "sdpa-flash",
                .metric = TrialMetric::kPeakMemory,
                .before = 4096,
                .expected = 2048};
    RunByHand run = runOf(kMs);
    run.allocations = {{0, kMs, 2048, Category::kActivations}};
    EXPECT_EQ(verdictOf(trial, run), TrialVerdict::kCameTrue);
    run.allocations[0].bytes = 4096;
    EXPECT_EQ(verdictOf(trial, run), TrialVerdict::kNot);
    run.allocations.clear();
    EXPECT_EQ(verdictOf(trial, run), TrialVerdict::kNoAnswer);
}

TEST(TrialOutcome, OfARunThatDidNotEndThereIsNone) {
    RunByHand run = runOf(10 * kMs);
    run.state = "stopped";
    const TrialOutcome outcome = trialOutcome(faster(), run.timeline());
    EXPECT_EQ(outcome.verdict, TrialVerdict::kNoAnswer);
    EXPECT_FALSE(outcome.measured);
    EXPECT_THAT(outcome.sentence, HasSubstr("did not come far enough"));
}

}  // namespace warpglass::test::trial_outcome_test
