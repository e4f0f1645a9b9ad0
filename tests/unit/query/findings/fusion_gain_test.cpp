// What fused kernels are expected to gain, by the header's formulas, and which findings propose them.
#include "engine/query/findings/fusion_gain.h"

#include <gmock/gmock.h>

#include <cmath>

#include "engine/plan/memory_prediction.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parameters.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/kernel_gaps.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/logits_at_peak.h"
#include "engine/query/findings/memory_bound.h"
#include "engine/query/findings/optimizer_share.h"
#include "engine/query/findings/score_matrix_time.h"
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
    const struct {
        const char *module, *op;
        Phase phase;
    } work[] = {{"blocks.0.ffn.w1", "aten::mm", Phase::kForward},
                {"blocks.0.norm1", "aten::rms_norm", Phase::kForward},
                {"blocks.0", "aten::add", Phase::kForward},
                {"blocks.0.ffn", "aten::silu", Phase::kForward},
                {"blocks.0.attn", "aten::mul", Phase::kForward},
                {"", "aten::_log_softmax", Phase::kLoss},
                {"", "aten::nll_loss_backward", Phase::kBackward},
                {"token_embeddings", "aten::embedding", Phase::kForward},
                {"blocks.0.attn", "aten::_flash_attention_forward", Phase::kForward}};
    std::int64_t at = 0;
    for (const auto& [module, op, phase] : work) {
        const std::int64_t time = at == 0 ? 60 * kMs : 5 * kMs;
        RunByHand::Kernel kernel{at, at + time};
        kernel.module = module;
        kernel.op = op;
        kernel.phase = phase;
        run.kernels.push_back(kernel);
        at += time;
    }
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
    auto found = must(finding(findMemoryBound, run));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->setting, "kernels");
    EXPECT_EQ(found.trial->value, "fused");
    EXPECT_EQ(ownPartsText(found.trial->config), "fused");
    EXPECT_EQ(found.trial->before, 100.0 * kMs);
    EXPECT_NEAR(found.trial->expected, 100e6 - (30e6 - kNormNs - kSwigluNs - kRopeNs - kLossNs), 1);

    ASSERT_TRUE(takeOwnParts("norm+loss", run.config));
    found = must(finding(findMemoryBound, run));
    ASSERT_TRUE(found.trial);
    EXPECT_NEAR(found.trial->expected, 100e6 - (10e6 - kSwigluNs - kRopeNs), 1);

    ASSERT_TRUE(takeOwnParts("fused", run.config));
    found = must(finding(findMemoryBound, run));
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
    auto found = must(finding(findMemoryBound, run));
    EXPECT_FALSE(found.trial);
    run = movingMemory();
    run.kernels[0].begin = 40 * kMs;
    run.kernels[0].lead = 1;
    found = must(finding(findMemoryBound, run));
    EXPECT_FALSE(found.trial) << "40 ms were waited for launches";
}

TEST(CopiesAndCastsTrial, KeepsCopiesOfWeightsWhereTheirCastsAreATwentieth) {
    constexpr std::int64_t kWeight = 768ll * 3072;
    const auto casting = [](std::int64_t time) {
        RunByHand run;
        RunByHand::Kernel cast{0, time};
        cast.module = "blocks.3.ffn.w1";
        cast.op = "aten::copy_";
        cast.name = "vectorized_elementwise_kernel";
        cast.blocks = kWeight / 1024;
        run.kernels = {cast, {time, 100 * kMs}};
        return run;
    };
    const double weights =
        static_cast<double>(parameterCount(*presetShape("small"))) - kVocabulary * kWidth - 25 * kWidth;
    const double fused = 4 * weights / kBytesPerNs;
    auto found = must(finding(findCopiesAndCasts, casting(10 * kMs)));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->value, "casts");
    EXPECT_NEAR(found.trial->expected, 90e6 + fused, 1);
    EXPECT_TRUE(finding(findCopiesAndCasts, casting(5 * kMs + std::llround(fused) + 10))->trial);
    EXPECT_FALSE(finding(findCopiesAndCasts, casting(5 * kMs + std::llround(fused) - 10))->trial);
    RunByHand with = casting(10 * kMs);
    ASSERT_TRUE(takeOwnParts("norm", with.config));
    EXPECT_EQ(finding(findCopiesAndCasts, with)->trial->value, "norm+casts");
    ASSERT_TRUE(takeOwnParts("casts", with.config));
    EXPECT_FALSE(finding(findCopiesAndCasts, with)->trial);
}

TEST(OptimizerTrial, IsProposedWhereTheUpdateIsFarFromTheBandwidth) {
    const auto updating = [](std::int64_t time) {
        RunByHand run;
        run.kernels = {{0, 100 * kMs - time}, {100 * kMs - time, 100 * kMs}};
        run.kernels[1].phase = Phase::kOptimizer;
        run.kernels[1].op = "aten::_fused_adamw_";
        return finding(findOptimizerTime, run);
    };
    const double fused = 28.0 * static_cast<double>(parameterCount(*presetShape("small"))) / kBytesPerNs;
    const auto found = must(updating(20 * kMs));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->value, "optimizer");
    EXPECT_NEAR(found.trial->expected, 80e6 + fused, 1);
}

TEST(ScoreMatrixTimeTrial, InFp32FusesTheSoftmax) {
    RunByHand run;
    run.config.precision = Precision::kFp32;
    run.config.attention = AttentionVariant::kNaive;
    run.kernels = {{0, 10 * kMs}, {10 * kMs, 20 * kMs}, {20 * kMs, 50 * kMs}, {50 * kMs, 100 * kMs}};
    const char* const parts[] = {"scores", "scores", "softmax", "values"};
    const char* const ops[] = {"aten::bmm", "aten::add_", "aten::_softmax", "aten::bmm"};
    for (std::size_t i = 0; i < run.kernels.size(); ++i) {
        run.kernels[i].module = "blocks.0.attn";
        run.kernels[i].part = parts[i];
        run.kernels[i].op = ops[i];
    }
    const double fused = kLayers * kTokens * 512 * kHeads * 4 * (2 + 3) / kBytesPerNs;
    auto found = must(finding(findScoreMatrixTime, run));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->value, "softmax");
    EXPECT_NEAR(found.trial->expected, 60e6 + fused, 1);
    run.config.precision = Precision::kBf16;
    found = must(finding(findScoreMatrixTime, run));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->setting, "attention") << "flash attention gains more";
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
    auto found = must(finding(findLogitsAtPeak, run));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->metric, TrialMetric::kPeakMemory);
    EXPECT_EQ(found.trial->value, "loss");
    EXPECT_EQ(found.trial->expected, static_cast<double>(peak) - gain);
    run.config = changed;
    found = must(finding(findLogitsAtPeak, run));
    EXPECT_FALSE(found.trial);
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
