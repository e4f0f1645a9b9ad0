// Each rule about time fires at its threshold and not below it, with the cost that its header's formula has.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/flops.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/findings.h"
#include "engine/query/findings/first_step.h"
#include "engine/query/findings/kernel_gaps.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/memory_bound.h"
#include "engine/query/findings/occupancy.h"
#include "engine/query/findings/optimizer_share.h"
#include "engine/query/findings/score_matrix_time.h"
#include "engine/query/findings/slow_precision.h"
#include "engine/query/findings/synchronizations.h"
#include "engine/query/findings/weight_casts.h"
#include "engine/query/findings/weight_copies.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test {
namespace {

/// The GPU has nothing for the first `late` of each step, since its launch came so late.
RunByHand lateBy(std::int64_t late) {
    RunByHand run;
    run.kernels = {{late, 100 * kMs}};
    return run;
}

TEST(LaunchBound, AWordSaysWhatBoundsARun) {
    const auto words = [](const RunByHand& run) {
        const MemoryTimeline timeline = run.timeline();
        return boundInWords(RunFacts(timeline));
    };
    EXPECT_EQ(words(lateBy(40 * kMs)),
              "launch-bound (the GPU waits for the host for " + formatPercent(0.4) + " of a step)");
    EXPECT_EQ(words(lateBy(1 * kMs)),
              "GPU-bound (the GPU is busy for " + formatPercent(0.99) + " of a step)");
    EXPECT_EQ(words(RunByHand()), "");
}

TEST(LaunchBound, IsFoundFromATenthOfTheStepOn) {
    EXPECT_FALSE(finding(findLaunchBound, lateBy(10 * kMs - 1)));
    const auto found = finding(findLaunchBound, lateBy(10 * kMs));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 10.0 * kMs);
    EXPECT_DOUBLE_EQ(found->stepShare, 0.1);
    // The first of the averaged steps; the stretch is where it is to be seen.
    EXPECT_EQ(found->evidence.range, (TimeRange{Nanoseconds(100 * kMs), Nanoseconds(200 * kMs)}));
    EXPECT_EQ(found->evidence.visible, (TimeRange{Nanoseconds(100 * kMs), Nanoseconds(110 * kMs)}));
    ASSERT_TRUE(found->trial);
    EXPECT_EQ(found->trial->setting, "execution");
    EXPECT_EQ(found->trial->value, "graph");
    EXPECT_EQ(found->trial->before, 100.0 * kMs);
    EXPECT_EQ(found->trial->expected, 90.0 * kMs);
}

TEST(LaunchBound, AGraphHasNothingToTry) {
    RunByHand run = lateBy(50 * kMs);
    run.config.execution = Execution::kGraph;
    const auto found = finding(findLaunchBound, run);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->trial);
}

TEST(LaunchBound, AMeanWithTheFirstStepInItIsNotPromised) {
    RunByHand run = lateBy(50 * kMs);
    run.config.warmup = 0;
    run.config.steps = 3;
    const auto found = finding(findLaunchBound, run);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->trial) << "the other run's mean would have its first step in it";
}

TEST(LaunchBound, StatesTheMeanOfItsKernelsWithoutCopies) {
    RunByHand run;
    run.kernels = {{40 * kMs, 60 * kMs}, {60 * kMs, 70 * kMs}, {70 * kMs, 100 * kMs}};
    run.kernels[2].isCopy = true;
    const auto found = finding(findLaunchBound, run);
    ASSERT_TRUE(found);
    EXPECT_NE(found->sentence.find("2 kernels a step, which take 15.0\u202Fms each"), std::string::npos)
        << found->sentence;
}

TEST(LaunchBound, OfLostCallsIsNotKnown) {
    RunByHand run = lateBy(50 * kMs);
    EXPECT_TRUE(finding(findLaunchBound, run));
    run.info.emplace_back("missing.any", "yes");
    run.info.emplace_back("missing.waits", "1 of 3");
    EXPECT_TRUE(finding(findLaunchBound, run)) << "the calls tell when the host waited";
    run.info.emplace_back("missing.calls", "1 of 3");
    EXPECT_FALSE(finding(findLaunchBound, run));
}

