#include "engine/query/compare/comparison_headline.h"

#include <gmock/gmock.h>

#include "engine/query/spans/step_spans.h"
#include "engine/query/statistics/statistics.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::comparison_headline_test {

using testing::StartsWith;

TEST(ComparisonHeadline, SaysHowMuchFasterOrSlower) {
    ComparisonHeadline headline{.stepA = 80e6, .stepB = 40e6};
    EXPECT_EQ(headline.text(), "2.00× faster: 40.0\u202Fms per step against 80.0\u202Fms");
    std::swap(headline.stepA, headline.stepB);
    EXPECT_EQ(headline.text(), "2.00× slower: 80.0\u202Fms per step against 40.0\u202Fms");
}

TEST(ComparisonHeadline, WhatIsWithinTheSpreadOfTheStepsIsNoDifference) {
    ComparisonHeadline headline{.subject = "fp32",
                                .stepA = 266e6,
                                .stepB = 275e6,
                                .stepsA = {3, 266e6, 48e6},
                                .stepsB = {3, 275e6, 52e6}};
    EXPECT_EQ(headline.text(),
              "fp32 is 1.03× slower, within the spread of their steps: 275\u202Fms ± 52.0\u202Fms per step "
              "against 266\u202Fms ± 48.0\u202Fms");
    EXPECT_EQ(headline.parts()[0].trend, 0);
    // Per token neither.
    headline.tokensA = 1000;
    headline.tokensB = 1001;
    ASSERT_EQ(headline.parts().size(), 2u);
    EXPECT_EQ(headline.parts()[1].lead, "per token 1.03× slower, within the spread of their steps");
    // Half the tokens are another matter.
    headline.tokensB = 100;
    EXPECT_EQ(headline.parts()[1].trend, 1);
    EXPECT_EQ(headline.parts()[0].trend, 0);
    // For two steps the test tells little; many times as long is a difference all the same.
    headline.stepB = 8e9;
    headline.stepsB = {2, 8e9, 2.5e9};
    EXPECT_EQ(headline.parts()[0].trend, 1);
    EXPECT_TRUE(isWithinSpread(headline.stepsA, headline.stepsB));
    headline.stepB = 275e6;
    headline.stepsB = {3, 275e6, 52e6};
    // Nothing is known of the spread of one step.
    headline.stepsB.count = 1;
    EXPECT_EQ(headline.parts()[0].trend, 1);
}

TEST(ComparisonHeadline, KnowsTheSpreadOfTheStepsItsMeansAreOf) {
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-no-warmup");
    const ComparisonHeadline headline = headlineOf(compareRuns(a, b), *a, *b);
    EXPECT_EQ(headline.stepsB.count, 4);
    EXPECT_NEAR(headline.stepsB.mean, *headline.stepB, 1);
    EXPECT_GT(headline.stepsB.standardDeviation, *headline.stepB) << "the first step is many times as long";
    EXPECT_EQ(headline.parts()[0].trend, 0) << headline.text();
    const auto graph = openSampleRun("small-bf16-graph");
    EXPECT_EQ(headlineOf(compareRuns(a, graph), *a, *graph).parts()[0].trend, -1);
    // It knows that of what both do, too.
    const auto forward = openSampleRun("xl-bf16-forward");
    const ComparisonHeadline common = headlineOf(compareRuns(forward, a), *forward, *a);
    EXPECT_EQ(common.passesA.count, 1);
    EXPECT_EQ(common.passesB.count, 3);
    ASSERT_TRUE(common.commonB);
    EXPECT_NEAR(common.passesB.mean, *common.commonB, 1);
    // One step against another is one of each.
    ComparisonScope one{.steps = ComparisonScope::Steps::kOne, .stepA = 1, .stepB = 1};
    EXPECT_EQ(headlineOf(compareRuns(a, b, one), *a, *b, one).stepsA.count, 0);
}

