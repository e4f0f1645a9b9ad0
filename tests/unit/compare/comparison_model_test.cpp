#include "ui/compare/comparison_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

namespace warpglass::ui::comparison_model_test {

ComparisonRow row(const char* name, double a, double b, bool inA = true, bool inB = true) {
    return {.name = name, .a = a, .b = b, .inA = inA, .inB = inB};
}

struct ComparisonModelTest : testing::Test {
    QVariant data(int row, const char* column, int role) {
        return model.index(row, ComparisonModel::place(column)).data(role);
    }
    QString cell(int row, const char* column) { return data(row, column, Qt::DisplayRole).toString(); }
    QString exact(int row, const char* column) { return data(row, column, Qt::ToolTipRole).toString(); }
    int trend(int row, const char* column) { return data(row, column, kTrendRole).toInt(); }

    ComparisonModel model;
    QAbstractItemModelTester tester{&model};
};

TEST_F(ComparisonModelTest, LessAndMoreAreToldByTheSignAndTheColor) {
    model.setRows({row("faster", 4e6, 1e6), row("slower", 1e6, 4e6), row("alike", 1e6, 1.005e6),
                   row("new", 0, 2e6, false, true), row("gone", 2e6, 0, true, false),
                   row("neither", 0, 0, false, false)},
                  Unit::kNanoseconds, {.code = true});
    EXPECT_EQ(cell(0, "difference"), "−3.00\u202Fms");
    EXPECT_EQ(cell(0, "ratio"), "4.00× faster");
    EXPECT_EQ(trend(0, "difference"), -1);
    EXPECT_EQ(cell(1, "difference"), "+3.00\u202Fms");
    EXPECT_EQ(trend(1, "ratio"), 1);
    EXPECT_EQ(trend(1, "a"), 0);
    EXPECT_EQ(trend(2, "difference"), 0);
    EXPECT_EQ(cell(3, "a"), "–");
    EXPECT_EQ(cell(3, "ratio"), "new");
    EXPECT_EQ(cell(4, "ratio"), "gone");
    EXPECT_EQ(cell(5, "ratio"), "–");
}

TEST_F(ComparisonModelTest, NoTimeIsAFigureAndNoRatio) {
    model.setRows({row("zero-grad", 0, 0), row("optimizer", 0, 2e6)}, Unit::kNanoseconds,
                  {.completeSteps = true, .swatches = Swatch::kPhase},
                  {row("zero-grad", 1 << 20, 1 << 19), row("replay", 1 << 20, 0)});
    EXPECT_EQ(cell(0, "a"), "0\u202Fns");
    EXPECT_EQ(cell(0, "ratio"), "–");
    EXPECT_EQ(trend(0, "difference"), 0);
    EXPECT_EQ(cell(1, "ratio"), "new");
    // What has memory alone says so.
    EXPECT_EQ(cell(2, "a"), "–");
    EXPECT_TRUE(exact(2, "a").contains("memory"));
}

TEST_F(ComparisonModelTest, ExactFiguresAreOfWhatIsThereToPartsOfANanosecond) {
    model.setRows({row("per token", 0.312, 1.5), row("new", 0, 2'000'000, false, true)}, Unit::kNanoseconds,
                  {.code = true});
    EXPECT_EQ(exact(0, "a"), "0.312 ns");
    EXPECT_EQ(exact(0, "b"), "1.500 ns");
    EXPECT_EQ(exact(1, "a"), "–");
    EXPECT_EQ(exact(1, "b"), "2,000,000 ns");
}

TEST_F(ComparisonModelTest, WhatIsNotKnownIsSaidToBeNotReachedOrNotInTheFile) {
    const auto whole = [&](int row) {
        return model.index(row, ComparisonModel::place("ratio")).data(Qt::ToolTipRole).toString();
    };
    ComparisonRow ended = row("ended", 4e6, 0, true, false), lost = row("lost", 0, 4e6, false, true);
    ended.atLeastB = true;
    lost.atLeastA = lost.stepsLostA = true;
    model.setRows({ended, lost}, Unit::kNanoseconds, {.code = true});
    for (const int row : {0, 1}) {
        EXPECT_EQ(cell(row, "difference"), "–");
        EXPECT_EQ(trend(row, "ratio"), 0);
    }
    EXPECT_EQ(cell(0, "ratio"), "not reached");
    EXPECT_TRUE(whole(0).startsWith("B ended before it")) << whole(0).toStdString();
    EXPECT_EQ(cell(1, "ratio"), "not in file");
    EXPECT_TRUE(whole(1).startsWith("A has no complete step in the file")) << whole(1).toStdString();
    model.setRows({ended, lost}, Unit::kNanoseconds, {.completeSteps = true, .code = true});
    EXPECT_EQ(cell(0, "ratio"), "no complete step");
    EXPECT_TRUE(whole(0).startsWith("B has no complete step: ")) << whole(0).toStdString();
    EXPECT_EQ(cell(1, "ratio"), "not in file");
}

TEST_F(ComparisonModelTest, ANameHasItsTimeAndItsMemoryInOneRow) {
    ComparisonRow cut = row("cut", 1 << 20, 0, true, false);
    cut.atLeastB = true;
    model.setRows({row("both", 4e6, 1e6), row("time alone", 1e6, 4e6), row("cut", 1e6, 2e6)},
                  Unit::kNanoseconds, {.completeSteps = true, .code = true},
                  {row("memory alone", 0, 3 << 20, false, true), row("both", 1 << 20, 4 << 20), cut});
    ASSERT_EQ(model.rowCount(), 4);
    EXPECT_EQ(cell(0, "ratio"), "4.00× faster");
    EXPECT_EQ(cell(0, "memory_a_bytes"), "1.00\u202FMiB");
    EXPECT_EQ(cell(0, "memory_difference_bytes"), "+3.00\u202FMiB");
    EXPECT_EQ(cell(0, "memory_ratio"), "4.00×");
    EXPECT_EQ(trend(0, "difference"), -1);
    EXPECT_EQ(trend(0, "memory_difference_bytes"), 1);
    EXPECT_EQ(exact(0, "memory_difference_bytes"), "3,145,728 bytes");
    for (const char* column : {"memory_a_bytes", "memory_b_bytes", "memory_difference_bytes", "memory_ratio"})
        EXPECT_EQ(cell(1, column), "–") << column;
    EXPECT_EQ(cell(2, "memory_ratio"), "not reached");
    EXPECT_EQ(trend(2, "memory_ratio"), 0);
    EXPECT_EQ(cell(3, "name"), "memory alone");
    for (const char* column : {"a", "b", "difference", "ratio"})
        EXPECT_EQ(cell(3, column), "–") << column;
    EXPECT_EQ(cell(3, "memory_ratio"), "new");
    // What is copied: plain numbers with their unit, and nothing where there is none.
    const auto title = [this](int column) {
        return model.headerData(column, Qt::Horizontal, kPlainTitleRole).toString();
    };
    EXPECT_EQ(title(ComparisonModel::place("a")), "A (ns)");
    EXPECT_EQ(title(ComparisonModel::place("memory_difference_bytes")), "Memory difference (bytes)");
    EXPECT_FALSE(model.index(3, ComparisonModel::place("difference")).data(kPlainRole).isValid());
    EXPECT_FALSE(
        model.index(2, ComparisonModel::place("memory_difference_bytes")).data(kPlainRole).isValid());
    EXPECT_EQ(model.index(3, ComparisonModel::place("memory_b_bytes")).data(kPlainRole).toDouble(), 3 << 20);
}

TEST_F(ComparisonModelTest, TheLargestChangeSortsFirstWhicheverWay) {
    model.setRows({row("up", 1, 11), row("down", 50, 10)}, Unit::kBytes, {.swatches = Swatch::kCategory});
    EXPECT_EQ(model.index(0, ComparisonModel::place("difference")).data(kSortRole).toDouble(), 10);
    EXPECT_EQ(model.index(1, ComparisonModel::place("difference")).data(kSortRole).toDouble(), 40);
}

TEST_F(ComparisonModelTest, RatiosSortFromWhatIsGoneToWhatIsNew) {
    ComparisonRow ended = row("ended", 4e6, 0, true, false);
    ended.atLeastB = true;
    // In the order of their ratios.
    model.setRows({ended, row("gone", 2e6, 0, true, false), row("faster", 4e6, 1e6), row("slower", 1e6, 4e6),
                   row("new", 0, 2e6, false, true)},
                  Unit::kNanoseconds, {.code = true});
    const auto sorted = [this](int row) {
        return model.index(row, ComparisonModel::place("ratio")).data(kSortRole).toDouble();
    };
    for (int row = 1; row < model.rowCount(); ++row)
        EXPECT_LT(sorted(row - 1), sorted(row)) << row;
}

TEST_F(ComparisonModelTest, WhatIsABoundOrNotKnownIsNoFigure) {
    ComparisonRow atLeast = row("at least", 1 << 20, 4 << 20), atMost = row("at most", 1 << 20, 4 << 20);
    ComparisonRow lost = row("lost", 1 << 20, 4 << 20);
    atLeast.atLeastB = true;
    atMost.atLeastA = true;
    lost.recordsLostB = true;
    model.setRows({atLeast, atMost, lost}, Unit::kBytes, {});
    EXPECT_EQ(cell(0, "difference"), "≥ +3.00\u202FMiB");
    EXPECT_EQ(cell(0, "ratio"), "≥ 4.00×");
    EXPECT_EQ(cell(1, "difference"), "≤ +3.00\u202FMiB");
    EXPECT_EQ(cell(2, "ratio"), "not in file");
    for (const int column : {ComparisonModel::place("difference"), ComparisonModel::place("ratio")})
        EXPECT_FALSE(model.index(2, column).data(kPlainRole).isValid()) << column;
}

TEST_F(ComparisonModelTest, NamesHaveATitleThatSaysWhatTheyAreOf) {
    const auto title = [this](int role) {
        return model.headerData(ComparisonModel::place("name"), Qt::Horizontal, role).toString();
    };
    EXPECT_EQ(title(Qt::DisplayRole), "Name");
    model.setNameTitle("Memory at the peak");
    EXPECT_EQ(title(Qt::DisplayRole), "Memory at the peak");
    EXPECT_EQ(title(kColumnNameRole), "Name") << "a choice of columns is kept by it";
}

TEST_F(ComparisonModelTest, CategoriesAndPhasesHaveTheirColors) {
    model.setRows({row("weights", 1, 2), row("peak", 3, 4)}, Unit::kBytes, {.swatches = Swatch::kCategory});
    const QVariant swatch = model.index(0, 0).data(kSwatchRole);
    ASSERT_TRUE(swatch.isValid());
    EXPECT_EQ(swatch.value<Swatch>(), (Swatch{Swatch::kCategory, 0}));
    EXPECT_FALSE(model.index(1, 0).data(kSwatchRole).isValid());
    model.setRows({row("backward", 1, 2)}, Unit::kNanoseconds, {.swatches = Swatch::kPhase});
    EXPECT_EQ(model.index(0, 0).data(kSwatchRole).value<Swatch>().value,
              static_cast<std::uint8_t>(Phase::kBackward));
}

}  // namespace warpglass::ui::comparison_model_test