TEST(KernelGaps, AreFoundFromATwentiethOfTheStepOn) {
    const auto gap = [](std::int64_t length) {
        RunByHand run;
        run.kernels = {{0, 50 * kMs}, {50 * kMs + length, 100 * kMs, 20 * kMs}};
        return finding(findKernelGaps, run);
    };
    EXPECT_FALSE(gap(5 * kMs - 1));
    const auto found = gap(5 * kMs);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 5.0 * kMs);
    EXPECT_EQ(found->evidence.visible, (TimeRange{Nanoseconds(150 * kMs), Nanoseconds(155 * kMs)}));
    EXPECT_FALSE(found->trial);
}

TEST(Synchronizations, AreFoundFromATwentiethOfTheStepOn) {
    const auto waiting = [](std::int64_t length) {
        RunByHand run;
        run.kernels = {{0, 50 * kMs}, {50 * kMs + length, 100 * kMs, 1}};
        run.waits = {{Nanoseconds(40 * kMs), Nanoseconds(50 * kMs + 1)}};
        return finding(findSynchronizations, run);
    };
    EXPECT_FALSE(waiting(5 * kMs - 1));
    const auto found = waiting(5 * kMs);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 5.0 * kMs);
}

TEST(FirstStep, CountsWhereTheMeanHasIt) {
    RunByHand run;
    run.config.warmup = 0;
    run.config.steps = 3;
    run.stepLengths = {149 * kMs, 100 * kMs, 100 * kMs};
    EXPECT_FALSE(finding(findFirstStep, run)) << "below half as long again it is chance";
    run.stepLengths[0] = 400 * kMs;
    const auto found = finding(findFirstStep, run);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 100.0 * kMs);
    EXPECT_DOUBLE_EQ(found->stepShare, 0.5);
    EXPECT_EQ(found->evidence.range, (TimeRange{Nanoseconds(0), Nanoseconds(400 * kMs)}));
    ASSERT_TRUE(found->trial);
    EXPECT_EQ(found->trial->setting, "warmup");
    EXPECT_EQ(found->trial->config.warmup, 1);
    EXPECT_EQ(found->trial->before, 200.0 * kMs);
    EXPECT_EQ(found->trial->expected, 100.0 * kMs);

    run.config.warmup = 1;
    run.config.steps = 2;
    EXPECT_FALSE(finding(findFirstStep, run)) << "a warm-up step has taken it out of the mean";
}

TEST(FirstStep, AfterAWarmUpTakesThreeStepsAndIsNotTheLibraries) {
    RunByHand run;
    run.config.warmup = 0;
    run.config.steps = 2;
    run.stepLengths = {400 * kMs, 100 * kMs};
    const auto cold = finding(findFirstStep, run);
    ASSERT_TRUE(cold);
    EXPECT_NE(cold->remedy.find("Libraries load"), std::string::npos) << cold->remedy;

    run.config.warmup = 1;
    run.stepLengths = {900 * kMs, 400 * kMs, 100 * kMs};
    EXPECT_FALSE(finding(findFirstStep, run)) << "of two either may be the one by chance";
    run.config.steps = 3;
    run.stepLengths.push_back(100 * kMs);
    const auto warm = finding(findFirstStep, run);
    ASSERT_TRUE(warm);
    EXPECT_EQ(warm->nsPerStep, 100.0 * kMs) << "the warm-up step is in no mean";
    EXPECT_EQ(warm->remedy.find("Libraries load"), std::string::npos) << warm->remedy;
    ASSERT_TRUE(warm->trial);
    EXPECT_EQ(warm->trial->config.warmup, 2);
}

TEST(FirstStep, InWhichTheHostWasBusySaysThatThisMayBeWhy) {
    RunByHand run;
    run.config.warmup = 1;
    run.config.steps = 3;
    run.stepLengths = {900 * kMs, 400 * kMs, 100 * kMs, 100 * kMs};
    // Waited half of the first measured step, and of no other.
    run.waited = {{0, 0}, {900 * kMs, 0}, {1300 * kMs, 200.0 * kMs}, {1500 * kMs, 200.0 * kMs}};
    auto found = finding(findFirstStep, run);
    ASSERT_TRUE(found);
    EXPECT_TRUE(
        found->sentence.ends_with(" The host was busy in it, which may be why: the run's thread waited "
                                  "for a core 50\u202F% of the time."))
        << found->sentence;
    EXPECT_EQ(found->remedy.find("outlasts"), std::string::npos) << found->remedy;
    EXPECT_FALSE(found->trial);
    // Elsewhere it explains nothing of this step.
    run.waited = {{0, 0}, {900 * kMs, 300.0 * kMs}, {1300 * kMs, 300.0 * kMs}, {1500 * kMs, 400.0 * kMs}};
    found = finding(findFirstStep, run);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->sentence.find("host"), std::string::npos) << found->sentence;
    EXPECT_TRUE(found->trial);
}