TEST(ComparisonHeadline, NamesBByTheOneSettingThatIsAnother) {
    const auto subject = [](std::vector<RunComparison::Setting> settings) {
        const auto run = traceOf();
        return headlineOf({.settings = std::move(settings)}, *run, *run).subject;
    };
    const auto both = traceOf();
    EXPECT_EQ(headlineOf({.settings = {{"config.batch", "4", "8"}}}, *both, *both).subjectA, "batch 4");
    EXPECT_EQ(subject({{"config.precision", "fp32", "bf16"}}), "bf16");
    EXPECT_EQ(subject({{"config.steps", "3", "5"}, {"config.execution", "eager", "graph"}}), "CUDA graph");
    EXPECT_EQ(subject({{"config.batch", "4", "8"}}), "batch 8");
    EXPECT_EQ(subject({{"config.precision", "fp32", "bf16"}, {"config.batch", "4", "8"}}), "");
    EXPECT_EQ(subject({{"config.mode", "forward", "step"}}), "");
    EXPECT_EQ(subject({{"config.precision", "fp32", ""}}), "") << "not stated";
    EXPECT_EQ(subject({{"config.memory-limit", "17179869184", "0"}}), "") << "it makes nothing faster";
    EXPECT_EQ(subject({{"config.device", "cpu", "cuda:0"}}), "cuda:0");
    EXPECT_EQ(subject({}), "");
    ComparisonHeadline headline{.subject = "bf16", .stepA = 80e6, .stepB = 40e6};
    EXPECT_THAT(headline.text(), StartsWith("bf16 is 2.00× faster: "));
    headline.stepB = headline.stepA;
    EXPECT_THAT(headline.text(), StartsWith("bf16 is as fast: "));
}

TEST(ComparisonHeadline, CreditsNoSettingWithWhatOtherHardwareOrSoftwareDid) {
    using Info = InfoPairs;
    const auto runOf = [](const Info& info) { return traceOf("", info); };
    const auto subject = [&](const Info& a, const Info& b, const RunComparison::Setting& setting) {
        return headlineOf({.settings = {setting}}, *runOf(a), *runOf(b)).subject;
    };
    const RunComparison::Setting precision{"config.precision", "fp32", "bf16"};
    const Info h200{{"config.device", "cuda:0"},
                    {"device.name", "NVIDIA H200"},
                    {"torch.version", "2.9.0"},
                    {"cuda.runtime", "13.0"}};
    EXPECT_EQ(subject(h200, h200, precision), "bf16");
    for (std::size_t i = 1; i < h200.size(); ++i) {
        Info other = h200;
        other[i].second = "another";
        EXPECT_EQ(subject(h200, other, precision), "") << h200[i].first;
    }
    // Where the device is what was set, its name and CUDA come with it.
    const Info cpu{{"config.device", "cpu"}, {"torch.version", "2.9.0"}};
    EXPECT_EQ(subject(cpu, h200, {"config.device", "cpu", "cuda:0"}), "cuda:0");
}

TEST(ComparisonHeadline, OfOneStepIsOfTheseSteps) {
    const auto run = openSampleRun("small-no-warmup");
    ComparisonScope scope{.steps = ComparisonScope::Steps::kOne, .stepA = 0, .stepB = 1};
    using Run = std::shared_ptr<const Snapshot>;
    const auto of = [&](const Run& a, const Run& b) {
        return headlineOf(compareRuns(a, b, scope), *a, *b, scope);
    };
    ComparisonHeadline headline = of(run, run);
    const std::vector<StepSpan> steps = endedSteps(*run);
    EXPECT_EQ(headline.stepA, static_cast<double>(steps[0].range.duration().value));
    EXPECT_EQ(headline.stepB, static_cast<double>(steps[1].range.duration().value));
    EXPECT_THAT(
        headline.text(),
        StartsWith("6.02× faster: 32.0\u202Fms in step 1 against 193\u202Fms in step 0 · peak memory "));
    EXPECT_NE(headline.matmulShareA, headline.matmulShareB);
    // Per token the steps are as long.
    scope.perToken = true;
    EXPECT_EQ(of(run, run).stepA, headline.stepA);
    scope.perToken = false;
    // A setting is not credited with what the first step of all took.
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    EXPECT_EQ(of(a, b).subject, "");
    scope.stepA = 2;
    EXPECT_EQ(of(a, b).subject, "bf16");
    // It compares the passes that both do, too.
    const auto forward = openSampleRun("xl-bf16-forward");
    scope.stepA = 1;
    headline = of(forward, b);
    ASSERT_TRUE(headline.unlikeModes && headline.commonA && headline.commonB);
    EXPECT_LT(*headline.commonB, *headline.stepB) << "of the step its forward alone";
    // A step that memory ran out in says nothing.
    const auto failed = openSampleRun("large-fp32-out-of-memory");
    scope.stepA = 0;
    headline = of(failed, b);
    EXPECT_FALSE(headline.stepA);
    EXPECT_FALSE(headline.matmulShareA);
    EXPECT_THAT(headline.text(), StartsWith("peak memory "));
}

