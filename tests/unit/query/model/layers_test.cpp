#include "engine/query/model/layers.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/module_group.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::layers_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> namesOf(const Layers& layers) {
    std::vector<std::string> names;
    for (const LayerRow& row : layers.rows)
        names.push_back(row.name);
    return names;
}

const LayerRow& rowOf(const Layers& layers, std::string_view name) {
    const auto found =
        std::ranges::find_if(layers.rows, [&](const LayerRow& row) { return row.name == name; });
    EXPECT_NE(found, layers.rows.end()) << name;
    return *found;
}

/// The layer of a span, as a person would say it.
std::string layerByHand(const NaiveSpan& span) {
    if (span.module.empty())
        return span.place.phase == Phase::kLoss || span.place.phase == Phase::kBackward ? "loss" : "rest";
    for (const char* block : {"blocks.10", "blocks.1", "blocks.2"}) {
        if (span.module.starts_with(block))
            return block;
    }
    return span.module;
}

TEST(Layers, TakeTheTimeOfTheirOpsAStep) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const RandomRun run({.seed = seed});
        const Layers layers = layersOf(*run.snapshot(), {});
        std::map<std::string, double> forward, backward, optimizer;
        double all = 0;
        for (const NaiveSpan& span : allSpans(*run.snapshot())) {
            if (span.kind != TrackKind::kCpuThread || span.row.step < 2)
                continue;
            auto& sums = span.place.phase == Phase::kBackward    ? backward
                         : span.place.phase == Phase::kOptimizer ? optimizer
                                                                 : forward;
            sums[layerByHand(span)] += static_cast<double>(span.row.self) / 4;
            all += static_cast<double>(span.row.self) / 4;
        }
        EXPECT_THAT(namesOf(layers),
                    ElementsAre("blocks.1", "blocks.2", "blocks.10", "embed", "loss", "rest"));
        for (const LayerRow& row : layers.rows) {
            EXPECT_NEAR(row.forward, forward[row.name], 1e-3) << row.name;
            EXPECT_NEAR(row.backward, backward[row.name], 1e-3) << row.name;
            EXPECT_NEAR(row.optimizer, optimizer[row.name], 1e-3) << row.name;
            EXPECT_EQ(row.block, row.name.starts_with("blocks.")) << row.name;
        }
        EXPECT_NEAR(layers.time(), all, 1e-3) << "rows add up to the step";
        EXPECT_FALSE(layers.gpu);
        EXPECT_EQ(layers.steps, 4);
    }
}

TEST(Layers, OfARangeTakeWhatBeganInIt) {
    const RandomRun run({.seed = 7});
    const TimeRange all = run.snapshot()->range();
    const TimeRange range{Nanoseconds(all.end.value / 5), Nanoseconds(all.end.value / 2)};
    double sum = 0;
    for (const NaiveSpan& span : allSpans(*run.snapshot())) {
        if (span.kind == TrackKind::kCpuThread && range.contains(Nanoseconds(span.row.start)))
            sum += static_cast<double>(span.row.self);
    }
    const Layers layers = layersOf(*run.snapshot(), {}, SpanFilter{.ranges = {range}});
    EXPECT_GT(sum, 0);
    EXPECT_NEAR(layers.time(), sum, 1e-3);
    EXPECT_TRUE(layers.ofRange);
}

TEST(Layers, OnAGpuKernelsCountWithTheirMemoryAndArithmetic) {
    RunByHand run;
    run.stepLengths = {10 * kMs, 10 * kMs, 10 * kMs};
    run.kernels = {
        {.begin = 1 * kMs, .end = 2 * kMs, .module = "blocks.0.attn.q_proj"},
        {.begin = 2 * kMs, .end = 5 * kMs, .module = "blocks.1.ffn"},
        {.begin = 5 * kMs, .end = 9 * kMs, .phase = Phase::kBackward, .module = "blocks.1.ffn.w1"}};
    run.allocations = {
        {.from = 1, .to = 25 * kMs, .bytes = 500, .module = "blocks.1.ffn"},
        {.from = 2, .to = 25 * kMs, .bytes = 70, .category = Category::kWeights, .module = "lm_head"}};
    const MemoryTimeline memory = run.timeline();
    const Layers layers = layersOf(*memory.snapshot(), {memory.aliveAt(memory.peak()->time), &memory});
    EXPECT_TRUE(layers.gpu);
    EXPECT_TRUE(layers.measured);
    EXPECT_DOUBLE_EQ(rowOf(layers, "blocks.0").forward, 1 * kMs);
    EXPECT_DOUBLE_EQ(rowOf(layers, "blocks.1").forward, 3 * kMs);
    EXPECT_DOUBLE_EQ(rowOf(layers, "blocks.1").backward, 4 * kMs);
    EXPECT_EQ(rowOf(layers, "blocks.1").activations(), Bytes(500));
    EXPECT_EQ(rowOf(layers, "lm_head").memory(), Bytes(70));
    EXPECT_EQ(rowOf(layers, "lm_head").activations(), Bytes(0));
    std::int64_t flops = 0;
    for (const LayerRow& row : layers.rows)
        flops += row.flops().value;
    const FlopsEstimate plan = countFlops(*configOfRun(*memory.snapshot()));
    EXPECT_EQ(flops, plan.total().value) << "every operation is some layer's";
    EXPECT_EQ(rowOf(layers, "blocks.3").flops(), plan.ofModule("blocks.3"));
    EXPECT_EQ(layers.blocks, 12) << "the plan's blocks, recorded or not";
}

