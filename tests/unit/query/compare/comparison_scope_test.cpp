// What of two runs is compared, against plain sums over all spans; and what is said of odd pairs.
#include "engine/query/compare/comparison_scope.h"

#include <gmock/gmock.h>

#include <map>

#include "engine/query/compare/comparison.h"
#include "engine/query/compare/comparison_headline.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/compare/kernel_match.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::comparison_scope_test {

using Steps = ComparisonScope::Steps;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Self time of ops by name in the steps [first, last], by `divisor`.
std::map<std::string, double> opSums(const Snapshot& run, std::int32_t first, std::int32_t last,
                                     double divisor) {
    std::map<std::string, double> sums;
    for (const NaiveSpan& span : allSpans(run)) {
        if (span.kind == TrackKind::kCpuThread && first <= span.row.step && span.row.step <= last)
            sums[span.name] += static_cast<double>(span.row.self) / divisor;
    }
    return sums;
}

TEST(ComparisonScope, TakesTheStepsThatAPlainSumTakes) {
    const RandomRun a({.seed = 5, .steps = 6, .warmup = 2}), b({.seed = 6, .steps = 5, .warmup = 1});
    struct Case {
        ComparisonScope scope;
        std::int32_t firstA, lastA, firstB, lastB;
        double divisorA, divisorB;
    };
    const std::vector<Case> cases = {
        {{}, 2, 5, 1, 4, 4, 4},
        {{.steps = Steps::kSum}, 2, 5, 1, 4, 1, 1},
        {{.steps = Steps::kOne, .stepA = 3, .stepB = 2}, 3, 3, 2, 2, 1, 1},
        {{.steps = Steps::kOne, .stepA = 0, .stepB = 4}, 0, 0, 4, 4, 1, 1},  // a warm-up
    };
    for (const Case& c : cases) {
        const RunComparison comparison = compareRuns(a.snapshot(), b.snapshot(), c.scope);
        const auto sumsA = opSums(*a.snapshot(), c.firstA, c.lastA, c.divisorA);
        const auto sumsB = opSums(*b.snapshot(), c.firstB, c.lastB, c.divisorB);
        ASSERT_FALSE(comparison.ops.empty());
        for (const ComparisonRow& row : comparison.ops) {
            EXPECT_NEAR(row.a, row.inA ? sumsA.at(row.name) : 0, 1e-6) << row.name;
            EXPECT_NEAR(row.b, row.inB ? sumsB.at(row.name) : 0, 1e-6) << row.name;
        }
        double steps = 0;
        for (const NaiveSpan& span : allSpans(*a.snapshot())) {
            if (span.kind == TrackKind::kStep && c.firstA <= span.row.step && span.row.step <= c.lastA)
                steps += static_cast<double>(span.row.duration) / c.divisorA;
        }
        ASSERT_EQ(comparison.phases.back().name, "step");
        EXPECT_NEAR(comparison.phases.back().a, steps, 1e-6);
    }
}

TEST(ComparisonScope, OfOneStepHasThatStepsKernelsAndPeak) {
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    const ComparisonScope scope{.steps = Steps::kOne, .stepA = 2, .stepB = 3};
    double expectedA = 0, expectedB = 0;
    const auto add = [](const Snapshot& run, std::int32_t step, double& sum) {
        for (const NaiveSpan& span : allSpans(run)) {
            if ((span.kind == TrackKind::kGpuStream || span.kind == TrackKind::kGpuCopies) &&
                span.row.step == step)
                sum += static_cast<double>(span.row.duration);
        }
    };
    add(*a, 2, expectedA);
    add(*b, 3, expectedB);
    ASSERT_GT(expectedA, 0);
    double rowsA = 0, rowsB = 0, matchesA = 0, matchesB = 0;
    const RunComparison comparison = compareRuns(a, b, scope);
    for (const ComparisonRow& row : comparison.kernels) {
        rowsA += row.a;
        rowsB += row.b;
    }
    for (const KernelMatch& match : matchKernels(*a, *b, scope)) {
        matchesA += match.a;
        matchesB += match.b;
    }
    EXPECT_NEAR(rowsA, expectedA, 1);
    EXPECT_NEAR(rowsB, expectedB, 1);
    EXPECT_NEAR(matchesA, expectedA, 1);
    EXPECT_NEAR(matchesB, expectedB, 1);
    const MemoryTimeline memory = timelineOf(a);
    for (const StepSpan& step : endedSteps(*a)) {
        if (step.step == 2) {
            EXPECT_EQ(comparison.categories.back().a,
                      static_cast<double>(sumOf(memory.peakIn(step.range)->bytes)));
        }
    }
}

