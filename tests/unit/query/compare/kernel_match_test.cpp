#include "engine/query/compare/kernel_match.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/plan/own_parts.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/spans/step_spans.h"
#include "engine/query/spans/work_times.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::kernel_match_test {

using testing::ElementsAre;

TEST(KernelMatch, IsByOpAndNameAndThenByOpAlone) {
    RunByHand a, b;
    a.stepLengths = b.stepLengths = {20 * kMs, 20 * kMs, 20 * kMs};
    a.kernels = {{.begin = 0, .end = 4 * kMs, .op = "aten::mm", .name = "sgemm_large"},
                 {.begin = 4 * kMs, .end = 5 * kMs, .op = "aten::mm", .name = "sgemm_small"},
                 {.begin = 5 * kMs, .end = 8 * kMs, .op = "aten::add", .name = "add_kernel"},
                 {.begin = 8 * kMs, .end = 9 * kMs, .op = "aten::mul", .name = "add_kernel"}};
    b.kernels = {{.begin = 0, .end = 2 * kMs, .op = "aten::mm", .name = "bf16gemm"},
                 {.begin = 5 * kMs, .end = 6 * kMs, .op = "aten::add", .name = "add_kernel"},
                 {.begin = 6 * kMs, .end = 8 * kMs, .op = "aten::copy_", .name = "cast"}};
    const std::vector<KernelMatch> matches = matchKernels(*a.snapshot(), *b.snapshot());
    ASSERT_EQ(matches.size(), 4u);
    EXPECT_EQ(matches[0].op, "aten::mm");
    EXPECT_THAT(matches[0].namesA, ElementsAre("sgemm_large", "sgemm_small"));
    EXPECT_THAT(matches[0].namesB, ElementsAre("bf16gemm"));
    EXPECT_DOUBLE_EQ(matches[0].a, 5 * kMs);
    EXPECT_DOUBLE_EQ(matches[0].b, 2 * kMs);
    EXPECT_DOUBLE_EQ(matches[0].instancesA, 2) << "a step, of two";
    EXPECT_EQ(matches[0].name(), "aten::mm  sgemm_large and 1 more → bf16gemm");
    EXPECT_TRUE(matches[1].sameName());
    EXPECT_EQ(matches[1].name(), "aten::add  add_kernel");
    EXPECT_DOUBLE_EQ(matches[1].b - matches[1].a, -2 * kMs);
    EXPECT_EQ(matches[2].name(), "aten::copy_  nothing → cast");
    EXPECT_EQ(matches[3].name(), "aten::mul  add_kernel → nothing") << "one name under two ops is two things";
}

TEST(KernelMatch, OfRealRunsHoldsAllOfTheirTime) {
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    double sumA = 0, sumB = 0, expectedA = 0, expectedB = 0, matched = 0;
    for (const KernelMatch& match : matchKernels(*a, *b)) {
        sumA += match.a;
        sumB += match.b;
        matched += !match.namesA.empty() && !match.namesB.empty() ? match.a : 0;
    }
    for (const ComparisonRow& row : compareRuns(a, b).kernels) {
        expectedA += row.a;
        expectedB += row.b;
    }
    EXPECT_NEAR(sumA, expectedA, 1);
    EXPECT_NEAR(sumB, expectedB, 1);
    EXPECT_GT(matched, 0.9 * sumA) << "nearly all work of one precision is beside what does it in the other";
}

const KernelMatch* matchCalled(const std::vector<KernelMatch>& matches, const std::string& work) {
    const auto found = std::ranges::find(matches, work, &KernelMatch::work);
    return found == matches.end() ? nullptr : &*found;
}

/// ns a step of what some rows of the run's work times took.
template <class Takes>
double timeOf(const Snapshot& run, Takes&& takes) {
    const WorkTimes times = workTimes(run);
    double time = 0;
    for (const WorkRow& row : times.rows) {
        if (takes(run.place(row.place), run.name(row.op)))
            time += static_cast<double>(row.time);
    }
    return time / static_cast<double>(times.steps);
}

