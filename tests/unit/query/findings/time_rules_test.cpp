// Each rule about time fires at its threshold and not below it, with the cost that its header's formula has.
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "engine/base/format.h"
#include "engine/plan/flops.h"
#include "engine/query/findings/copies_and_casts.h"
#include "engine/query/findings/findings.h"
#include "engine/query/findings/rules.h"
#include "engine/query/findings/weight_casts.h"
#include "tests/support/must.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::time_rules_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// Naive attention takes so much of each step, a GEMM the rest.
RunByHand attention(std::int64_t time) {
    RunByHand run;
    run.config.attention = AttentionVariant::kNaive;
    run.add(time / 4, {.module = "blocks.3.attn", .part = "scores"});
    run.add(time / 4, {.module = "blocks.3.attn", .part = "softmax"});
    run.add(time - time / 4 * 2, {.module = "blocks.3.attn", .part = "values"});
    run.add(100 * kMs - time, {.module = "blocks.3.attn.q_proj"});  // not the matrices'
    return run;
}

TEST(ScoreMatrixTime, IsFoundFromATenthOfTheStepOn) {
    EXPECT_FALSE(finding(findScoreMatrixTime, attention(10 * kMs - 1)));
    const auto found = must(finding(findScoreMatrixTime, attention(10 * kMs)));
    EXPECT_EQ(found.nsPerStep, 10.0 * kMs);
    EXPECT_EQ(found.evidence.view, EvidenceView::kAttention);
    EXPECT_FALSE(found.evidence.range);
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->value, "sdpa-flash");
    RunConfig flash = attention(0).config;
    flash.attention = AttentionVariant::kSdpaFlash;
    double flops = 0;
    for (const FlopsEntry& entry : countFlops(flash).entries) {
        if (entry.part == "scores" || entry.part == "values")
            flops += static_cast<double>(entry.matmul.value);
    }
    EXPECT_NEAR(found.trial->expected, 90e6 + flops / (0.2 * 989.4e12) * 1e9, 1);
}

TEST(ScoreMatrixTime, PromisesNothingWhereTheHostIsTheLimit) {
    RunByHand run = attention(20 * kMs);
    run.hostTime = 99 * kMs;
    auto found = must(finding(findScoreMatrixTime, run));
    EXPECT_FALSE(found.trial) << "the step takes 99 ms to launch";
    run.hostTime = 20 * kMs;
    run.kernels.back().end -= 15 * kMs;  // idle to the end, by the host
    found = must(finding(findScoreMatrixTime, run));
    EXPECT_FALSE(found.trial);
    EXPECT_THAT(found.remedy, HasSubstr("only by the launches that it saves"));
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
        return finding(findCopiesAndCasts, beginningWith(time, {.op = "aten::copy_"}));
    };
    EXPECT_FALSE(copying(5 * kMs - 1));
    const auto found = must(copying(5 * kMs));
    EXPECT_EQ(found.nsPerStep, 5.0 * kMs);
    EXPECT_EQ(found.evidence.view, EvidenceView::kKernels);
    EXPECT_EQ(found.evidence.names, "aten::copy_");
}

/// A cast in blocks.3.ffn.w1 of so many numbers, as LibTorch's vectorized copy covers them.
RunByHand::Kernel castOf(std::int64_t begin, std::int64_t end, std::int64_t numbers,
                         Phase phase = Phase::kForward) {
    return {.begin = begin,
            .end = end,
            .phase = phase,
            .module = "blocks.3.ffn.w1",
            .op = "aten::copy_",
            .name = "vectorized_elementwise_kernel",
            .blocks = static_cast<std::uint32_t>((numbers + 1023) / 1024)};
}