TEST(ComparisonHeadline, OfARunOnTheCpuTheShareOfProductsIsOfTheOpsSelfTimes) {
    const auto run = RandomRun({.seed = 9}).snapshot();
    const auto expected = [&](const SpanFilter& filter) {
        double all = 0, products = 0;
        for (const StatisticsRow& row : opStatistics(*run, filter)) {
            all += static_cast<double>(row.self.value);
            products += row.family == OpFamily::kMatmul ? static_cast<double>(row.self.value) : 0;
        }
        EXPECT_GT(products, 0);
        return products / all;
    };
    SpanFilter filter{.measuredOnly = true};
    const ComparisonHeadline mean = headlineOf(compareRuns(run, run), *run, *run);
    ASSERT_TRUE(mean.matmulShareA && mean.matmulShareB);
    EXPECT_THAT(mean.text(), testing::HasSubstr("GEMM share of busy time: ")) << "there is no GPU";
    EXPECT_DOUBLE_EQ(*mean.matmulShareA, expected(filter));
    EXPECT_DOUBLE_EQ(*mean.matmulShareB, expected(filter));
    filter.measuredOnly = false;
    filter.step = 3;
    ComparisonScope scope{.steps = ComparisonScope::Steps::kOne, .stepA = 3, .stepB = 3};
    const ComparisonHeadline one = headlineOf(compareRuns(run, run, scope), *run, *run, scope);
    ASSERT_TRUE(one.matmulShareA);
    EXPECT_DOUBLE_EQ(*one.matmulShareA, expected(filter));
}

TEST(ComparisonHeadline, LeavesOutWhatIsNotKnown) {
    ComparisonHeadline headline;
    EXPECT_EQ(headline.text(), "");
    headline.peakA = 4.0 * (1 << 30);
    headline.peakB = 1.0 * (1 << 30);
    headline.stepA = 1e6;  // and no step of B
    EXPECT_EQ(headline.text(), "peak memory −75%: 1.00\u202FGiB against 4.00\u202FGiB");
    const auto peak = [&](double gib) {
        headline.peakB = gib * (1 << 30);
        const std::string lead = headline.parts()[0].lead;
        return lead.substr(lead.rfind(' ') + 1);
    };
    EXPECT_EQ(peak(3.88), "−3.0%");
    EXPECT_EQ(peak(6.4), "+60%");
    EXPECT_EQ(peak(8.4), "2.10×") << "shares of more than the whole read badly";
    EXPECT_EQ(peak(4.001), "1.00×");
    headline.matmulShareA = 0.664;
    headline.matmulShareB = 0.473;
    EXPECT_THAT(headline.text(), testing::EndsWith(" · GEMM share of GPU time: 66% → 47%"));
}

TEST(ComparisonHeadline, SaysWhatBoundsTheRunsAsFarAsItHasRoom) {
    using Length = ComparisonHeadline::Length;
    const std::string waits = "launch-bound (the GPU waits for the host 63% of the step)",
                      busy = "GPU-bound (the GPU is busy for 96% of the step)";
    ComparisonHeadline headline{.subject = "bf16",
                                .subjectA = "fp32",
                                .boundA = busy,
                                .boundB = waits,
                                .stepA = 80e6,
                                .stepB = 40e6,
                                .matmulShareA = 0.664,
                                .matmulShareB = 0.473};
    const std::string figures = "bf16 is 2.00× faster: 40.0\u202Fms per step against 80.0\u202Fms";
    EXPECT_EQ(headline.text(Length::kBrief), "bf16 is 2.00× faster, but launch-bound");
    EXPECT_EQ(headline.text(Length::kFigures), figures + ", but launch-bound");
    EXPECT_EQ(headline.text(Length::kSentence), figures + ", but " + waits + " where fp32 was GPU-bound");
    EXPECT_EQ(headline.text(), figures + ", but " + waits + " where fp32 was " + busy +
                                   " · GEMM share of GPU time: 66% → 47%");
    const auto sentence = [&headline] {
        const std::string text = headline.parts(Length::kSentence)[0].rest;
        return text.substr(text.find(','));
    };
    headline.subject = headline.subjectA = "";
    headline.boundA = "";
    EXPECT_EQ(sentence(), ", but " + waits) << "nothing is known of A";
    // What became better, or took more time and waits too, is no objection.
    headline.boundA = waits;
    headline.boundB = busy;
    EXPECT_EQ(sentence(), ", and " + busy + " where A was launch-bound");
    std::swap(headline.boundA, headline.boundB);
    std::swap(headline.stepA, headline.stepB);
    EXPECT_EQ(sentence(), ", and " + waits + " where A was GPU-bound");
}