TEST(KernelMatch, OfOursAndTheLibrarysIsByTheWorkTheyDo) {
    const auto a = openSampleRun("small-bf16-graph"), b = openSampleRun("small-bf16-fused");
    const std::vector<KernelMatch> matches = matchKernels(*a, *b);
    for (const char* work : {"AdamW", "SwiGLU", "SwiGLU, backward", "Attention", "Attention, backward",
                             "RMSNorm and residual add", "RMSNorm and residual add, backward",
                             "Rotation and layout", "Rotation and layout, backward", "Cross-entropy",
                             "Cross-entropy, backward", "Embedding, backward"}) {
        const KernelMatch* match = matchCalled(matches, work);
        ASSERT_TRUE(match) << work;
        EXPECT_GT(match->a, 0) << work;
        EXPECT_GT(match->b, 0) << work;
    }
    const KernelMatch& update = *matchCalled(matches, "AdamW");
    EXPECT_EQ(update.name(), "AdamW: aten::_fused_adamw_ → warpglass::adamw");
    EXPECT_NEAR(update.a, timeOf(*a, [](const Place&, auto op) { return op == "aten::_fused_adamw_"; }), 1);
    const KernelMatch& attention = *matchCalled(matches, "Attention, backward");
    EXPECT_EQ(attention.shownName(),
              "Attention, backward: aten::_flash_attention_backward → FlashAttention, backward");
    const KernelMatch& gate = *matchCalled(matches, "SwiGLU, backward");
    EXPECT_NEAR(gate.a,
                timeOf(*a,
                       [&a](const Place& place, std::string_view op) {
                           return place.phase == Phase::kBackward &&
                                  a->name(place.module).ends_with(".ffn") &&
                                  (op == "aten::silu_backward" || op == "aten::mul");
                       }),
                1);
    const KernelMatch* casts = matchCalled(matches, "Casts and sums around products");
    ASSERT_TRUE(casts) << "casts that no op of ours makes";
    EXPECT_EQ(casts->name(), "Casts and sums around products: aten::copy_ → nothing");
    EXPECT_NEAR(casts->a,
                timeOf(*a,
                       [&a](const Place& place, std::string_view op) {
                           const std::string_view module = a->name(place.module);
                           return place.phase == Phase::kForward && op == "aten::copy_" &&
                                  !module.ends_with(".attn");
                       }),
                1);
    for (const KernelMatch& match : matches) {
        const bool oneSided = match.namesA.empty() || match.namesB.empty();
        EXPECT_TRUE(!oneSided || match.work.starts_with("Casts")) << match.name();
    }
}

TEST(KernelMatch, HasEachKernelOnce) {
    const std::pair<const char*, const char*> kPairs[] = {{"small-bf16-graph", "small-bf16-fused"},
                                                          {"small-bf16-naive", "small-bf16-fused"},
                                                          {"small-bf16-fused", "small-fp32-naive"},
                                                          {"small-8192-naive", "small-8192-flash"}};
    for (const auto& [nameA, nameB] : kPairs) {
        SCOPED_TRACE(std::string(nameA) + " and " + nameB);
        const auto a = openSampleRun(nameA), b = openSampleRun(nameB);
        double sumA = 0, sumB = 0;
        for (const KernelMatch& match : matchKernels(*a, *b)) {
            sumA += match.a;
            sumB += match.b;
        }
        const auto all = [](const Place&, std::string_view) { return true; };
        EXPECT_NEAR(sumA, timeOf(*a, all), 1);
        EXPECT_NEAR(sumB, timeOf(*b, all), 1);
    }
}

/// A step of the library: attention op by op, its rotation, a gate's product, a cast of a weight.
RunByHand libraryRun() {
    RunByHand run;
    run.config.attention = AttentionVariant::kNaive;
    run.stepLengths = {40 * kMs, 40 * kMs, 40 * kMs};
    run.add(1 * kMs, {.module = "blocks.0.attn", .op = "aten::mul", .name = "rotate"});
    run.add(2 * kMs, {.module = "blocks.0.attn", .part = "scores", .op = "aten::bmm", .name = "qk"});
    run.add(3 * kMs, {.module = "blocks.0.attn", .part = "scores", .op = "aten::mul", .name = "scale"});
    run.add(4 * kMs, {.module = "blocks.0.attn", .part = "softmax", .op = "aten::_softmax", .name = "exp"});
    run.add(5 * kMs, {.module = "blocks.0.attn", .part = "values", .op = "aten::bmm", .name = "pv"});
    run.add(6 * kMs, {.module = "blocks.0.ffn", .op = "aten::mul", .name = "scale"});
    run.add(7 * kMs, {.module = "blocks.0.ffn.w1", .op = "aten::copy_", .name = "cast"});
    return run;
}