TEST(FirstStep, IsNotKnownWhereStepsAreLost) {
    RunByHand run;
    run.config.warmup = 0;
    run.config.steps = 4;
    run.stepLengths = {400 * kMs, 100 * kMs, 100 * kMs};
    EXPECT_TRUE(finding(findFirstStep, run));
    run.info = {{"missing.any", "yes"}, {"missing.steps", "1 of 4"}};
    EXPECT_FALSE(finding(findFirstStep, run));
}

TEST(FirstStep, AmongManyStepsIsNothing) {
    RunByHand run;
    run.config.warmup = 0;
    run.config.steps = 40;
    run.stepLengths.assign(40, 100 * kMs);
    run.stepLengths[0] = 299 * kMs;  // 4.97 % of the mean
    EXPECT_FALSE(finding(findFirstStep, run));
    run.stepLengths[0] = 301 * kMs;
    EXPECT_TRUE(finding(findFirstStep, run));
}

/// Naive attention takes so much of each step, a GEMM the rest.
RunByHand attention(std::int64_t time) {
    RunByHand run;
    run.config.attention = AttentionVariant::kNaive;
    RunByHand::Kernel kernel;
    kernel.module = "blocks.3.attn";
    std::int64_t at = 0;
    for (const char* part : {"scores", "softmax", "values"}) {
        kernel.part = part;
        kernel.begin = at;
        at = part == std::string("values") ? time : at + time / 4;
        kernel.end = at;
        run.kernels.push_back(kernel);
    }
    kernel.module = "blocks.3.attn.q_proj";  // not the matrices'
    kernel.part.clear();
    kernel.begin = at;
    kernel.end = 100 * kMs;
    run.kernels.push_back(kernel);
    return run;
}

TEST(ScoreMatrixTime, IsFoundFromATenthOfTheStepOn) {
    EXPECT_FALSE(finding(findScoreMatrixTime, attention(10 * kMs - 1)));
    const auto found = finding(findScoreMatrixTime, attention(10 * kMs));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 10.0 * kMs);
    EXPECT_EQ(found->evidence.view, EvidenceView::kAttention);
    EXPECT_FALSE(found->evidence.range);
    ASSERT_TRUE(found->trial);
    EXPECT_EQ(found->trial->value, "sdpa-flash");
    RunConfig flash = attention(0).config;
    flash.attention = AttentionVariant::kSdpaFlash;
    double flops = 0;
    for (const FlopsEntry& entry : countFlops(flash).entries) {
        if (entry.part == "scores" || entry.part == "values")
            flops += static_cast<double>(entry.matmul.value);
    }
    EXPECT_NEAR(found->trial->expected, 90e6 + flops / (0.2 * 989.4e12) * 1e9, 1);
}

TEST(ScoreMatrixTime, PromisesNothingWhereTheHostIsTheLimit) {
    RunByHand run = attention(20 * kMs);
    run.hostTime = 99 * kMs;
    auto found = finding(findScoreMatrixTime, run);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->trial) << "the step takes 99 ms to launch";
    run.hostTime = 20 * kMs;
    run.kernels.back().end -= 15 * kMs;  // idle to the end, by the host
    found = finding(findScoreMatrixTime, run);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->trial);
    EXPECT_NE(found->remedy.find("waits for launches"), std::string::npos);
}

TEST(ScoreMatrixTime, WithoutOpsIsNothingSaidOfABackwardPassThatIsNotKnown) {
    RunByHand run = attention(50 * kMs);
    EXPECT_TRUE(finding(findScoreMatrixTime, run));
    run.config.recorded.set(Feature::kOps, false);
    EXPECT_FALSE(finding(findScoreMatrixTime, run));
}

TEST(ScoreMatrixTime, OfOtherVariantsIsNothingSaid) {
    RunByHand run = attention(50 * kMs);
    run.config.attention = AttentionVariant::kSdpaFlash;
    EXPECT_FALSE(finding(findScoreMatrixTime, run));
}