TEST(CopiesAndCasts, SayWhatOfThemCastsWeightsAndWhatTheCopiesFill) {
    constexpr std::int64_t kWeight = 768ll * 3072, kInput = 4ll * 512 * 768;
    RunByHand run;
    run.kernels = {castOf(0, 4 * kMs, kWeight),
                   castOf(4 * kMs, 10 * kMs, kInput),
                   castOf(10 * kMs, 13 * kMs, kWeight, Phase::kBackward),
                   {13 * kMs, 100 * kMs}};
    run.allocations = {
        {120 * kMs, 130 * kMs, 2 * kWeight, Category::kActivations, "blocks.3.ffn.w1", "", "aten::_to_copy"},
        {kMs, 250 * kMs, 18 * kWeight, Category::kWeights, "token_embeddings"}};
    auto found = must(finding(findCopiesAndCasts, run));
    EXPECT_EQ(found.nsPerStep, 13.0 * kMs);
    EXPECT_EQ(found.bytes, Bytes(2 * kWeight));
    EXPECT_DOUBLE_EQ(found.peakShare, 0.1);
    EXPECT_THAT(
        found.sentence,
        HasSubstr(
            "; 7.00\u202Fms of these go into casting weights to bf16 and their gradients back, again in "
            "every step, and the copies of 1 weight fill"));
    EXPECT_FALSE(finding(findWeightCopies, run)) << "it is one cause";

    // In a forward pass there are no gradients; below a twentieth of the peak the copies are not told of.
    run.kernels[2].phase = Phase::kForward;
    run.kernels[2].module = "blocks.4.ffn.w1";
    run.allocations[1].bytes = 40 * kWeight;
    found = must(finding(findCopiesAndCasts, run));
    EXPECT_EQ(found.bytes, Bytes(0));
    EXPECT_THAT(found.sentence,
                EndsWith("; 7.00\u202Fms of these go into casting weights to bf16, again in every step."));

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
    const auto found = must(finding(findCopiesAndCasts, run));
    EXPECT_THAT(found.sentence, HasSubstr("; 5.00\u202Fms of these go into casting weights"))
        << "half of both";
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
        EXPECT_NEAR(weightCasts(RunFacts(run.timeline())).time, expected, 1) << round;
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
    auto found = must(finding(findMemoryBound, run));
    EXPECT_EQ(found.nsPerStep, 37.0 * kMs);
    EXPECT_DOUBLE_EQ(found.stepShare, 0.37);
    EXPECT_THAT(found.sentence,
                EndsWith("take 37.0\u202Fms of GPU time per step, 37%, against 60.0\u202Fms, 60%, of GEMMs "
                         "and fused attention: elementwise ops 16.0\u202Fms, copies and casts 12.0\u202Fms, "
                         "norms, softmax and reductions 8.00\u202Fms, AdamW's update 1.00\u202Fms."));
    EXPECT_THAT(found.remedy, Not(HasSubstr("graph"))) << "it is one";
    EXPECT_THAT(found.remedy, HasSubstr(" Its copies and casts are listed separately below."));
    run.config.execution = Execution::kEager;
    EXPECT_THAT(finding(findMemoryBound, run)->remedy,
                HasSubstr("a CUDA graph only removes the cost of launching"));

    const auto withElementwise = [](std::int64_t time) {
        return finding(findMemoryBound, beginningWith(time, {.op = "aten::mul"}));
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
    const auto found = must(withElementwise(10 * kMs));
    EXPECT_EQ(found.nsPerStep, 10.0 * kMs);
    EXPECT_DOUBLE_EQ(found.stepShare, 0.1);
    EXPECT_THAT(
        found.sentence,
        EndsWith("take 10.0\u202Fms of GPU time per step, 10% and 25% of the GPU's busy time, against "
                 "30.0\u202Fms, 75% of it, of GEMMs and fused attention: elementwise ops 10.0\u202Fms."));
    EXPECT_THAT(found.remedy, HasSubstr("only by the launches that it saves"));
    EXPECT_THAT(withElementwise(30 * kMs)->sentence, Not(HasSubstr("busy time"))) << "it is of the step";
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
        return finding(findOptimizerTime,
                       beginningWith(time, {.phase = Phase::kOptimizer, .op = "aten::_fused_adamw_"}));
    };
    EXPECT_FALSE(updating(10 * kMs - 1));
    const auto found = must(updating(10 * kMs));
    EXPECT_EQ(found.nsPerStep, 10.0 * kMs);
    // 28 bytes × 128.6 M parameters in 10 ms, of 4.8 TB/s.
    EXPECT_THAT(found.sentence, HasSubstr("7.5% of the data sheet's bandwidth"));
}

