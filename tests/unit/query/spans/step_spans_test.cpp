// What of a run a view begins with.
#include "engine/query/spans/step_spans.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::step_spans_test {

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

TEST(CaptureRanges, AreThoseOfEveryTrackOfStepsJoinedWhereTheyTouch) {
    const auto run = traceOf(R"(
        capture 10-20 ; step 0 20-40 ; capture 50-60 ; capture 60-60
        capture 5-12 on another ; capture 30-35 on another
    )");
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const TimeRange& range : captureRanges(*run))
        found.emplace_back(range.begin.value, range.end.value);
    EXPECT_EQ(found, (std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 20}, {30, 35}, {50, 60}}));
    EXPECT_TRUE(captureRanges(*makeManySpans(100, 2)).empty());
}

}  // namespace warpglass::test::step_spans_test