TEST(ComparisonScope, PerTokenDividesByBatchAndContext) {
    RunByHand a, b;
    b.config.batch = 8;
    a.kernels = {{.begin = 0, .end = 40 * kMs}};
    b.kernels = {{.begin = 0, .end = 60 * kMs}};
    ComparisonScope scope{.perToken = true};
    for (const Steps steps : {Steps::kMean, Steps::kSum}) {
        scope.steps = steps;
        const RunComparison comparison = compareRuns(a.snapshot(), b.snapshot(), scope);
        ASSERT_EQ(comparison.kernels.size(), 1u);
        EXPECT_DOUBLE_EQ(comparison.kernels[0].a, 40.0 * kMs / (4 * 512));
        EXPECT_DOUBLE_EQ(comparison.kernels[0].b, 60.0 * kMs / (8 * 512));
    }
    const auto matches = matchKernels(*a.snapshot(), *b.snapshot(), scope);
    ASSERT_EQ(matches.size(), 1u);
    EXPECT_DOUBLE_EQ(matches[0].b, 60.0 * kMs / (8 * 512));
    EXPECT_THAT(scopeText(*a.snapshot(), *b.snapshot(), scope),
                AllOf(HasSubstr("per token"), HasSubstr("2 of A at"), HasSubstr("2 of B at")));
}

TEST(ComparisonScope, IsSaidInWords) {
    const RunByHand a;
    EXPECT_EQ(scopeText(*a.snapshot(), *a.snapshot(), {}), "mean per measured step (n = 2 each)");
    RunByHand longer;
    longer.stepLengths.assign(4, 20 * kMs);
    EXPECT_EQ(scopeText(*a.snapshot(), *longer.snapshot(), {}), "mean per measured step (2 of A, 3 of B)");
    EXPECT_EQ(scopeText(*a.snapshot(), *a.snapshot(), {.steps = Steps::kSum}),
              "sum over the measured steps (n = 2 each)");
    EXPECT_EQ(scopeText(*a.snapshot(), *a.snapshot(), {.steps = Steps::kOne, .stepA = 1, .stepB = 2}),
              "step 1 of A against step 2 of B");
}

std::vector<std::string> notesOf(const std::shared_ptr<const Snapshot>& a,
                                 const std::shared_ptr<const Snapshot>& b) {
    return comparisonNotes(compareRuns(a, b), a, b);
}

TEST(ComparisonNotes, LikeRunsNeedNone) {
    EXPECT_THAT(notesOf(openSampleRun("small-fp32-naive"), openSampleRun("small-bf16-naive")),
                testing::IsEmpty());
}

TEST(ComparisonCautions, ASingleMeasuredStepIsCautionedOf) {
    RunByHand one, two;
    one.stepLengths = {20 * kMs, 20 * kMs};  // the first warms up
    two.stepLengths = {20 * kMs, 20 * kMs, 20 * kMs};
    const auto single = one.snapshot(), several = two.snapshot(), other = one.snapshot();
    EXPECT_THAT(comparisonCautions(*several, *two.snapshot()), testing::IsEmpty());
    EXPECT_THAT(comparisonCautions(*single, *several),
                testing::ElementsAre(HasSubstr("one step of A was measured: ")));
    EXPECT_THAT(comparisonCautions(*several, *single),
                testing::ElementsAre(HasSubstr("one step of B was measured: ")));
    EXPECT_THAT(comparisonCautions(*single, *other),
                testing::ElementsAre(HasSubstr("one step of each run was measured: ")));
    EXPECT_THAT(comparisonCautions(*single, *single), testing::IsEmpty()) << "one and the same";
}

TEST(ComparisonNotes, AForwardPassAgainstAStepIsComparedByWhatBothDo) {
    const auto a = openSampleRun("xl-bf16-forward"), b = openSampleRun("small-bf16-flash");
    const ComparisonHeadline headline = headlineOf(compareRuns(a, b), *a, *b);
    EXPECT_THAT(headline.text(), AllOf(StartsWith("forward "), Not(HasSubstr("per step"))));
    EXPECT_LT(*headline.commonB, *headline.stepB / 2) << "of the step its forward alone";
    EXPECT_THAT(notesOf(a, b), AllOf(Contains(HasSubstr("A runs a forward pass, B a training step")),
                                     Contains(HasSubstr("in A only"))));
    // And the other way round.
    EXPECT_THAT(headlineOf(compareRuns(b, a), *b, *a).text(), HasSubstr("slower"));
    EXPECT_THAT(notesOf(b, a), Contains(HasSubstr("in B only")));
}

