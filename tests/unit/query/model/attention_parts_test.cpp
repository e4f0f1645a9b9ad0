#include "engine/query/model/attention_parts.h"

#include <gmock/gmock.h>

#include <map>

#include "engine/plan/flops.h"
#include "engine/query/model/plan_of_run.h"
#include "tests/support/sample_run.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::attention_parts_test {

using Part = AttentionPart;

const AttentionPartRow* find(const AttentionParts& parts, PlanPhase phase, Part part) {
    for (const AttentionPartRow& row : parts.rows) {
        if (row.phase == phase && row.part == part)
            return &row;
    }
    return nullptr;
}

AttentionParts ofSample(const char* name) {
    return attentionParts(*openSampleRun(name));
}

TEST(AttentionParts, OfNaiveAttentionAreItsRanges) {
    RunByHand run;
    run.config.attention = AttentionVariant::kNaive;
    run.stepLengths = {20 * kMs, 20 * kMs, 20 * kMs};
    run.add(1 * kMs, {.module = "blocks.0.attn.q_proj"});
    run.add(2 * kMs, {.module = "blocks.3.attn.v_proj"});
    run.add(3 * kMs, {.module = "blocks.0.attn", .part = "scores", .op = "aten::bmm"});
    run.add(1 * kMs, {.module = "blocks.0.attn", .part = "scores", .op = "aten::add_"});
    run.add(1 * kMs, {.module = "blocks.0.attn", .part = "softmax", .op = "aten::_softmax"});
    run.add(1 * kMs, {.module = "blocks.0.attn", .op = "aten::mul"});
    run.add(1 * kMs, {.module = "blocks.0.attn.output_proj"});
    run.add(1 * kMs, {.module = "blocks.0.ffn"});
    run.add(5 * kMs,
            {.phase = Phase::kBackward, .module = "blocks.0.attn", .part = "values", .op = "aten::bmm"});
    const auto snapshot = run.snapshot();
    const AttentionParts parts = attentionParts(*snapshot);
    ASSERT_EQ(parts.rows.size(), 6u);
    EXPECT_DOUBLE_EQ(parts.allTime, 16 * kMs);
    EXPECT_DOUBLE_EQ(parts.time(PlanPhase::kForward), 10 * kMs) << "without the feed-forward network";
    EXPECT_DOUBLE_EQ(find(parts, PlanPhase::kForward, Part::kProjections)->time, 3 * kMs);
    const AttentionPartRow& scores = *find(parts, PlanPhase::kForward, Part::kScores);
    EXPECT_DOUBLE_EQ(scores.time, 4 * kMs);
    EXPECT_DOUBLE_EQ(scores.productTime, 3 * kMs) << "the mask is no product";
    EXPECT_TRUE(parts.isOnScoreMatrix(Part::kScores));
    EXPECT_TRUE(parts.isOnScoreMatrix(Part::kSoftmax));
    EXPECT_FALSE(parts.isOnScoreMatrix(Part::kRotation));
    EXPECT_FALSE(ofSample("small-bf16-flash").isOnScoreMatrix(Part::kFused)) << "none is stored";
    EXPECT_DOUBLE_EQ(scores.timeShare, 0.4);
    EXPECT_DOUBLE_EQ(scores.instances, 2) << "of one step, as the time is";
    EXPECT_DOUBLE_EQ(find(parts, PlanPhase::kForward, Part::kRotation)->time, 1 * kMs);
    EXPECT_DOUBLE_EQ(find(parts, PlanPhase::kBackward, Part::kValues)->timeShare, 1);
    EXPECT_EQ(find(parts, PlanPhase::kBackward, Part::kScores), nullptr) << "nothing of it was recorded";

    std::int64_t planned = 0;
    for (const FlopsEntry& entry : countFlops(*configOfRun(*snapshot)).entries) {
        if (entry.phase == PlanPhase::kForward && entry.part == "scores")
            planned += entry.matmul.value + entry.elementwise.value;
    }
    EXPECT_EQ(scores.flops.value, planned);
    double shares = 0;
    for (const AttentionPartRow& row : parts.rows)
        shares += row.phase == PlanPhase::kForward ? row.flopsShare : 0;
    EXPECT_NEAR(shares, 1, 1e-12);
}