TEST(RobustOutliers, AreFarFromTheMedianInDeviationsAndInShare) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> values(5 + random() % 40);
        for (double& value : values)
            value = 1000 + static_cast<double>(random() % 200) + (random() % 9 == 0 ? 400.0 : 0.0);
        std::vector<double> sorted = values;
        std::ranges::sort(sorted);
        const auto middle = [](const std::vector<double>& v) {
            return v.size() % 2 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
        };
        const double median = middle(sorted);
        for (double& value : sorted)
            value = std::fabs(value - median);
        std::ranges::sort(sorted);
        const double limit = std::max(3 * 1.4826 * middle(sorted), 0.05 * median);
        const std::vector<bool> outliers = robustOutliers(values);
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(outliers[i], std::fabs(values[i] - median) > limit);
    }
}

TEST(RobustOutliers, OfFewOrOfEqualValuesThereAreNone) {
    EXPECT_THAT(robustOutliers({1, 1, 1, 9}), ElementsAre(false, false, false, false)) << "too few to tell";
    EXPECT_THAT(robustOutliers({2, 2, 2, 2, 2}), ElementsAre(false, false, false, false, false));
    EXPECT_THAT(robustOutliers({100, 100, 100, 100, 104}), ElementsAre(false, false, false, false, false))
        << "far in deviations, but by less than 5%";
    EXPECT_THAT(robustOutliers({100, 100, 100, 100, 106}), ElementsAre(false, false, false, false, true));
    EXPECT_TRUE(robustOutliers({}).empty());
}

TEST(Layers, ABlockThatStandsOutIsSaidInASentence) {
    RunByHand run;
    run.stepLengths = {50 * kMs, 50 * kMs};
    for (int block = 0; block < 12; ++block)
        run.add(block == 4 ? 3 * kMs : 2 * kMs, {.module = filled("blocks.%.ffn", block)});
    const Layers layers = layersOf(*run.snapshot(), {});
    for (const LayerRow& row : layers.rows)
        EXPECT_EQ(row.standsOut(), row.name == "blocks.4") << row.name;
    EXPECT_THAT(
        outlierSentences(layers, rowOf(layers, "blocks.4")),
        ElementsAre("blocks.4's forward pass takes 3.00\u202Fms, 50% over the median of the 12 blocks "
                    "(2.00\u202Fms)."));
    EXPECT_TRUE(outlierSentences(layers, rowOf(layers, "blocks.3")).empty());
}

/// Twelve blocks one after the other, each of two kernels of 1 ms; the one of `slow` takes 3 ms.
RunByHand twelveBlocks(int slow) {
    RunByHand run;
    run.stepLengths = {50 * kMs, 50 * kMs, 50 * kMs};
    run.kernels = {{.end = kMs}};  // the first of them begins there
    for (int block = 0; block < 12; ++block) {
        for (const std::int64_t length : {kMs, block == slow ? 2 * kMs : kMs})
            run.add(length, {.module = filled("blocks.%.ffn", block)});
    }
    run.kernels.erase(run.kernels.begin());
    return run;
}

Layers within(const Snapshot& run, std::int64_t begin, std::int64_t end) {
    return layersOf(run, {}, SpanFilter{.ranges = {{Nanoseconds(begin), Nanoseconds(end)}}});
}