TEST(CopiesAndCasts, AreFoundFromATwentiethOfTheStepOn) {
    const auto copying = [](std::int64_t time) {
        RunByHand run;
        run.kernels = {{0, time}, {time, 100 * kMs}};
        run.kernels[0].op = "aten::copy_";
        return finding(findCopiesAndCasts, run);
    };
    EXPECT_FALSE(copying(5 * kMs - 1));
    const auto found = copying(5 * kMs);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 5.0 * kMs);
    EXPECT_EQ(found->evidence.view, EvidenceView::kKernels);
    EXPECT_EQ(found->evidence.names, "aten::copy_");
}

/// A cast in blocks.3.ffn.w1 of so many numbers, as LibTorch's vectorised copy covers them.
RunByHand::Kernel castOf(std::int64_t begin, std::int64_t end, std::int64_t numbers,
                         Phase phase = Phase::kForward) {
    RunByHand::Kernel kernel{begin, end};
    kernel.phase = phase;
    kernel.module = "blocks.3.ffn.w1";
    kernel.op = "aten::copy_";
    kernel.name = "vectorized_elementwise_kernel";
    kernel.blocks = static_cast<std::uint32_t>((numbers + 1023) / 1024);
    return kernel;
}

TEST(CopiesAndCasts, SayWhatOfThemCastsWeightsAndWhatTheCopiesFill) {
    constexpr std::int64_t kWeight = 768ll * 3072, kInput = 4ll * 512 * 768;
    RunByHand run;
    run.kernels = {castOf(0, 4 * kMs, kWeight),
                   castOf(4 * kMs, 10 * kMs, kInput),
                   castOf(10 * kMs, 13 * kMs, kWeight, Phase::kBackward),
                   {13 * kMs, 100 * kMs}};
    run.allocations = {{120 * kMs, 130 * kMs, 2 * kWeight, Category::kActivations, "blocks.3.ffn.w1"},
                       {kMs, 250 * kMs, 18 * kWeight, Category::kWeights, "token_embeddings"}};
    auto found = finding(findCopiesAndCasts, run);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 13.0 * kMs);
    EXPECT_EQ(found->bytes, Bytes(2 * kWeight));
    EXPECT_DOUBLE_EQ(found->peakShare, 0.1);
    EXPECT_NE(found->sentence.find(
                  "; 7.00\u202Fms of these go into casting weights to bf16 and their gradients back, anew in "
                  "every step, and the copies of 1 weight fill"),
              std::string::npos)
        << found->sentence;
    EXPECT_FALSE(finding(findWeightCopies, run)) << "it is one cause";

    // In a forward pass there are no gradients; below a twentieth of the peak the copies are not told of.
    run.kernels[2].phase = Phase::kForward;
    run.kernels[2].module = "blocks.4.ffn.w1";
    run.allocations[1].bytes = 40 * kWeight;
    found = finding(findCopiesAndCasts, run);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->bytes, Bytes(0));
    EXPECT_TRUE(found->sentence.ends_with(
        "; 7.00\u202Fms of these go into casting weights to bf16, anew in every step."))
        << found->sentence;

    // Without the casts the copies are a finding of their own.
    run.allocations[1].bytes = 18 * kWeight;
    run.kernels = {{0, 100 * kMs}};
    EXPECT_FALSE(finding(findCopiesAndCasts, run));
    EXPECT_TRUE(finding(findWeightCopies, run));
}

TEST(CopiesAndCasts, OfAModuleWhoseInputIsAsLargeAsItsWeightCountOnce) {
    constexpr std::int64_t kWeight = 768ll * 3072;
    RunByHand run;
    run.config.batch = 6;
    run.config.context = 512;  // 3,072 tokens
    run.kernels = {castOf(0, 6 * kMs, kWeight), castOf(6 * kMs, 10 * kMs, kWeight), {10 * kMs, 100 * kMs}};
    const auto found = finding(findCopiesAndCasts, run);
    ASSERT_TRUE(found);
    EXPECT_NE(found->sentence.find("; 5.00\u202Fms of these go into casting weights"), std::string::npos)
        << "half of both: " << found->sentence;
}