TEST(ComparisonHeadline, SaysOfRunsBoundAlikeOnlyThatTheHostKeepsBothWaiting) {
    using Length = ComparisonHeadline::Length;
    ComparisonHeadline headline{.boundA = "GPU-bound (busy for 96% of the step)",
                                .boundB = "GPU-bound (busy for 97% of the step)",
                                .stepA = 80e6,
                                .stepB = 40e6};
    const std::string plain = headline.text(Length::kSentence);
    EXPECT_THAT(plain, testing::Not(testing::HasSubstr("bound")));
    EXPECT_EQ(headline.text(), plain + ", both GPU-bound (busy for 96% and 97% of the step)");
    headline.boundB = "GPU-bound (busy for 100% of the step)";
    EXPECT_EQ(headline.text(), plain + ", both GPU-bound (busy for 96% and 100% of the step)");
    headline.boundA = "launch-bound (waits 4.1% of it)";
    headline.boundB = "launch-bound (waits 41% of it)";
    EXPECT_EQ(headline.text(Length::kSentence), plain + ", both launch-bound (waits 4.1% and 41% of it)");
    EXPECT_EQ(headline.text(Length::kFigures), plain + ", both launch-bound");
    headline.boundA = headline.boundB = "launch-bound (waits 40%)";
    EXPECT_EQ(headline.text(Length::kSentence), plain + ", both launch-bound (waits 40%)");
    // For one step of each they are said by themselves: they hold of the measured steps.
    headline.oneA = headline.oneB = 1;
    headline.boundA = "GPU-bound (busy 96%)";
    EXPECT_THAT(headline.text(),
                testing::EndsWith(" in step 1 · A is GPU-bound (busy 96%); B is launch-bound (waits 40%)"));
    EXPECT_THAT(headline.text(Length::kFigures), testing::Not(testing::HasSubstr("bound")));
    headline.boundA = headline.boundB;
    EXPECT_THAT(headline.text(), testing::EndsWith(" · A and B are launch-bound (waits 40%)"));
    headline.boundA = "";
    EXPECT_THAT(headline.text(), testing::EndsWith(" · B is launch-bound (waits 40%)"));
}

TEST(ComparisonHeadline, OfARunThatEndedTooEarlyThePeakIsABound) {
    ComparisonHeadline headline{
        .peakA = 4.0 * (1 << 30), .peakB = 1.0 * (1 << 30), .peakAtLeastB = true, .peakDecided = false};
    EXPECT_EQ(headline.text(), "peak memory ≥ −75%: at least 1.00\u202FGiB against 4.00\u202FGiB");
    EXPECT_EQ(headline.parts()[0].trend, 0) << "no saving that is known";
    std::swap(headline.peakA, headline.peakB);
    headline.peakDecided = true;
    EXPECT_EQ(headline.parts()[0].trend, 1);
    std::swap(headline.peakAtLeastA, headline.peakAtLeastB);
    EXPECT_EQ(headline.text(), "peak memory ≤ 4.00×: 4.00\u202FGiB against at least 1.00\u202FGiB");
}

struct PhaseTimes {
    std::string mode;
    std::int64_t onHost = 0;
    std::int64_t onGpu = 0;  // 0 for none
    bool kernels = false;
};

/// One step of 1 ms with a forward pass.
std::shared_ptr<const Snapshot> runOf(const PhaseTimes& times) {
    return traceOf(
        filled("info config.mode % state finished\nstep 0 0-1ms | forward 0-%\n", times.mode, times.onHost) +
        (times.onGpu > 0 ? filled("  gpu forward 0-%\n", times.onGpu) : "") +
        (times.kernels ? "  kernel kernel 0-1us" : ""));
}

ComparisonHeadline headlineOf(const PhaseTimes& a, const PhaseTimes& b) {
    const auto runA = runOf(a), runB = runOf(b);
    return headlineOf(compareRuns(runA, runB), *runA, *runB);
}

