// Runs of attention alone: what is recorded of them, and the memory before their backward pass.
#include <gmock/gmock.h>

#include <set>

#include "engine/plan/settings.h"
#include "engine/query/memory/memory_before_backward.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/summary/run_summary.h"
#include "tests/support/implementations.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/runner/runner_test_support.h"

namespace warpglass::test::attention_run_test {

RunConfig attentionConfig(std::int64_t batch, std::int64_t context, std::int64_t headDim) {
    return {.workload = Workload::kAttention,
            .shape = {.heads = 1},
            .headDim = headDim,
            .context = context,
            .batch = batch,
            .mode = Mode::kForwardBackward,
            .warmup = 1,
            .steps = 2};
}

RunSummary summaryOf(const RecordedRun& run) {
    return summarizeRun(timelineOf(run.trace));
}

std::int64_t allocatedBeforeBackward(std::int64_t context, std::int64_t headDim) {
    const std::vector<BeforeBackward> steps =
        memoryBeforeBackward(timelineOf(record(attentionConfig(8, context, headDim)).trace));
    EXPECT_EQ(steps.size(), 2u) << "the measured steps alone";
    if (steps.size() != 2)
        return -1;
    EXPECT_EQ(steps[0].step, 1);
    EXPECT_EQ(steps[0].allocated, steps[1].allocated);
    EXPECT_FALSE(steps[0].reserved) << "the CPU's allocator reserves nothing";
    return steps[0].allocated.value;
}

/// Probabilities; q, k, v, their gradients, the output.
std::int64_t formula(std::int64_t context, std::int64_t headDim) {
    return 8 * context * context * 4 + 7 * 8 * context * headDim * 4;
}

TEST(AttentionRun, HoldsTheFormulasMemoryBeforeItsBackwardPass) {
    const std::int64_t least = allocatedBeforeBackward(256, 16);
    EXPECT_EQ(allocatedBeforeBackward(1024, 16) - least, 34'209'792) << "32.625 MiB";
    for (const auto& [context, headDim] :
         {std::pair{256, 32}, {256, 64}, {256, 128}, {512, 64}, {1024, 128}, {77, 20}})
        EXPECT_EQ(allocatedBeforeBackward(context, headDim) - least,
                  formula(context, headDim) - formula(256, 16))
            << context << " × " << headDim;
}

TEST(AttentionRun, HasItsPhasesOnceAPassAndNoLoss) {
    for (const Mode mode : {Mode::kForward, Mode::kForwardBackward}) {
        RunConfig config = attentionConfig(2, 12, 8);
        config.mode = mode;
        const RecordedRun run = record(config);
        EXPECT_EQ(run.outcome.state, "finished");
        EXPECT_EQ(run.outcome.steps, 3);
        EXPECT_THAT(run.outcome.losses, testing::IsEmpty());
        EXPECT_EQ(run.trace->info().get("steps.completed"), "3");
        std::multiset<std::string> phases;
        for (const NamedSpan& span : spansOf(*run.trace, TrackKind::kPhase)) {
            if (span.step >= 0)
                phases.insert(span.name);
        }
        const bool backward = mode == Mode::kForwardBackward;
        EXPECT_EQ(phases.count("forward"), 3u);
        EXPECT_EQ(phases.count("backward"), backward ? 3u : 0u);
        EXPECT_EQ(phases.size(), backward ? 6u : 3u);
        const RunSummary summary = summaryOf(run);
        EXPECT_EQ(summary.beforeBackward.has_value(), backward);
        EXPECT_FALSE(summary.tokensPerSecond);
        ASSERT_TRUE(summary.utilization);
        EXPECT_EQ(summary.utilization->modelFlops, summary.matmulFlopsPerStep);
        EXPECT_EQ(summary.config, config);
    }
}

TEST(AttentionRun, TellsScoresSoftmaxAndValuesApart) {
    RunConfig config = attentionConfig(2, 64, 16);
    config.shape.heads = 3;
    const AttentionParts parts = attentionParts(*record(config).trace);
    EXPECT_EQ(parts.blocks, 1);
    std::map<std::pair<PlanPhase, AttentionPart>, Flops> products;
    for (const AttentionPartRow& row : parts.rows)
        products[{row.phase, row.part}] = row.matmulFlops;
    const std::int64_t product = 2 * (2 * 3) * 64 * 64 * 16;
    for (const AttentionPart part : {AttentionPart::kScores, AttentionPart::kValues}) {
        EXPECT_EQ((products[{PlanPhase::kForward, part}].value), product);
        EXPECT_EQ((products[{PlanPhase::kBackward, part}].value), 2 * product);
    }
    EXPECT_TRUE(products.contains({PlanPhase::kForward, AttentionPart::kSoftmax}));
}

TEST(AttentionRun, KeepsItsGradientsFromPassToPass) {
    const MemoryTimeline memory = timelineOf(record(attentionConfig(2, 32, 8)).trace);
    for (const BeforeBackward& step : memoryBeforeBackward(memory)) {
        const CategoryBytes bytes = memory.at(step.time);
        EXPECT_EQ(bytes[static_cast<std::size_t>(Category::kGradients)], 3 * 2 * 32 * 8 * 4);
        EXPECT_EQ(bytes[static_cast<std::size_t>(Category::kInput)], 3 * 2 * 32 * 8 * 4);
        EXPECT_EQ(bytes[static_cast<std::size_t>(Category::kActivations)], 2 * 32 * 32 * 4 + 2 * 32 * 8 * 4);
    }
}

TEST(AttentionRun, RunsEveryVariantInEveryPrecisionCausalAndNot) {
    for (const AttentionVariant variant : attentionsFor(RunConfig())) {
        for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
            for (const Causal causal : {Causal::kNo, Causal::kYes}) {
                RunConfig config = attentionConfig(2, 70, 16);
                config.attention = variant;
                config.precision = precision;
                config.causal = causal;
                const RecordedRun run = record(config);
                EXPECT_EQ(run.outcome.state, "finished") << shortTitle(config) << run.outcome.message;
                EXPECT_EQ(lossText(*run.trace), "") << shortTitle(config);
                ASSERT_TRUE(summaryOf(run).beforeBackward) << shortTitle(config);
            }
        }
    }
}

}  // namespace warpglass::test::attention_run_test