// A module's weight and its input may be as large, and be cast by other kernels and in other parts of it.
TEST(WeightCasts, AreOneOfAModuleAndPassAsARecountSays) {
    constexpr std::int64_t kWeight = 768ll * 3072, kOther = 100'000;
    std::mt19937_64 random(11);
    for (int round = 0; round < 200; ++round) {
        RunByHand run;
        run.config.batch = 4;  // 2,048 tokens: neither inputs nor outputs have a weight's size
        std::map<std::pair<std::string, Phase>, std::pair<double, int>> byPlace;
        std::int64_t at = 0;
        for (std::uint64_t count = 1 + random() % 12; count > 0; --count) {
            const bool isVectorized = random() % 2 == 0;
            const std::int64_t numbers = random() % 4 == 0 ? kOther : kWeight;
            const auto time = static_cast<std::int64_t>(1 + random() % 1000) * kUs;
            RunByHand::Kernel kernel{at, at + time};
            kernel.phase = random() % 2 == 0 ? Phase::kForward : Phase::kBackward;
            kernel.module = random() % 2 == 0 ? "blocks.3.ffn.w1" : "blocks.5.ffn.w2";
            kernel.part = random() % 3 == 0 ? "projection" : "";
            kernel.op = "aten::copy_";
            kernel.name = isVectorized ? "vectorized_elementwise_kernel" : "unrolled_elementwise_kernel";
            const std::int64_t ofBlock = isVectorized ? 1024 : 512;  // 128 threads
            kernel.blocks = static_cast<std::uint32_t>((numbers + ofBlock - 1) / ofBlock);
            run.kernels.push_back(kernel);
            at += time;
            if (numbers == kWeight) {
                auto& [sum, calls] = byPlace[{kernel.module, kernel.phase}];
                sum += static_cast<double>(time);
                ++calls;
            }
        }
        double expected = 0;
        for (const auto& [place, sum] : byPlace)
            expected += sum.first / sum.second;
        const MemoryTimeline timeline = run.timeline();
        EXPECT_NEAR(weightCasts(RunFacts(timeline)).time, expected, 1) << round;
    }
}

/// A step of a graph: products, and a kernel each of what moves memory.
RunByHand movingMemory() {
    RunByHand run;
    run.config.execution = Execution::kGraph;
    run.kernels = {{0, 60 * kMs},        {60 * kMs, 70 * kMs}, {70 * kMs, 78 * kMs}, {78 * kMs, 84 * kMs},
                   {84 * kMs, 96 * kMs}, {96 * kMs, 97 * kMs}, {97 * kMs, 100 * kMs}};
    const char* const ops[] = {"aten::mm",    "aten::mul",           "aten::_softmax",     "aten::add",
                               "aten::copy_", "aten::_fused_adamw_", "made_up::arithmetic"};
    for (std::size_t i = 0; i < run.kernels.size(); ++i)
        run.kernels[i].op = ops[i];
    return run;
}

TEST(MemoryBound, KernelsAreOneSumFromAQuarterOfTheStepOn) {
    RunByHand run = movingMemory();
    auto found = finding(findMemoryBound, run);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 37.0 * kMs);
    EXPECT_DOUBLE_EQ(found->stepShare, 0.37);
    EXPECT_TRUE(
        found->sentence.ends_with("took 37.0\u202Fms of GPU time a step, 37\u202F%, against 60.0\u202Fms, "
                                  "60\u202F%, of GEMMs "
                                  "and fused attention: elementwise ops 16.0\u202Fms, copies and casts "
                                  "12.0\u202Fms, norms, softmax and "
                                  "reductions 8.00\u202Fms, AdamW's update 1.00\u202Fms."))
        << found->sentence;
    EXPECT_EQ(found->remedy.find("graph"), std::string::npos) << "it is one";
    EXPECT_NE(found->remedy.find(" Its copies and casts are a finding of their own below."),
              std::string::npos)
        << found->remedy;
    run.config.execution = Execution::kEager;
    EXPECT_NE(finding(findMemoryBound, run)->remedy.find("a CUDA graph takes away launches alone"),
              std::string::npos);

    const auto withElementwise = [](std::int64_t time) {
        RunByHand simple;
        simple.kernels = {{0, time}, {time, 100 * kMs}};
        simple.kernels[0].op = "aten::mul";
        return finding(findMemoryBound, simple);
    };
    EXPECT_FALSE(withElementwise(25 * kMs - 1));
    EXPECT_TRUE(withElementwise(25 * kMs));
}

