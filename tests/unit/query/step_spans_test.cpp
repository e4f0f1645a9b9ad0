// What of a run a view begins with.
#include "engine/query/step_spans.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic_trace.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test {
namespace {

TEST(AveragedRange, IsOfTheMeasuredStepsWithAMargin) {
    RunByHand run;
    run.stepLengths = {800 * kMs, 100 * kMs, 100 * kMs};  // the first is a warm-up
    const MemoryTimeline timeline = run.timeline();
    const Snapshot& snapshot = *timeline.snapshot();
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    ASSERT_EQ(steps.size(), 2u);
    const TimeRange range = averagedRange(snapshot);
    EXPECT_LE(range.begin, steps[0].range.begin);
    EXPECT_GT(range.begin, steps[0].range.begin - Nanoseconds(10 * kMs));
    EXPECT_GE(range.end, std::min(snapshot.range().end, steps[1].range.end));
    EXPECT_LE(range.end, snapshot.range().end);
}

TEST(AveragedRange, WithoutAStepIsTheRun) {
    const auto snapshot = makeManySpans(1000, 2);
    EXPECT_EQ(averagedRange(*snapshot), snapshot->range());
}

}  // namespace
}  // namespace warpglass::test
