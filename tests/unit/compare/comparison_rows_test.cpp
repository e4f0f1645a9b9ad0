// The rows of kernels as the window names them, and the way from a row to its kernels and back.
#include "ui/compare/comparison_rows.h"
#include "tests/support/sample_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "engine/query/spans/step_spans.h"
#include "tests/support/must.h"

namespace warpglass::ui::comparison_rows_test {

std::shared_ptr<const ComparisonFigures> meanOf(const std::string& nameA, const std::string& nameB) {
    const auto folded = [](const std::string& name) {
        auto memory = std::make_shared<MemoryTimeline>();
        memory->update(test::openSampleRun(name));
        return memory;
    };
    return comparisonFacts(folded(nameA), folded(nameB))->mean;
}

TEST(ComparisonRows, TheTotalSaysWhatLeadsToTheHeadline) {
    const auto figures = meanOf("small-fp32-naive", "small-bf16-naive");
    for (const ComparedTable table : {ComparedTable::kKernels, ComparedTable::kOps}) {
        const auto total = totalOf(*figures, table);
        ASSERT_TRUE(total && figures->time);
        const Bridge::Part& rest = figures->time->parts.back();
        EXPECT_EQ(rest.name, "idle and host");
        EXPECT_NEAR(total->a + static_cast<double>(rest.a), *figures->headline.stepA, 100);
        EXPECT_NEAR(total->b + static_cast<double>(rest.b), *figures->headline.stepB, 100);
        EXPECT_EQ(total->name, "Total; with " + figures->time->signedFigure(rest.difference()) +
                                   " of idle and host it is the step's " +
                                   figures->time->figure(figures->time->a) + " → " +
                                   figures->time->figure(figures->time->b));
    }
    ComparisonFigures perToken = *figures;
    perToken.time.reset();
    EXPECT_EQ(totalOf(perToken, ComparedTable::kKernels)->name, "Total");
}

TEST(ComparisonRows, OursStandBesideTheLibrarysKernelsOfTheSameWork) {
    const auto a = test::openSampleRun("small-bf16-graph"), b = test::openSampleRun("small-bf16-fused");
    ASSERT_TRUE(a && b);
    const auto figures = meanOf("small-bf16-graph", "small-bf16-fused");
    const std::vector<ComparisonRow> rows = rowsOf(*figures, ComparedTable::kKernels);
    const auto rowShown = [&rows](const std::string& shown) {
        const auto found = std::ranges::find(rows, shown, &ComparisonRow::shownName);
        EXPECT_NE(found, rows.end()) << shown;
        return found == rows.end() ? ComparisonRow() : *found;
    };
    const ComparisonRow update = rowShown("AdamW\u2003multi-tensor · fused adam fp32 → fused adamw fp32");
    EXPECT_EQ(
        update.fullName,
        "AdamW\nA:\n  aten::_fused_adamw_  multi_tensor_apply_kernel\nB:\n  warpglass::adamw  adamwKernel");
    const ComparisonRow attention = rowShown(
        "Attention, backward\u2003flash attention · backward and 2 more → flash attention · "
        "backward, Hopper bf16 and 2 more");
    for (const bool ofA : {true, false}) {
        const Snapshot& run = ofA ? *a : *b;
        const auto at = test::must(landmarkOf(*figures, ComparedTable::kKernels, attention, ofA));
        EXPECT_EQ(at.phase, Phase::kBackward);
        const auto found = findLandmark(run, endedSteps(run).back(), at);
        ASSERT_TRUE(found && found->span);
        const auto kernel = test::must(landmarkAt(run, *found->span));
        EXPECT_EQ(rowNameOf(*figures, ComparedTable::kKernels, kernel, at.kernels.front(), ofA),
                  attention.name);
    }
    const auto total = totalOf(*figures, ComparedTable::kKernels),
               ofOps = totalOf(*figures, ComparedTable::kOps);
    ASSERT_TRUE(total && ofOps);
    EXPECT_NEAR(total->a, ofOps->a, 1);
    EXPECT_NEAR(total->b, ofOps->b, 1);
}

}  // namespace warpglass::ui::comparison_rows_test