TEST(MemoryBound, OfALaunchBoundRunAreJudgedByTheGpusBusyTime) {
    // The GPU is busy for 40 ms of each step of 100.
    const auto withElementwise = [](std::int64_t time, std::int64_t busy = 40 * kMs) {
        RunByHand run;
        run.kernels = {{100 * kMs - busy, 100 * kMs - busy + time}, {100 * kMs - busy + time, 100 * kMs}};
        run.kernels[0].op = "aten::mul";
        return finding(findMemoryBound, run);
    };
    EXPECT_FALSE(withElementwise(10 * kMs - 1));
    const auto found = withElementwise(10 * kMs);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 10.0 * kMs);
    EXPECT_DOUBLE_EQ(found->stepShare, 0.1);
    EXPECT_TRUE(found->sentence.ends_with(
        "took 10.0\u202Fms of GPU time a step, 10\u202F% and 25\u202F% of the GPU's busy time, against "
        "30.0\u202Fms, 75\u202F% of it, of GEMMs and fused attention: elementwise ops "
        "10.0\u202Fms."))
        << found->sentence;
    EXPECT_NE(found->remedy.find("waits for launches"), std::string::npos) << found->remedy;
    EXPECT_EQ(withElementwise(30 * kMs)->sentence.find("busy time"), std::string::npos)
        << "it is of the step";
    EXPECT_FALSE(withElementwise(5 * kMs - 1, 10 * kMs)) << "less than a twentieth of the step";
}

TEST(MemoryBound, IsNotSaidWhereTheCopiesAndTheOptimizerAreAllOfIt) {
    RunByHand run = movingMemory();
    run.kernels[1].op = run.kernels[2].op = "aten::copy_";
    run.kernels[3].op = "aten::mm";
    EXPECT_FALSE(finding(findMemoryBound, run)) << "1 ms of the step is left";
    run.kernels[3].op = "aten::mul";
    EXPECT_TRUE(finding(findMemoryBound, run)) << "7 ms are left";
}

TEST(MemoryBound, ItsPartsSayThatTheyAreOfIt) {
    const auto partOf = [](const RunByHand& run, std::string_view rule) {
        for (const Finding& found : findIn(run.timeline())) {
            if (found.rule == rule)
                return found.partOf;
        }
        return std::string("not found");
    };
    RunByHand run = movingMemory();
    EXPECT_EQ(partOf(run, "memory-bound"), "");
    EXPECT_EQ(partOf(run, "copies-and-casts"), "memory-bound");
    run.kernels[1].op = run.kernels[2].op = run.kernels[3].op = "aten::mm";
    EXPECT_EQ(partOf(run, "copies-and-casts"), "");
}

TEST(OptimizerShare, OfTimeIsFoundFromATenthOfTheStepOn) {
    const auto updating = [](std::int64_t time) {
        RunByHand run;
        run.kernels = {{0, 100 * kMs - time}, {100 * kMs - time, 100 * kMs}};
        run.kernels[1].phase = Phase::kOptimizer;
        run.kernels[1].op = "aten::_fused_adamw_";
        return finding(findOptimizerTime, run);
    };
    EXPECT_FALSE(updating(10 * kMs - 1));
    const auto found = updating(10 * kMs);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->nsPerStep, 10.0 * kMs);
    // 28 bytes × 128.6 M parameters in 10 ms, of 4.8 TB/s.
    EXPECT_NE(found->sentence.find("7.5\u202F% of the data sheet's bandwidth"), std::string::npos)
        << found->sentence;
}

TEST(Occupancy, OfGridsSmallerThanTheGpuCostsWhatIsUnused) {
    const auto withBlocks = [](std::uint32_t blocks) {
        RunByHand run;
        run.kernels = {{0, 20 * kMs}, {20 * kMs, 100 * kMs}};
        run.kernels[0].blocks = blocks;
        run.kernels[0].name = "small_kernel";
        return finding(findOccupancy, run);
    };
    EXPECT_FALSE(withBlocks(100)) << "a quarter of a fifth of the step";
    const auto found = withBlocks(99);  // 1 − 99 / 132 of 20 %
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->nsPerStep, 5.0 * kMs, 1);
    EXPECT_EQ(found->evidence.names, "small_kernel");
    EXPECT_EQ(found->evidence.view, EvidenceView::kKernels);
}

TEST(Occupancy, NamesTheKernelThatCostsMostInAllItsShapes) {
    RunByHand run;
    run.kernels = {{0, 8 * kMs}, {8 * kMs, 16 * kMs}, {16 * kMs, 26 * kMs}, {26 * kMs, 100 * kMs}};
    run.kernels[0].name = run.kernels[1].name = "in_two_shapes";
    run.kernels[2].name = "in_one_shape";
    run.kernels[0].blocks = run.kernels[2].blocks = 33;
    run.kernels[1].blocks = 34;
    const auto found = finding(findOccupancy, run);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->sentence.ends_with(", in_two_shapes most.")) << found->sentence;
}