TEST(KernelMatch, OfAttentionIsAsFusedAsTheOtherRun) {
    RunByHand a = libraryRun(), flash = libraryRun(), masked = libraryRun();
    flash.config.attention = AttentionVariant::kFlash;
    std::erase_if(flash.kernels, [](const auto& kernel) { return !kernel.part.empty(); });
    flash.add(1 * kMs,
              {.module = "blocks.0.attn", .op = "warpglass::flash_attention", .name = "flashForwardKernel"});
    const std::vector<KernelMatch> withFlash = matchKernels(*a.snapshot(), *flash.snapshot());
    const KernelMatch* all = must(matchCalled(withFlash, "Attention"));
    EXPECT_DOUBLE_EQ(all->a, 14 * kMs) << "products, scale and softmax, and no rotation";
    EXPECT_DOUBLE_EQ(all->b, 1 * kMs);
    EXPECT_FALSE(matchCalled(withFlash, "Rotation and layout")) << "both runs do it by the same ops";
    EXPECT_FALSE(matchCalled(withFlash, "SwiGLU"));

    std::erase_if(masked.kernels, [](const auto& kernel) {
        return kernel.part == "softmax" || (kernel.part == "scores" && kernel.op == "aten::mul");
    });
    masked.add(2 * kMs, {.module = "blocks.0.attn",
                         .part = "softmax",
                         .op = "warpglass::masked_softmax",
                         .name = "maskedSoftmaxKernel"});
    const std::vector<KernelMatch> withMasked = matchKernels(*a.snapshot(), *masked.snapshot());
    const KernelMatch* between = must(matchCalled(withMasked, "Scale, mask and softmax"));
    EXPECT_DOUBLE_EQ(between->a, 7 * kMs);
    EXPECT_DOUBLE_EQ(between->b, 2 * kMs);
    EXPECT_FALSE(matchCalled(withMasked, "Attention")) << "its products are matched by their kernels";
    EXPECT_TRUE(std::ranges::any_of(
        withMasked, [](const KernelMatch& match) { return match.name() == "aten::bmm  pv"; }));
}

TEST(KernelMatch, OfCastsKnowsARunThatKeepsCopies) {
    RunByHand a = libraryRun(), b = libraryRun();
    b.config.linear = LinearVariant::kFused;
    std::erase_if(b.kernels, [](const auto& kernel) { return kernel.name == "cast"; });
    const std::vector<KernelMatch> matches = matchKernels(*a.snapshot(), *b.snapshot());
    const KernelMatch* casts = must(matchCalled(matches, "Casts and sums around products"));
    EXPECT_DOUBLE_EQ(casts->a, 7 * kMs);
    EXPECT_TRUE(casts->namesB.empty());
    a.config.precision = b.config.precision = Precision::kFp32;
    EXPECT_FALSE(matchCalled(matchKernels(*a.snapshot(), *b.snapshot()), "Casts and sums around products"))
        << "where nothing is cast, keeping copies spares nothing";
}

TEST(KernelMatch, OfRunsWithTheSameOpsOfOursIsByOp) {
    const auto run = openSampleRun("small-bf16-fused");
    for (const KernelMatch& match : matchKernels(*run, *run)) {
        EXPECT_EQ(match.work, "");
        EXPECT_TRUE(match.sameName()) << match.name();
    }
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    for (const KernelMatch& match : matchKernels(*a, *b))
        EXPECT_EQ(match.work, "") << "both are the library's";
}

TEST(KernelMatch, KnowsWhereItsKernelsAre) {
    const auto a = openSampleRun("small-bf16-graph"), b = openSampleRun("small-bf16-fused");
    const auto checkIn = [](const Snapshot& run, const KernelOrigin& origin, const std::string& name) {
        SCOPED_TRACE(name);
        const std::vector<StepSpan> steps = endedSteps(run);
        ASSERT_FALSE(steps.empty());
        const auto found = must(findLandmark(run, steps.back(), origin.landmark));
        ASSERT_TRUE(found.span);
        const auto at = must(landmarkAt(run, *found.span));
        const auto holds = [&](const KernelOrigin::Place& place) { return origin.holds(at, place.kernel); };
        EXPECT_TRUE(std::ranges::any_of(origin.places, holds));
        EXPECT_FALSE(origin.holds(at, "no kernel"));
    };
    for (const KernelMatch& match : matchKernels(*a, *b)) {
        if (!match.namesA.empty())
            checkIn(*a, match.originA, match.name());
        if (!match.namesB.empty())
            checkIn(*b, match.originB, match.name());
    }
}