TEST(AttentionParts, OfARealRunHoldAllOfAttentionsArithmetic) {
    for (const char* name : {"small-bf16-naive", "small-bf16-flash", "small-fp32-naive"}) {
        SCOPED_TRACE(name);
        const auto run = openSampleRun(name);
        const AttentionParts parts = attentionParts(*run);
        for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
            std::int64_t planned = 0;
            for (const FlopsEntry& entry : countFlops(*configOfRun(*run)).entries) {
                if (entry.phase == phase && entry.module.find(".attn") != std::string::npos)
                    planned += entry.matmul.value + entry.elementwise.value;
            }
            EXPECT_EQ(parts.flops(phase).value, planned);
            EXPECT_GT(parts.time(phase), 0);
            EXPECT_LT(parts.time(phase), parts.allTime);
        }
        EXPECT_FALSE(parts.note.empty());
    }
}

TEST(AttentionParts, OfFusedAttentionAreOneKernel) {
    const AttentionParts parts = ofSample("small-bf16-flash");
    for (const PlanPhase phase : {PlanPhase::kForward, PlanPhase::kBackward}) {
        ASSERT_NE(find(parts, phase, Part::kFused), nullptr);
        for (const Part none : {Part::kScores, Part::kSoftmax, Part::kValues, Part::kProducts})
            EXPECT_EQ(find(parts, phase, none), nullptr);
        const AttentionPartRow& fused = *find(parts, phase, Part::kFused);
        EXPECT_DOUBLE_EQ(fused.productTime, fused.time);
        EXPECT_GT(fused.matmulFlops.value, 0);
        EXPECT_GT(fused.moved.value, 0);
    }
    EXPECT_THAT(parts.note, testing::HasSubstr("one fused kernel"));
}

TEST(AttentionParts, OfLibTorchsPlainAttentionAreToldByTheirOps) {
    RunByHand run;
    run.config.attention = AttentionVariant::kSdpaMath;
    run.stepLengths = {20 * kMs, 20 * kMs};
    run.kernels = {{.begin = 1 * kMs, .end = 3 * kMs, .module = "blocks.0.attn", .op = "aten::bmm"},
                   {.begin = 3 * kMs, .end = 4 * kMs, .module = "blocks.0.attn", .op = "aten::_softmax"},
                   {.begin = 4 * kMs, .end = 7 * kMs, .module = "blocks.0.attn", .op = "aten::mul"}};
    const AttentionParts parts = attentionParts(*run.snapshot());
    ASSERT_EQ(parts.rows.size(), 3u);
    EXPECT_DOUBLE_EQ(find(parts, PlanPhase::kForward, Part::kProducts)->time, 2 * kMs);
    EXPECT_DOUBLE_EQ(find(parts, PlanPhase::kForward, Part::kSoftmax)->time, 1 * kMs);
    EXPECT_DOUBLE_EQ(find(parts, PlanPhase::kForward, Part::kRotation)->time, 3 * kMs);
    EXPECT_GT(find(parts, PlanPhase::kForward, Part::kProducts)->flops.value,
              find(parts, PlanPhase::kForward, Part::kSoftmax)->flops.value);
}

TEST(AttentionParts, WithoutAConfigurationHaveTimesOnly) {
    const RandomRun run({.seed = 4});
    const AttentionParts parts = attentionParts(*run.snapshot());
    std::map<Part, double> expected;
    for (const NaiveSpan& span : allSpans(*run.snapshot())) {
        if (span.kind != TrackKind::kCpuThread || span.row.step < 2 || span.place.phase != Phase::kForward ||
            !span.module.ends_with(".attn"))
            continue;
        const std::string_view part = run.snapshot()->name(span.place.part);
        if (part == "scores" || part == "softmax" || part == "values")
            expected[part == "scores"    ? Part::kScores
                     : part == "softmax" ? Part::kSoftmax
                                         : Part::kValues] += static_cast<double>(span.row.self) / 4;
    }
    for (const auto& [part, time] : expected)
        EXPECT_NEAR(find(parts, PlanPhase::kForward, part)->time, time, 1e-3);
    EXPECT_EQ(parts.flops(PlanPhase::kForward), Flops(0));
    EXPECT_FALSE(parts.variant);
    EXPECT_EQ(parts.note, "This run states no configuration: its arithmetic is not known.");
}

}  // namespace warpglass::test::attention_parts_test
