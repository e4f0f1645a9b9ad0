// What fused kernels are expected to gain, by the header's formulas, and which findings propose them.
#include "engine/query/findings/fusion_gain.h"

#include <gmock/gmock.h>

#include <cmath>

#include "engine/plan/memory_prediction.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parameters.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/rules.h"
#include "tests/support/must.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::fusion_gain_test {

using testing::HasSubstr;

/// Half of an H200's 4.8 TB/s.
constexpr double kBytesPerNs = 0.5 * 4800;
// The sizes of small with batch 4 and context 512.
constexpr double kTokens = 4 * 512, kWidth = 768, kHidden = 3072, kLayers = 12, kVocabulary = 10000,
                 kHeads = 12;

constexpr double kNormNs = (2 * kLayers + 1) * kTokens * kWidth * (12 + 16) / kBytesPerNs;
constexpr double kSwigluNs = kLayers * kTokens * kHidden * 2 * (3 + 5) / kBytesPerNs;
constexpr double kRopeNs = kLayers * kTokens * kWidth * 2 * (4 + 4) / kBytesPerNs;
constexpr double kLossNs = kTokens * kVocabulary * 2 * (1 + 2) / kBytesPerNs;

/// A step of a graph in bf16: products, and a kernel of each part of 5 ms.
RunByHand movingMemory() {
    RunByHand run;
    run.config.execution = Execution::kGraph;
    run.add(60 * kMs, {.module = "blocks.0.ffn.w1"});
    run.add(5 * kMs, {.module = "blocks.0.norm1", .op = "aten::rms_norm"});
    run.add(5 * kMs, {.module = "blocks.0", .op = "aten::add"});
    run.add(5 * kMs, {.module = "blocks.0.ffn", .op = "aten::silu"});
    run.add(5 * kMs, {.module = "blocks.0.attn", .op = "aten::mul"});
    run.add(5 * kMs, {.phase = Phase::kLoss, .module = "", .op = "aten::_log_softmax"});
    run.add(5 * kMs, {.phase = Phase::kBackward, .module = "", .op = "aten::nll_loss_backward"});
    run.add(5 * kMs, {.module = "token_embeddings", .op = "aten::embedding"});
    run.add(5 * kMs, {.module = "blocks.0.attn", .op = "aten::_flash_attention_forward"});
    return run;
}

double gainOf(const RunByHand& run, std::string_view part) {
    return fusionGain(RunFacts(run.timeline()), part);
}

TEST(FusionGain, IsTheTimeBeyondTheLeastBytesAtHalfTheBandwidth) {
    const RunByHand run = movingMemory();
    EXPECT_NEAR(gainOf(run, "norm"), 10e6 - kNormNs, 1);
    EXPECT_NEAR(gainOf(run, "swiglu"), 5e6 - kSwigluNs, 1);
    EXPECT_NEAR(gainOf(run, "rope"), 5e6 - kRopeNs, 1);
    EXPECT_NEAR(gainOf(run, "loss"), 10e6 - kLossNs, 1);
    EXPECT_EQ(gainOf(run, "softmax"), 0) << "flash attention has none";
    EXPECT_EQ(gainOf(run, "casts"), 0) << "none were recorded";
    EXPECT_EQ(gainOf(run, "optimizer"), 0);
    EXPECT_EQ(gainOf(run, "no part"), 0);
}

TEST(FusionGain, OfAForwardPassCountsNothingBackward) {
    RunByHand run = movingMemory();
    run.config.mode = Mode::kForward;
    EXPECT_NEAR(gainOf(run, "norm"), 10e6 - kNormNs * 12 / 28, 1);
    EXPECT_NEAR(gainOf(run, "swiglu"), 5e6 - kSwigluNs * 3 / 8, 1);
}

TEST(FusionGain, OfNormsHasTheCastsOfWhatProductsRead) {
    RunByHand run = movingMemory();
    run.kernels[1].op = "aten::copy_";
    run.kernels[1].module = "blocks.0.attn.q_proj";
    EXPECT_NEAR(gainOf(run, "norm"), 10e6 - kNormNs, 1);
    run.kernels[1].module = "blocks.0.attn";
    EXPECT_NEAR(gainOf(run, "norm"), 5e6 - kNormNs, 1) << "what attention copies stays";
}