TEST(Layers, OfARangeOnlyBlocksAreComparedThatRanWholeInIt) {
    const auto run = twelveBlocks(4).snapshot();
    constexpr auto kForward = static_cast<std::size_t>(LayerMeasure::kForward);
    // The blocks 0 to 7 of step 1, and the first kernel of block 8.
    const Layers some = within(*run, 50 * kMs, 50 * kMs + kMs + 18 * kMs);
    EXPECT_EQ(some.compared[kForward], 8);
    EXPECT_TRUE(some.comparesTimes());
    EXPECT_DOUBLE_EQ(some.median[kForward], 2 * kMs) << "nothing of the blocks that did not run";
    for (const LayerRow& row : some.rows) {
        EXPECT_EQ(row.standsOut(), row.name == "blocks.4") << row.name;
        EXPECT_EQ(some.isWhole(row), row.block && blockNumber(row.name).value_or(9) < 8) << row.name;
    }
    EXPECT_THAT(outlierSentences(some, rowOf(some, "blocks.4")),
                ElementsAre(HasSubstr("over the median of the 8 blocks that ran whole (2.00\u202Fms).")));
    // Twice in two steps.
    const Layers steps = within(*run, 50 * kMs, 150 * kMs);
    EXPECT_EQ(steps.compared[kForward], 12);
    EXPECT_DOUBLE_EQ(steps.median[kForward], 4 * kMs);
    EXPECT_TRUE(rowOf(steps, "blocks.4").standsOut());
    // Block 4 beside too few others.
    const Layers few = within(*run, 50 * kMs + 5 * kMs, 50 * kMs + 14 * kMs);
    EXPECT_FALSE(few.comparesTimes());
    for (const LayerRow& row : few.rows)
        EXPECT_FALSE(row.standsOut()) << row.name;
}

/// The state of an optimizer is made in the first step, module by module.
TEST(Layers, OfARangeBlocksAreWholeWhateverTheOptimizersStateFills) {
    constexpr auto kForward = static_cast<std::size_t>(LayerMeasure::kForward);
    constexpr auto kOptimizer = static_cast<std::size_t>(LayerMeasure::kOptimizer);
    for (const bool oneByOne : {false, true}) {
        SCOPED_TRACE(oneByOne);
        RunByHand run = twelveBlocks(4);
        run.config.warmup = oneByOne ? 0 : 1;
        run.config.steps = oneByOne ? 3 : 2;
        for (int block = 0; block < (oneByOne ? 12 : 1); ++block)
            run.add(50 * kUs, {.phase = Phase::kOptimizer,
                               .module = oneByOne ? filled("blocks.%.ffn", block) : "",
                               .op = "aten::_fused_adamw_"});
        for (int block = 0; block < 12; ++block)
            run.add(50 * kUs, {.phase = Phase::kOptimizer,
                               .module = filled("blocks.%.ffn", block),
                               .op = "aten::fill_",
                               .isCopy = block % 2 == 0,
                               .step = 0});
        const auto snapshot = run.snapshot();
        for (std::int64_t step = 0; step < 3; ++step) {
            SCOPED_TRACE(step);
            const Layers layers = within(*snapshot, step * 50 * kMs, (step + 1) * 50 * kMs);
            EXPECT_EQ(layers.compared[kForward], 12);
            EXPECT_EQ(layers.compared[kOptimizer], 12);
            int blocks = 0;
            for (const LayerRow& row : layers.rows) {
                EXPECT_EQ(layers.isWhole(row), row.block) << row.name;
                blocks += row.block ? 1 : 0;
                if (row.block) {
                    EXPECT_GT(row.optimizer, 0) << row.name;
                    EXPECT_EQ(row.shared > 0, !oneByOne) << row.name;
                }
            }
            EXPECT_EQ(blocks, 12);
        }
    }
}

TEST(Layers, WhereKernelsAreMissingNoPlanIsSetAgainstTheTimes) {
    RunByHand damaged = twelveBlocks(4);
    damaged.info.insert(damaged.info.end(), {{"missing.any", "yes"}, {"missing.kernels", "5 of 77"}});
    SyntheticOptions launching;
    launching.config.device = "cuda:0";
    for (const auto& run : {damaged.snapshot(), makeSyntheticRun(launching)}) {
        const Layers layers = layersOf(*run, {});
        EXPECT_THAT(layers.unplanned, HasSubstr("FLOPs and bytes moved are not stated: "));
        EXPECT_FALSE(layers.rates);
        EXPECT_GT(layers.time(), 0);
        for (const LayerRow& row : layers.rows) {
            EXPECT_EQ(row.flops().value, 0) << row.name;
            EXPECT_EQ(row.moved.value, 0) << row.name;
            EXPECT_FALSE(row.standsOut()) << row.name;
        }
        const AttentionParts parts = attentionParts(*run);
        EXPECT_EQ(parts.unplanned, layers.unplanned);
        EXPECT_FALSE(parts.rates);
        EXPECT_EQ(parts.flops(PlanPhase::kForward).value, 0);
    }
    EXPECT_THAT(layersOf(*damaged.snapshot(), {}).unplanned, HasSubstr("5 of 77 kernels missing"));
    const auto whole = twelveBlocks(4).snapshot();
    EXPECT_EQ(layersOf(*whole, {}).unplanned, "");
    EXPECT_GT(rowOf(layersOf(*whole, {}), "blocks.4").flops().value, 0);
}

