#include "engine/query/summary/run_summary.h"

#include <gmock/gmock.h>

#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/plan/valid_config.h"
#include "engine/query/summary/caption.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::run_summary_test {

using testing::HasSubstr;

std::shared_ptr<const Snapshot> runWith(const RunConfig* config, std::string_view state,
                                        bool lastStepOpen = false) {
    return traceOf(filled(R"(
        info state % state.message "A sentence."
        counter loss 2.5 1 ; lost "full ring" 3
        step 0 0-9ms    | op aten::mm 0-10 ; alloc 1024 0 weights
        step 1 9-10ms   | op aten::mm 9000000-9000010 ; alloc 1024 9ms weights
        step 2 10-12ms  | op aten::mm 10000000-10000010 ; alloc 1024 10ms weights
        step 3 12ms-%   | op aten::mm 12000000-12000010 ; alloc 1024 12ms weights
        end 15ms
    )",
                          state, lastStepOpen ? "" : "15ms"),
                   config ? toPairs(*config) : InfoPairs());
}

RunSummary summaryOf(std::shared_ptr<const Snapshot> snapshot) {
    return summarizeRun(timelineOf(std::move(snapshot)));
}

TEST(RunSummary, statesTheFiguresOfAFinishedRun) {
    RunConfig config{.model = "custom",
                     .shape = {1000, 64, 256, 2, 4},
                     .context = 32,
                     .batch = 2,
                     .warmup = 1,
                     .steps = 3};
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

    const RunSummary nothing = summaryOf(traceOf());
    EXPECT_FALSE(nothing.stepMean);
    EXPECT_FALSE(nothing.peak);
    EXPECT_EQ(nothing.averagedSteps, 0);
}

TEST(RunSummary, countsNoFlopsForSizesThatMakeNoSense) {
    RunConfig config{.model = "custom"};
    config.shape = {1000, 63, 256, 2, 4};  // the width is no multiple of the heads
    const RunSummary summary = summaryOf(runWith(&config, run_state::kFailed));
    ASSERT_TRUE(summary.config);
    EXPECT_FALSE(summary.flopsPerStep);
    EXPECT_TRUE(summary.stepMean);
}

TEST(StateInWords, SaysWhenARecordingWasCutOffUnlessNothingWasRecorded) {
    RunSummary run{.state = std::string(run_state::kCutOff), .duration = Nanoseconds(4'600'000'000)};
    EXPECT_EQ(stateInWords(run), "cut off at 4.60\u202fs");
    run.duration = Nanoseconds(0);
    EXPECT_EQ(stateInWords(run), "cut off");
    run.state = run_state::kFinished;
    EXPECT_EQ(stateInWords(run), "finished");
}

RunInfo infoOf(const RunConfig& config) {
    RunInfo info;
    for (const auto& [key, value] : toPairs(config))
        info.set(key, value);
    return info;
}

TEST(Caption, SaysWhatWasRunWhereAndByWhat) {
    RunConfig config{.model = "small",
                     .shape = *presetShape("small"),
                     .context = 512,
                     .precision = Precision::kBf16,
                     .attention = AttentionVariant::kSdpaFlash,
                     .device = "cuda:0"};
    RunInfo info = infoOf(config);
    info.set("device.name", "NVIDIA H200");
    info.set("attention.backend", "sdpa flash");
    info.set("torch.version", "2.11.0");
    info.set("cuda.runtime", "13.0");
    info.set("warpglass.version", "0.1.0");
    info.set("time.started", "2026-11-21T17:11:59Z");
    info.set("state", run_state::kFinished);
    EXPECT_EQ(
        runCaption(info),
        "small, context 512, batch 4 · bf16 · sdpa-flash attention · training step, eager · NVIDIA H200 · "
        "LibTorch 2.11.0, CUDA 13.0, Warpglass 0.1.0 · 2026-11-21");
    info.set("attention.backend", "sdpa math");
    info.set("state", run_state::kStopped);
    EXPECT_THAT(runCaption(info), HasSubstr("sdpa-flash attention (by sdpa math)"));
    EXPECT_THAT(runCaption(info), testing::EndsWith(" · 2026-11-21 · the run was stopped"));
}

TEST(Caption, ACustomModelIsWrittenOut) {
    RunConfig config{.model = "custom",
                     .shape = {.vocabulary = 100, .dModel = 48, .dFf = 96, .layers = 3, .heads = 6},
                     .mode = Mode::kForward,
                     .execution = Execution::kGraph};
    const std::string caption = runCaption(infoOf(config));
    EXPECT_THAT(caption, HasSubstr("3 layers (d_model 48, d_ff 96, 6 heads, vocabulary 100)"));
    EXPECT_THAT(caption, HasSubstr("forward pass, CUDA graph"));
    EXPECT_THAT(caption, HasSubstr(" · cpu")) << "what it does not name, by its word: " << caption;
}

TEST(Caption, WhatIsNotStatedIsLeftOut) {
    EXPECT_EQ(runCaption({}), "");
    RunInfo info;
    info.set("device.name", "NVIDIA H200");
    EXPECT_EQ(runCaption(info), "NVIDIA H200");
    info.set("config.model", "small");  // and nothing else of the configuration
    EXPECT_EQ(runCaption(info), "NVIDIA H200");
}

}  // namespace warpglass::test::run_summary_test
