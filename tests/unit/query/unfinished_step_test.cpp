#include "engine/query/unfinished_step.h"

#include <gtest/gtest.h>

#include "engine/query/flame.h"
#include "engine/query/layers.h"
#include "engine/query/roofline.h"
#include "engine/query/work_times.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/sample_run.h"

namespace warpglass {
namespace {

using End = UnfinishedStep::End;

std::shared_ptr<const Snapshot> runThatEnded(std::string_view state, bool outOfMemory) {
    TraceWriter writer;
    const TrackId steps = writer.addTrack(TrackKind::kStep, "Step");
    writer.appendSpan(
        steps, 0, {.start = 10, .duration = 50, .self = 50, .name = writer.internName("step 0"), .step = 0});
    writer.setInfo("state", state);
    writer.setInfo("steps.completed", "0");
    if (outOfMemory)
        writer.setInfo("allocator.out_of_memory", "1");
    writer.commit(Nanoseconds(100));
    return writer.feed()->latest();
}

TEST(UnfinishedStep, SaysWhereARunEndedAndWhy) {
    const auto of = [](std::string_view state, bool outOfMemory = false) {
        const auto step = unfinishedStep(*runThatEnded(state, outOfMemory));
        EXPECT_TRUE(step);
        EXPECT_EQ(step->step, 0);
        return step->end;
    };
    EXPECT_EQ(of(run_state::kFailed, true), End::kOutOfMemory);
    EXPECT_EQ(of(run_state::kFailed), End::kFailed);
    EXPECT_EQ(of(run_state::kStopped), End::kStopped);
    EXPECT_EQ(of(run_state::kRecording), End::kRuns);
    EXPECT_EQ(of(run_state::kFinished), End::kNotRead);
    EXPECT_EQ(inWords({3, End::kOutOfMemory}), "step 3 until memory ran out");
    EXPECT_EQ(reasonInWords({3, End::kStopped}), "the run was stopped in step 3");
    TraceWriter empty;
    empty.commit(Nanoseconds(1));
    EXPECT_FALSE(unfinishedStep(*empty.feed()->latest())) << "no step has begun";
}

TEST(UnfinishedStep, IsNoneWhereAStepWasCompleted) {
    EXPECT_FALSE(unfinishedStep(*test::openSampleRun("small-bf16-flash")));
}

TEST(UnfinishedStep, OfTheSampleThatRanOutOfMemoryThereIsWorkToShow) {
    const auto opened = test::openSampleRun("large-fp32-out-of-memory");
    const Snapshot& run = *opened;
    const auto step = unfinishedStep(run);
    ASSERT_TRUE(step);
    EXPECT_EQ(inWords(*step), "step 0 until memory ran out");
    EXPECT_TRUE(workTimes(run).rows.empty());
    WorkScope scope;
    scope.filter.step = step->step;
    std::int64_t time = 0;
    for (const WorkRow& row : workTimes(run, scope).rows)
        time += row.time;
    EXPECT_GT(time, 0);
    EXPECT_EQ(timeFlame(run, scope, true).nodes.front().value, time);
    // A product that ran is known; what was never reached is not there.
    const auto points = roofline(run, scope);
    ASSERT_FALSE(points.empty());
    for (const RooflinePoint& point : points) {
        EXPECT_EQ(point.phase, PlanPhase::kForward) << point.name;
        ASSERT_TRUE(point.share()) << point.name;
        EXPECT_GT(*point.share(), 0.01) << point.name;
        EXPECT_LT(*point.share(), 1.2) << point.name;
    }
}

}  // namespace
}  // namespace warpglass