TEST(Occupancy, IsLowBelowAQuarterButForMatrixProducts) {
    const auto with = [](float occupancy, const char* op) {
        RunByHand run;
        run.kernels = {{0, 5 * kMs}, {5 * kMs, 100 * kMs}};
        run.kernels[0].occupancy = occupancy;
        run.kernels[0].op = op;
        return finding(findOccupancy, run);
    };
    EXPECT_TRUE(with(0.24F, "aten::_softmax"));
    EXPECT_FALSE(with(0.25F, "aten::_softmax"));
    EXPECT_FALSE(with(0.F, "aten::_softmax")) << "not known";
    EXPECT_FALSE(with(0.12F, "aten::mm"));
    EXPECT_TRUE(with(0.12F, "")) << "of no op that is known, and named for nothing";
    EXPECT_FALSE(with(0.12F, "aten::_flash_attention_forward"));
}

TEST(SlowPrecision, IsFoundFromThreeTenthsOfTheStepOn) {
    const auto multiplying = [](std::int64_t time, Precision precision = Precision::kFp32) {
        RunByHand run;
        run.config.precision = precision;
        run.config.attention = AttentionVariant::kNaive;
        run.kernels = {{0, time}, {time, 100 * kMs}};
        run.kernels[1].op = "aten::mul";
        return finding(findSlowPrecision, run);
    };
    EXPECT_FALSE(multiplying(30 * kMs - 1));
    const auto found = multiplying(30 * kMs);
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->trial);
    EXPECT_EQ(found->trial->value, "tf32");
    const RunConfig& config = found->trial->config;
    const double faster = static_cast<double>(countFlops(config).matmul().value) / (0.5 * 494.7e12) * 1e9;
    EXPECT_NEAR(found->trial->expected, 70e6 + faster, 1);
    EXPECT_NEAR(found->nsPerStep, 30e6 - faster, 1);
    EXPECT_FALSE(multiplying(60 * kMs, Precision::kTf32));
    EXPECT_FALSE(multiplying(60 * kMs, Precision::kBf16));
}

TEST(SlowPrecision, SaysWhatBf16WouldSaveByTheCeilingsAndProposesItWhereThatIsMuchMore) {
    const auto with = [](double tf32, double bf16, std::int64_t time = 80 * kMs) {
        RunByHand run;
        run.config.precision = Precision::kFp32;
        run.config.attention = AttentionVariant::kNaive;
        run.hostTime = kMs;
        run.kernels = {{0, time}, {time, 100 * kMs}};
        run.kernels[1].op = "aten::mul";
        run.info.insert(run.info.end(), {{"ceiling.measured", "2026-11-21T17:11:34Z"},
                                         {"ceiling.fp32_flops_per_second", "20000000000000"},
                                         {"ceiling.tf32_flops_per_second", std::to_string(tf32)},
                                         {"ceiling.bf16_flops_per_second", std::to_string(bf16)}});
        for (auto& [key, value] : run.info) {
            if (key.starts_with("ceiling.") && value.ends_with(".000000"))
                value.resize(value.size() - 7);
        }
        return finding(findSlowPrecision, run);
    };
    auto found = with(100e12, 400e12);
    ASSERT_TRUE(found && found->trial);
    const double flops = static_cast<double>(countFlops(found->trial->config).matmul().value);
    const auto step = [flops](double ceiling) {
        return formatDuration(Nanoseconds(std::llround(20e6 + 1e9 * flops / (0.5 * ceiling))));
    };
    EXPECT_NE(found->sentence.find(
                  "5.0\u202F× as high in tf32 and 20.0\u202F× in bf16: a step is expected to "
                  "take " +
                  step(100e12) + " in tf32, and " + step(400e12) + " in bf16 plus what its casts take."),
              std::string::npos)
        << found->sentence;
    const double saved = 1e9 * flops * (1 / (0.5 * 100e12) - 1 / (0.5 * 400e12));
    EXPECT_EQ(found->trial->value, saved >= 10.0 * kMs ? "bf16" : "tf32");
    ASSERT_GE(saved, 10.0 * kMs);
    EXPECT_NEAR(found->trial->expected, 20e6 + 1e9 * flops / (0.5 * 400e12), 1);
    found = with(380e12, 400e12);
    ASSERT_TRUE(found && found->trial);
    EXPECT_EQ(found->trial->value, "tf32") << "casts for little";
    found = with(25e12, 400e12);
    ASSERT_TRUE(found && found->trial);
    EXPECT_EQ(found->trial->value, "bf16") << "tf32 is hardly faster there";
    EXPECT_EQ(found->sentence.find("tf32"), std::string::npos) << found->sentence;
}