TEST(Occupancy, OfGridsSmallerThanTheGpuCostsWhatIsUnused) {
    const auto withBlocks = [](std::uint32_t blocks) {
        return finding(findOccupancy, beginningWith(20 * kMs, {.name = "small_kernel", .blocks = blocks}));
    };
    EXPECT_FALSE(withBlocks(100)) << "a quarter of a fifth of the step";
    const auto found = withBlocks(99);  // 1 − 99 / 132 of 20%
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->nsPerStep, 5.0 * kMs, 1);
    EXPECT_EQ(found->evidence.names, "small_kernel");
    EXPECT_EQ(found->evidence.view, EvidenceView::kKernels);
}

TEST(Occupancy, NamesTheKernelThatCostsMostInAllItsShapes) {
    RunByHand run;
    run.add(8 * kMs, {.name = "in_two_shapes", .blocks = 33});
    run.add(8 * kMs, {.name = "in_two_shapes", .blocks = 34});
    run.add(10 * kMs, {.name = "in_one_shape", .blocks = 33});
    run.add(74 * kMs);
    EXPECT_THAT(must(finding(findOccupancy, run)).sentence, EndsWith(", in_two_shapes most."));
}

TEST(Occupancy, IsLowBelowAQuarterButForMatrixProducts) {
    const auto with = [](float occupancy, const char* op) {
        return finding(findOccupancy, beginningWith(5 * kMs, {.op = op, .occupancy = occupancy}));
    };
    EXPECT_TRUE(with(0.24F, "aten::_softmax"));
    EXPECT_FALSE(with(0.25F, "aten::_softmax"));
    EXPECT_FALSE(with(0.F, "aten::_softmax")) << "not known";
    EXPECT_FALSE(with(0.12F, "aten::mm"));
    EXPECT_TRUE(with(0.12F, "")) << "of no op that is known, and named for nothing";
    EXPECT_FALSE(with(0.12F, "aten::_flash_attention_forward"));
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
        const std::string named = share + "% of each 100\u202Fms step after the first";
        const std::string withFirst = sentence(rule, run, 0), without = sentence(rule, run, 1);
        EXPECT_THAT(withFirst, HasSubstr(named));
        EXPECT_THAT(without, testing::AllOf(HasSubstr(share + "%"), Not(HasSubstr("after the first"))));
    };
    RunByHand run = beginningWith(20 * kMs, {.op = "aten::copy_"});
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

// The rule about precision: from which share of the step on it speaks, and what it says bf16 would save.

constexpr std::int64_t kTera = 1'000'000'000'000;

/// What the rule says of naive attention, by default in fp32, that the host does not hold up.
std::optional<Finding> findingOf(RunByHand run, Precision precision = Precision::kFp32) {
    run.config.precision = precision;
    run.config.attention = AttentionVariant::kNaive;
    run.hostTime = kMs;
    return finding(findSlowPrecision, run);
}

/// GEMMs take so much of each step.
RunByHand multiplying(std::int64_t time) {
    return beginningWith(100 * kMs - time, {.op = "aten::mul"});
}