TEST(Layers, TheRateIsOfThePassesWithoutTheOptimizer) {
    LayerRow row;
    EXPECT_EQ(row.passesFlopsPerSecond(), 0);
    row.optimizer = 5e6;
    row.optimizerFlops = Flops(1'000);
    EXPECT_EQ(row.passesFlopsPerSecond(), 0) << "it has none but the optimizer";
    row.forward = 1e6;
    row.backward = 3e6;
    row.forwardFlops = Flops(2'000'000);
    row.backwardFlops = Flops(4'000'000);
    EXPECT_DOUBLE_EQ(row.passesFlopsPerSecond(), 1.5e9);
}

TEST(Layers, SharesBesideTheOptimizersAreThoseOfFusedKernels) {
    EXPECT_FALSE(layersOf(*openSampleRun("xl-bf16-step"), {}).sharesBesideOptimizer());
    EXPECT_TRUE(layersOf(*openSampleRun("small-bf16-fused"), {}).sharesBesideOptimizer());
}

TEST(Layers, AnUpdateOfOneModuleIsThatModules) {
    RunByHand run = twelveBlocks(4);
    run.add(kMs, {.phase = Phase::kOptimizer, .module = "blocks.0.ffn.w1", .op = "aten::_fused_adamw_"});
    const auto updates = [](const Layers& layers, const char* name) {
        for (const LayerRow& row : layers.rows) {
            if (row.name == name)
                return row.optimizerFlops.value;
        }
        return std::int64_t{0};
    };
    const Layers alone = layersOf(*run.snapshot(), {});
    EXPECT_GT(updates(alone, "blocks.0"), 0);
    EXPECT_EQ(updates(alone, "rest"), 0);
    // One of all of them, besides, is split, and one by an op that no AdamW of ours calls is not.
    run.add(2 * kMs, {.phase = Phase::kOptimizer, .module = "", .op = "aten::_fused_adamw_"});
    const Layers both = layersOf(*run.snapshot(), {});
    EXPECT_EQ(updates(both, "blocks.0"), updates(alone, "blocks.0"));
    EXPECT_GT(rowOf(both, "blocks.0").optimizer, rowOf(both, "blocks.1").optimizer);
    EXPECT_EQ(updates(both, "rest"), 0);
    run.kernels.back().op = "another::adamw";
    const Layers unknown = layersOf(*run.snapshot(), {});
    EXPECT_DOUBLE_EQ(rowOf(unknown, "rest").optimizer, 2 * kMs);
    EXPECT_GT(updates(unknown, "rest"), 0);
    EXPECT_LT(updates(unknown, "blocks.0"), updates(alone, "blocks.0")) << "of w1 only";
    EXPECT_EQ(updates(unknown, "blocks.1"), 0);
    EXPECT_TRUE(unknown.splits.empty());
    std::int64_t flops = 0;
    for (const LayerRow& row : both.rows)
        flops += row.flops().value;
    EXPECT_EQ(flops, countFlops(*configOfRun(*run.snapshot())).total().value);
}

TEST(Layers, OfARealRunAddUp) {
    const auto run = openSampleRun("small-bf16-naive");
    const MemoryTimeline memory = timelineOf(run);
    const Layers layers = layersOf(*run, {memory.aliveAt(memory.peak()->time), &memory});
    ASSERT_EQ(layers.rows.size(), 17u);
    EXPECT_EQ(layers.rows.front().name, "token_embeddings");
    EXPECT_EQ(layers.rows[11].name, "blocks.10") << "by number, not by text";
    EXPECT_EQ(layers.rows.back().name, "rest");
    std::int64_t bytes = 0;
    for (const LayerRow& row : layers.rows)
        bytes += row.memory().value;
    EXPECT_EQ(bytes, sumOf(memory.peak()->bytes)) << "memory adds up to the peak, to the byte";
}

TEST(Layers, OfNothingAreEmpty) {
    EXPECT_TRUE(layersOf(*traceOf(), {}).rows.empty());
}

}  // namespace warpglass::test::layers_test