TEST(SlowPrecision, GainsNoMoreThanTheProductsAndNothingOfAStepThatWaits) {
    const auto idleFor = [](std::int64_t late) {
        RunByHand run = lateBy(late);
        run.config.precision = Precision::kFp32;
        run.config.attention = AttentionVariant::kNaive;
        run.hostTime = kMs;
        return finding(findSlowPrecision, run);
    };
    const auto found = idleFor(9 * kMs);
    ASSERT_TRUE(found && found->trial);
    const double faster =
        static_cast<double>(countFlops(found->trial->config).matmul().value) / (0.5 * 494.7e12) * 1e9;
    EXPECT_NEAR(found->trial->expected, 9.0 * kMs + faster, 1) << "what the GPU waited stays";
    EXPECT_FALSE(idleFor(10 * kMs));
}

/// The mean that is shown of a run has its very first step; the rules leave it out.
TEST(TimeRules, NameTheStepOfWhichTheyStateTheShareWhereItIsNotTheOneShown) {
    const auto sentence = [](auto rule, RunByHand run, std::int32_t warmup) {
        run.stepLengths = {300 * kMs, 100 * kMs, 100 * kMs};
        run.config.warmup = warmup;
        run.config.steps = 3 - warmup;
        const auto found = finding(rule, run);
        EXPECT_TRUE(found);
        return found ? found->sentence : std::string();
    };
    const auto expectNamed = [&](auto rule, const RunByHand& run, const std::string& share) {
        const std::string named = share + "\u202F% of each 100\u202Fms step after the first";
        const std::string withFirst = sentence(rule, run, 0), without = sentence(rule, run, 1);
        EXPECT_NE(withFirst.find(named), std::string::npos) << withFirst;
        EXPECT_NE(without.find(share + "\u202F%"), std::string::npos) << without;
        EXPECT_EQ(without.find("after the first"), std::string::npos) << without;
    };
    RunByHand run;
    run.kernels = {{0, 20 * kMs}, {20 * kMs, 100 * kMs}};
    run.kernels[0].op = "aten::copy_";
    expectNamed(findCopiesAndCasts, run, "20");
    run.kernels[0].op = "aten::_fused_adamw_";
    run.kernels[0].phase = Phase::kOptimizer;
    expectNamed(findOptimizerTime, run, "20");
    run.kernels[0].blocks = 66;
    expectNamed(findOccupancy, run, "10");
    run.kernels[0].blocks = 1000;
    run.kernels[0].occupancy = 0.1F;
    expectNamed(findOccupancy, run, "20");
    expectNamed(findScoreMatrixTime, attention(20 * kMs), "20");
    run.kernels = {{0, 50 * kMs}, {60 * kMs, 100 * kMs, 20 * kMs}};
    expectNamed(findKernelGaps, run, "10");
    run.kernels[1].lead = 1;
    run.waits = {{Nanoseconds(40 * kMs), Nanoseconds(60 * kMs + 1)}};
    expectNamed(findSynchronizations, run, "10");
}

TEST(SlowPrecision, OfADeviceThatIsNotKnownNothingIsSaid) {
    RunByHand run;
    run.config.precision = Precision::kFp32;
    run.config.attention = AttentionVariant::kNaive;
    run.fillStep();
    EXPECT_TRUE(finding(findSlowPrecision, run));
    run.info[0].second = "Some GPU";
    EXPECT_FALSE(finding(findSlowPrecision, run));
    // What was measured on it makes it known.
    run.info.emplace_back("ceiling.fp32_flops_per_second", "50000000000000");
    run.info.emplace_back("ceiling.tf32_flops_per_second", "74000000000000");
    EXPECT_FALSE(finding(findSlowPrecision, run)) << "1.48 times as fast";
    run.info.back().second = "400000000000000";
    EXPECT_TRUE(finding(findSlowPrecision, run));
}

}  // namespace
}  // namespace warpglass::test