TEST(KernelMatch, AnOpOfTheLibraryIsInOneWork) {
    const Implementation* const kOurs[] = {
        &planOf(NormVariant::kFused).is,      &planOf(FeedForwardVariant::kFused).is,
        &planOf(EmbeddingVariant::kFused).is, &planOf(RotaryVariant::kFused).is,
        &planOf(LossVariant::kFused).is,      &planOf(LinearVariant::kFused).is,
        &planOf(OptimizerVariant::kFused).is};
    for (const Implementation* ours : kOurs) {
        SCOPED_TRACE(ours->choice.word);
        EXPECT_FALSE(ours->work.empty());
        EXPECT_EQ(ownImplementationFor(ours->work), ours);
        EXPECT_FALSE(ours->standsFor.empty());
        for (const LibraryOps& library : ours->standsFor) {
            for (const std::string_view modules : library.modules) {
                for (const std::string_view op : library.ops)
                    EXPECT_EQ(ownImplementationOf(library.phase, modules, op, ""), ours)
                        << op << " in " << modules;
            }
        }
        for (const OwnKernel& kernel : ours->kernels)
            EXPECT_EQ(ownImplementationOf(PlanPhase::kForward, "", "", kernel.name), ours) << kernel.name;
    }
    EXPECT_FALSE(ownImplementationOf(PlanPhase::kForward, "blocks.*.ffn.w1", "aten::mm", "sgemm"));
    EXPECT_FALSE(ownImplementationFor(""));
}

TEST(KernelMatch, AsRowsHasTitlesForPeople) {
    const auto a = openSampleRun("small-bf16-graph"), b = openSampleRun("small-bf16-fused");
    const RunComparison comparison = compareRuns(a, b);
    const auto rows = kernelRows(matchKernels(*a, *b), comparison);
    const auto attention = std::ranges::find_if(
        rows, [](const ComparisonRow& row) { return row.name.starts_with("Attention, backward"); });
    ASSERT_NE(attention, rows.end());
    EXPECT_EQ(attention->shownName,
              "Attention, backward: aten::_flash_attention_backward → FlashAttention, backward");
    EXPECT_EQ(attention->fullName, attention->name);
    const auto op = std::ranges::find_if(comparison.gpuOps, [](const ComparisonRow& row) {
        return row.name.ends_with("FlashAttentionFunction>");
    });
    ASSERT_NE(op, comparison.gpuOps.end());
    EXPECT_EQ(op->shownName, "FlashAttention, backward");
    EXPECT_EQ(op->fullName, op->name);
}

TEST(KernelMatch, AsRowsSaysWhatEitherRunLacks) {
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    const std::vector<KernelMatch> matches = matchKernels(*a, *b);
    RunComparison comparison = compareRuns(a, b);
    const std::vector<ComparisonRow> rows = kernelRows(matches, comparison);
    ASSERT_EQ(rows.size(), matches.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].name, matches[i].name());
        EXPECT_EQ(rows[i].difference(), matches[i].b - matches[i].a);
        EXPECT_EQ(rows[i].inA, !matches[i].namesA.empty());
        EXPECT_EQ(rows[i].inB, !matches[i].namesB.empty());
        EXPECT_FALSE(rows[i].isUnknown());
    }
    ASSERT_FALSE(comparison.kernels.empty());
    comparison.kernels.front().recordsLostB = true;
    for (const ComparisonRow& row : kernelRows(matches, comparison))
        EXPECT_TRUE(row.isUnknown() && row.recordsLostB && !row.recordsLostA) << row.name;
}

TEST(KernelMatch, OfRunsWithoutKernelsIsEmpty) {
    const auto none = traceOf();
    EXPECT_TRUE(matchKernels(*none, *none).empty());
}

}  // namespace warpglass::test::kernel_match_test