TEST(ComparisonNotes, ARunOutOfMemoryHasNoTimes) {
    const auto a = openSampleRun("large-fp32-out-of-memory"), b = openSampleRun("small-bf16-flash");
    EXPECT_THAT(notesOf(a, b), Contains(HasSubstr("A ran out of memory in the forward pass of step 0")));
    const ComparisonHeadline headline = headlineOf(compareRuns(a, b), *a, *b);
    EXPECT_THAT(headline.text(), StartsWith("peak memory"));
    EXPECT_FALSE(headline.matmulShareA);
}

TEST(ComparisonNotes, SaysOfWarmUpsThatTheyStandIn) {
    RunByHand a, b;
    a.config.warmup = 3;
    EXPECT_THAT(notesOf(a.snapshot(), b.snapshot()),
                Contains("A has no measured step: its warm-up steps stand in, which first uses make slow."));
    b.stepLengths = {};
    EXPECT_THAT(notesOf(a.snapshot(), b.snapshot()), Contains(HasSubstr("B has no complete step")));
}

TEST(ComparisonNotes, ARunBesideItselfIsToldSo) {
    const auto once = openSampleRun("small-bf16-flash"), again = openSampleRun("small-bf16-flash");
    EXPECT_THAT(notesOf(once, again), Contains(HasSubstr("the same run")));
}

TEST(ComparisonNotes, OtherSoftwareIsNamedWithBothVersions) {
    RunByHand a, b;
    a.info = {{"torch.version", "2.9.1"},
              {"cuda.runtime", "12.8"},
              {"warpglass.version", "0.1.0"},
              {"attention.backend", "flash attention"}};
    b.info = {{"torch.version", "2.11.0"},
              {"cuda.runtime", "13.0"},
              {"warpglass.version", "0.1.0"},
              {"cuda.driver", "13.0"},
              {"attention.backend", "math"}};
    EXPECT_THAT(
        notesOf(a.snapshot(), b.snapshot()),
        testing::IsSupersetOf({"A ran with LibTorch 2.9.1, CUDA 12.8; B with LibTorch 2.11.0, CUDA 13.0.",
                               "LibTorch chose flash attention for A's attention, math for B's."}));
    // What only one of them states is no difference.
    b.info = {{"torch.version", "2.9.1"}, {"cuda.driver", "13.0"}};
    EXPECT_THAT(notesOf(a.snapshot(), b.snapshot()), Not(Contains(HasSubstr(" ran with "))));
    EXPECT_THAT(notesOf(a.snapshot(), b.snapshot()), Not(Contains(HasSubstr("chose"))));
}

TEST(ComparisonNotes, AreShortWhateverAFileStates) {
    RunByHand a, b;
    const std::string endless(1 << 20, 'x');
    a.info = {{"config.mode", endless}, {"device.name", endless}};
    b.info = {{"config.mode", "forward"}, {"device.name", "CPU"}};
    const std::vector<std::string> notes = notesOf(a.snapshot(), b.snapshot());
    EXPECT_THAT(notes, AllOf(Contains(HasSubstr("A runs xxx")), Contains(HasSubstr("A ran on xxx"))));
    for (const std::string& note : notes)
        EXPECT_LT(note.size(), 500u);
}

TEST(ComparisonNotes, AGpuStandsAgainstACpuByEachOnesClock) {
    RunByHand a;
    a.kernels = {{.begin = 0, .end = 40 * kMs}};
    const RandomRun b({.seed = 2});
    const RunComparison comparison = compareRuns(a.snapshot(), b.snapshot());
    ASSERT_TRUE(comparison.mixed());
    EXPECT_THAT(comparisonNotes(comparison, a.snapshot(), b.snapshot()),
                Contains(HasSubstr("Only A has kernels of a GPU, so kernels do not compare")));
    double inA = 0, inB = 0, ops = 0;
    for (const ComparisonRow& row : comparison.mixedOps) {
        inA += row.a;
        inB += row.b;
    }
    for (const ComparisonRow& row : comparison.ops)
        ops += row.b;
    EXPECT_DOUBLE_EQ(inA, 40.0 * kMs);
    EXPECT_NEAR(inB, ops, 1e-3);
    EXPECT_GT(ops, 0);
}

}  // namespace warpglass::test::comparison_scope_test
