#include "engine/query/compare/kernel_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/query/compare/comparison.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass {
namespace kernel_match_test {

using test::kMs;
using testing::ElementsAre;

TEST(KernelMatch, IsByOpAndNameAndThenByOpAlone) {
    test::RunByHand a, b;
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
    const auto a = test::openSampleRun("small-fp32-naive"), b = test::openSampleRun("small-bf16-naive");
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

TEST(KernelMatch, AsRowsSaysWhatEitherRunLacks) {
    const auto a = test::openSampleRun("small-fp32-naive"), b = test::openSampleRun("small-bf16-naive");
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
    const auto none = test::traceOf();
    EXPECT_TRUE(matchKernels(*none, *none).empty());
}

}  // namespace kernel_match_test
}  // namespace warpglass