TEST(FusionGain, IsNoneWhereItIsFusedOrIdleOrNothingIsKnown) {
    RunByHand run = movingMemory();
    ASSERT_TRUE(takeOwnParts("norm", run.config));
    EXPECT_EQ(gainOf(run, "norm"), 0);
    EXPECT_GT(gainOf(run, "swiglu"), 0);
    run = movingMemory();
    run.info[0].second = "Some GPU";
    EXPECT_EQ(gainOf(run, "norm"), 0) << "whose bandwidth is not known";
    run = movingMemory();
    run.config.device = "cpu";
    EXPECT_EQ(gainOf(run, "norm"), 0);
}

TEST(MemoryBoundTrial, FusesAllAndExpectsTheSumOfTheGains) {
    RunByHand run = movingMemory();
    const Trial trial = must(must(finding(findMemoryBound, run)).trial);
    EXPECT_EQ(trial.setting, "kernels");
    EXPECT_EQ(trial.value, "fused");
    EXPECT_EQ(ownPartsText(trial.config), "fused");
    EXPECT_EQ(trial.before, 100.0 * kMs);
    EXPECT_NEAR(trial.expected, 100e6 - (30e6 - kNormNs - kSwigluNs - kRopeNs - kLossNs), 1);
    ASSERT_TRUE(takeOwnParts("norm+loss", run.config));
    EXPECT_NEAR(must(must(finding(findMemoryBound, run)).trial).expected,
                100e6 - (10e6 - kSwigluNs - kRopeNs), 1);
    ASSERT_TRUE(takeOwnParts("fused", run.config));
    const auto found = must(finding(findMemoryBound, run));
    EXPECT_FALSE(found.trial) << "it ran with them";
    EXPECT_THAT(found.remedy, testing::StartsWith("The fused kernels already read"));
}

TEST(MemoryBoundTrial, IsNoneWhereTheGainIsSmallOrTheStepWaitsForLaunches) {
    RunByHand run = movingMemory();
    run.kernels[4].op = "aten::mm";
    run.kernels[5].op = run.kernels[6].op = "aten::embedding";
    run.kernels[5].phase = run.kernels[6].phase = Phase::kForward;
    for (const std::size_t i : {1, 2})
        run.kernels[i].module = "token_embeddings";
    // 5 ms of swiglu are left, of which its bytes take half a millisecond: less than a twentieth of the step.
    EXPECT_FALSE(must(finding(findMemoryBound, run)).trial);
    run = movingMemory();
    run.kernels[0].begin = 40 * kMs;
    run.kernels[0].lead = 1;
    EXPECT_FALSE(must(finding(findMemoryBound, run)).trial) << "40 ms were waited for launches";
}

TEST(CopiesAndCastsTrial, KeepsCopiesOfWeightsWhereTheirCastsAreATwentieth) {
    constexpr std::int64_t kWeight = 768ll * 3072;
    const auto casting = [](std::int64_t time) {
        return beginningWith(time, {.module = "blocks.3.ffn.w1",
                                    .op = "aten::copy_",
                                    .name = "vectorized_elementwise_kernel",
                                    .blocks = kWeight / 1024});
    };
    const double weights =
        static_cast<double>(parameterCount(*presetShape("small"))) - kVocabulary * kWidth - 25 * kWidth;
    const double fused = 4 * weights / kBytesPerNs;
    const Trial trial = must(must(finding(findCopiesAndCasts, casting(10 * kMs))).trial);
    EXPECT_EQ(trial.value, "casts");
    EXPECT_NEAR(trial.expected, 90e6 + fused, 1);
    EXPECT_TRUE(finding(findCopiesAndCasts, casting(5 * kMs + std::llround(fused) + 10))->trial);
    EXPECT_FALSE(finding(findCopiesAndCasts, casting(5 * kMs + std::llround(fused) - 10))->trial);
    RunByHand with = casting(10 * kMs);
    ASSERT_TRUE(takeOwnParts("norm", with.config));
    EXPECT_EQ(finding(findCopiesAndCasts, with)->trial->value, "norm+casts");
    ASSERT_TRUE(takeOwnParts("casts", with.config));
    EXPECT_FALSE(finding(findCopiesAndCasts, with)->trial);
}