TEST(ComparisonHeadline, EachRunOfUnlikeModesIsTimedByTheClockOfWhatDidTheWork) {
    const PhaseTimes cpu{"forward", 800'000}, gpu{"step", 20'000, 400'000, true};
    const ComparisonHeadline mixed = headlineOf(cpu, gpu);
    EXPECT_EQ(mixed.commonA, 800'000);
    EXPECT_EQ(mixed.commonB, 400'000) << "not what launching took";
    EXPECT_EQ(headlineOf({"step", 20'000, 300'000, true}, {"forward", 20'000, 600'000, true}).commonB,
              600'000);
    EXPECT_EQ(headlineOf(cpu, {"step", 500'000}).commonB, 500'000);
}

/// A phase by a clock ("gpu" or nothing, the host's): its time in each step, ns; 0 where its record is lost.
struct PhaseOfSteps {
    std::string_view clock, phase;
    std::vector<std::int64_t> durations;
};

/// As many steps of 1 ms as the first phase has durations.
std::shared_ptr<const Snapshot> runOf(const std::string& mode, const std::vector<PhaseOfSteps>& phases) {
    std::string text = filled("info config.mode % state finished\n", mode);
    for (std::size_t step = 0; step < phases.at(0).durations.size(); ++step) {
        text += filled("step % %-%ms\n", step, step, step + 1);
        for (const PhaseOfSteps& phase : phases) {
            const std::int64_t start = static_cast<std::int64_t>(step) * 1'000'000,
                               took = phase.durations.at(step);
            if (took > 0)
                text +=
                    filled("  % % %-% on %\n", phase.clock, phase.phase, start, start + took, phase.phase);
        }
    }
    return traceOf(text);
}

TEST(ComparisonHeadline, MeansOfPassesAreJudgedByTheClockTheyAreTakenBy) {
    // CUDA's events without a kernel: launching took as long in both, and varied.
    const PhaseOfSteps launching{"", "forward", {20'000, 30'000, 25'000}};
    const auto a = runOf("forward", {launching, {"gpu", "forward", {800'000, 810'000, 790'000}}});
    const auto b = runOf("step", {launching, {"gpu", "forward", {400'000, 405'000, 395'000}}});
    const ComparisonHeadline headline = headlineOf(compareRuns(a, b), *a, *b);
    EXPECT_EQ(headline.commonA, 800'000);
    EXPECT_EQ(headline.commonB, 400'000);
    EXPECT_EQ(headline.passesA.count, 3);
    EXPECT_EQ(headline.passesB.count, 3);
    EXPECT_NEAR(headline.passesA.mean, 800'000, 1e-3);
    EXPECT_NEAR(headline.passesB.mean, 400'000, 1e-3);
    ASSERT_FALSE(headline.parts().empty());
    EXPECT_EQ(headline.parts()[0].lead, "forward 2.00× faster");
}

TEST(ComparisonHeadline, WhereAStepLacksAPhaseNothingIsKnownOfTheSpread) {
    using Times = std::vector<std::int64_t>;
    const auto passesOf = [](const Times& forward, const Times& loss, const Times& backward) {
        const auto a = runOf("forward-backward",
                             {{"", "forward", forward}, {"", "loss", loss}, {"", "backward", backward}});
        const auto b = runOf("step", {{"", "forward", {100, 200, 300}}, {"", "backward", {200, 400, 600}}});
        const ComparisonHeadline headline = headlineOf(compareRuns(a, b), *a, *b);
        EXPECT_EQ(headline.common, "forward and backward");
        EXPECT_EQ(headline.passesB.count, 3) << "no step of it has a loss";
        return headline.passesA;
    };
    const Times all = {100, 200, 300}, lost = {100, 0, 300}, none = {0, 0, 0};
    EXPECT_EQ(passesOf(all, all, all).count, 3);
    EXPECT_NEAR(passesOf(all, all, all).mean, 600, 1e-6);
    EXPECT_EQ(passesOf(all, none, all).count, 3);
    EXPECT_EQ(passesOf(lost, all, all).count, 0);
    EXPECT_EQ(passesOf(all, lost, all).count, 0);
    EXPECT_EQ(passesOf(all, all, lost).count, 0);
    EXPECT_EQ(passesOf(lost, lost, lost).count, 0);
    EXPECT_EQ(passesOf(all, all, none).count, 0);
}

TEST(ComparisonHeadline, OfAGpuThatToldNoPhasesThereIsNoTimeOfPasses) {
    const ComparisonHeadline headline = headlineOf({"forward", 800'000}, {"step", 20'000, 0, true});
    EXPECT_FALSE(headline.commonB);
    EXPECT_THAT(headline.text(), testing::Not(testing::HasSubstr("faster")));
}

}  // namespace warpglass::test::comparison_headline_test