TEST(SlowPrecision, IsFoundFromThreeTenthsOfTheStepOn) {
    EXPECT_FALSE(findingOf(multiplying(30 * kMs - 1)));
    const auto found = must(findingOf(multiplying(30 * kMs)));
    const Trial trial = must(found.trial);
    EXPECT_EQ(trial.value, "tf32");
    const double faster =
        static_cast<double>(countFlops(trial.config).matmul().value) / (0.5 * 494.7e12) * 1e9;
    EXPECT_NEAR(trial.expected, 70e6 + faster, 1);
    EXPECT_NEAR(found.nsPerStep, 30e6 - faster, 1);
    EXPECT_FALSE(findingOf(multiplying(60 * kMs), Precision::kTf32));
    EXPECT_FALSE(findingOf(multiplying(60 * kMs), Precision::kBf16));
}

TEST(SlowPrecision, SaysWhatBf16WouldSaveByTheCeilingsAndProposesItWhereThatIsMuchMore) {
    const auto with = [](std::int64_t tf32, std::int64_t bf16) {
        RunByHand run = multiplying(80 * kMs);
        run.info.insert(run.info.end(), {{"ceiling.measured", "2026-11-21T17:11:34Z"},
                                         {"ceiling.fp32_flops_per_second", "20000000000000"},
                                         {"ceiling.tf32_flops_per_second", std::to_string(tf32)},
                                         {"ceiling.bf16_flops_per_second", std::to_string(bf16)}});
        return must(findingOf(run));
    };
    Finding found = with(kTera * 100, kTera * 400);
    Trial trial = must(found.trial);
    const double flops = static_cast<double>(countFlops(trial.config).matmul().value);
    const auto step = [flops](double ceiling) {
        return formatDuration(Nanoseconds(std::llround(20e6 + 1e9 * flops / (0.5 * ceiling))));
    };
    EXPECT_THAT(
        found.sentence,
        HasSubstr("5.0× as high in tf32 and 20.0× in bf16: a step is expected to take " + step(100e12) +
                  " in tf32, and " + step(400e12) + " in bf16 plus what its casts take."));
    const double saved = 1e9 * flops * (1 / (0.5 * 100e12) - 1 / (0.5 * 400e12));
    EXPECT_EQ(trial.value, saved >= 10.0 * kMs ? "bf16" : "tf32");
    ASSERT_GE(saved, 10.0 * kMs);
    EXPECT_NEAR(trial.expected, 20e6 + 1e9 * flops / (0.5 * 400e12), 1);
    EXPECT_EQ(must(with(kTera * 380, kTera * 400).trial).value, "tf32") << "casts for little";
    found = with(kTera * 25, kTera * 400);
    EXPECT_EQ(must(found.trial).value, "bf16") << "tf32 is hardly faster there";
    EXPECT_THAT(found.sentence, Not(HasSubstr("tf32")));
}

TEST(SlowPrecision, GainsNoMoreThanTheProductsAndNothingOfAStepThatWaits) {
    const Trial trial = must(must(findingOf(lateBy(9 * kMs))).trial);
    const double faster =
        static_cast<double>(countFlops(trial.config).matmul().value) / (0.5 * 494.7e12) * 1e9;
    EXPECT_NEAR(trial.expected, 9.0 * kMs + faster, 1) << "what the GPU waited stays";
    EXPECT_FALSE(findingOf(lateBy(10 * kMs)));
}

TEST(SlowPrecision, OfADeviceThatIsNotKnownNothingIsSaid) {
    RunByHand run;
    run.fillStep();
    EXPECT_TRUE(findingOf(run));
    run.info[0].second = "Some GPU";
    EXPECT_FALSE(findingOf(run));
    // What was measured on it makes it known.
    run.info.emplace_back("ceiling.fp32_flops_per_second", "50000000000000");
    run.info.emplace_back("ceiling.tf32_flops_per_second", "74000000000000");
    EXPECT_FALSE(findingOf(run)) << "1.48 times as fast";
    run.info.back().second = "400000000000000";
    EXPECT_TRUE(findingOf(run));
}

}  // namespace warpglass::test::time_rules_test
