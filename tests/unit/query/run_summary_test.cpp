#include "engine/query/run_summary.h"

#include <gtest/gtest.h>

#include "engine/plan/flops.h"
#include "engine/plan/valid_config.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {
namespace {

std::shared_ptr<const Snapshot> runWith(const RunConfig* config, std::string_view state,
                                        bool lastStepOpen = false) {
    TraceWriter writer;
    const TrackId steps = writer.addTrack(TrackKind::kStep, "steps");
    const TrackId main = writer.addTrack(TrackKind::kCpuThread, "main");
    std::int64_t t = 0;
    for (std::int32_t step = 0; step < 4; ++step) {
        const std::int64_t durations[] = {9'000'000, 1'000'000, 2'000'000, 3'000'000};
        const std::int64_t d = durations[step];
        writer.beginSpan(steps, Nanoseconds(t), writer.internName("step " + std::to_string(step)), {}, step);
        writer.appendSpan(
            main, 0,
            {.start = t, .duration = 10, .self = 10, .name = writer.internName("aten::mm"), .step = step});
        writer.appendAllocation(Nanoseconds(t), {.bytes = 1024, .category = Category::kWeights});
        t += d;
        if (step < 3 || !lastStepOpen)
            writer.endSpan(steps, Nanoseconds(t));
    }
    if (config) {
        for (const auto& [key, value] : toPairs(*config))
            writer.setInfo(key, value);
    }
    writer.setInfo("state", state);
    writer.setInfo("state.message", "A sentence.");
    writer.appendCounter(Nanoseconds(1), writer.internName("loss"), 2.5);
    writer.countLoss("full ring", 3);
    writer.settle();
    writer.commit(Nanoseconds(t));
    return writer.feed()->latest();
}

RunSummary summaryOf(std::shared_ptr<const Snapshot> snapshot) {
    MemoryTimeline timeline;
    timeline.update(std::move(snapshot));
    return summarizeRun(timeline);
}

TEST(RunSummary, statesTheFiguresOfAFinishedRun) {
    RunConfig config;
    config.shape = {1000, 64, 256, 2, 4};
    config.model = "custom";
    config.context = 32;
    config.batch = 2;
    config.warmup = 1;
    config.steps = 3;
    ASSERT_TRUE(validate(config).empty());
    const RunSummary summary = summaryOf(runWith(&config, run_state::kFinished));

    EXPECT_EQ(summary.title, shortTitle(config));
    ASSERT_TRUE(summary.config);
    EXPECT_EQ(*summary.config, config);
    EXPECT_EQ(summary.state, "finished");
    EXPECT_EQ(summary.warmupSteps, 1);
    EXPECT_EQ(summary.measuredSteps, 3);
    EXPECT_EQ(summary.plannedSteps, 4);
    EXPECT_EQ(summary.averagedSteps, 3);
    EXPECT_FALSE(summary.averagesWarmup);
    ASSERT_TRUE(summary.stepMean);
    EXPECT_DOUBLE_EQ(*summary.stepMean, 2'000'000);
    EXPECT_DOUBLE_EQ(summary.stepStandardDeviation.value(), 1'000'000);
    EXPECT_DOUBLE_EQ(*summary.tokensPerSecond, 64 / 2e-3);
    EXPECT_EQ(*summary.flopsPerStep, countFlops(config).total());
    EXPECT_DOUBLE_EQ(*summary.matmulFlopsPerSecond,
                     static_cast<double>(countFlops(config).matmul().value) / 2e-3);
    EXPECT_GT(*summary.flopsPerSecond, *summary.matmulFlopsPerSecond);
    ASSERT_TRUE(summary.peak);
    EXPECT_EQ(sumOf(summary.peak->bytes), 4096);
    EXPECT_EQ(summary.spans, 8u);
    EXPECT_EQ(summary.ops, 4u);
    EXPECT_EQ(summary.memoryEvents, 4u);
    EXPECT_EQ(summary.allocations, 4u);
    EXPECT_EQ(summary.counterSamples, 1u);
    ASSERT_EQ(summary.losses.size(), 1u);
    EXPECT_EQ(summary.losses[0].count, 3u);
    EXPECT_EQ(summary.duration, Nanoseconds(15'000'000));
}

TEST(RunSummary, leavesOutWhatARunDoesNotState) {
    const RunSummary summary = summaryOf(runWith(nullptr, "recording", true));
    EXPECT_EQ(summary.title, "");
    EXPECT_FALSE(summary.config);
    EXPECT_FALSE(summary.tokensPerSecond);
    EXPECT_FALSE(summary.flopsPerStep);
    EXPECT_EQ(summary.measuredSteps, 3) << "the open step has not ended";
    EXPECT_DOUBLE_EQ(*summary.stepMean, 4'000'000);
    EXPECT_EQ(summary.stateMessage, "A sentence.");

    TraceWriter writer;
    writer.commit(Nanoseconds(0));
    const RunSummary nothing = summaryOf(writer.feed()->latest());
    EXPECT_FALSE(nothing.stepMean);
    EXPECT_FALSE(nothing.peak);
    EXPECT_EQ(nothing.averagedSteps, 0);
}

TEST(RunSummary, countsNoFlopsForSizesThatMakeNoSense) {
    RunConfig config;
    config.model = "custom";
    config.shape = {1000, 63, 256, 2, 4};  // the width is no multiple of the heads
    const RunSummary summary = summaryOf(runWith(&config, run_state::kFailed));
    ASSERT_TRUE(summary.config);
    EXPECT_FALSE(summary.flopsPerStep);
    EXPECT_TRUE(summary.stepMean);
}

}  // namespace
}  // namespace warpglass