TEST(OptimizerTrial, IsProposedWhereTheUpdateIsFarFromTheBandwidth) {
    const double fused = 28.0 * static_cast<double>(parameterCount(*presetShape("small"))) / kBytesPerNs;
    const RunByHand run = beginningWith(20 * kMs, {.phase = Phase::kOptimizer, .op = "aten::_fused_adamw_"});
    const Trial trial = must(must(finding(findOptimizerTime, run)).trial);
    EXPECT_EQ(trial.value, "optimizer");
    EXPECT_NEAR(trial.expected, 80e6 + fused, 1);
}

TEST(ScoreMatrixTimeTrial, InFp32FusesTheSoftmax) {
    RunByHand run;
    run.config.precision = Precision::kFp32;
    run.config.attention = AttentionVariant::kNaive;
    run.add(10 * kMs, {.module = "blocks.0.attn", .part = "scores", .op = "aten::bmm"});
    run.add(10 * kMs, {.module = "blocks.0.attn", .part = "scores", .op = "aten::add_"});
    run.add(30 * kMs, {.module = "blocks.0.attn", .part = "softmax", .op = "aten::_softmax"});
    run.add(50 * kMs, {.module = "blocks.0.attn", .part = "values", .op = "aten::bmm"});
    const double fused = kLayers * kTokens * 512 * kHeads * 4 * (2 + 3) / kBytesPerNs;
    Trial trial = must(must(finding(findScoreMatrixTime, run)).trial);
    EXPECT_EQ(trial.value, "softmax");
    EXPECT_NEAR(trial.expected, 60e6 + fused, 1);
    run.config.precision = Precision::kBf16;
    trial = must(must(finding(findScoreMatrixTime, run)).trial);
    EXPECT_EQ(trial.setting, "attention") << "flash attention gains more";
    run.config.precision = Precision::kFp32;
    ASSERT_TRUE(takeOwnParts("softmax", run.config));
    EXPECT_FALSE(finding(findScoreMatrixTime, run)->trial);
}

TEST(LogitsAtPeakTrial, FusesTheLossAndExpectsThePredictedDifference) {
    RunByHand run;
    run.fillStep();
    RunConfig changed = run.config;
    ASSERT_TRUE(takeOwnParts("loss", changed));
    const double gain =
        static_cast<double>((predictMemory(run.config).given - predictMemory(changed).given).value);
    ASSERT_GT(gain, 0);
    const auto peak = static_cast<std::int64_t>(gain * 10);
    const std::int64_t logits = 4ll * 512 * 10000 * 4;
    run.allocations = {
        {120 * kMs, 130 * kMs, logits, Category::kTemporaries, "", "", "aten::_log_softmax", 3},
        {kMs, 250 * kMs, peak - 3 * logits, Category::kWeights, "token_embeddings"}};
    const Trial trial = must(must(finding(findLogitsAtPeak, run)).trial);
    EXPECT_EQ(trial.metric, TrialMetric::kPeakMemory);
    EXPECT_EQ(trial.value, "loss");
    EXPECT_EQ(trial.expected, static_cast<double>(peak) - gain);
    run.config = changed;
    EXPECT_FALSE(must(finding(findLogitsAtPeak, run)).trial);
}

TEST(FewerLaunches, AreNamedWhereKernelsCanBeFused) {
    RunByHand run;
    run.kernels = {{40 * kMs, 100 * kMs}};
    EXPECT_THAT(finding(findLaunchBound, run)->remedy, HasSubstr("Fused kernels need fewer launches"));
    EXPECT_EQ(finding(findLaunchBound, run)->trial->setting, "execution");
    ASSERT_TRUE(takeOwnParts("fused", run.config));
    EXPECT_THAT(finding(findLaunchBound, run)->remedy, testing::Not(HasSubstr("Fused")));
    run = {};
    run.kernels = {{0, 50 * kMs}, {60 * kMs, 100 * kMs, 20 * kMs}};
    EXPECT_THAT(finding(findKernelGaps, run)->remedy, HasSubstr("as fused ones are"));
}

}  // namespace warpglass::test::fusion_gain_test
