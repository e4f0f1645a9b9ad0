// The comparison of two real runs: fp32 and bf16 of one step, recorded on a GPU.
#include "ui/compare/comparison_view.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "engine/io/run_file.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/data_table.h"
#include "ui/theme/segmented_control.h"

namespace warpglass::ui {
namespace {

class ComparisonViewTest : public testing::Test {
protected:
    void SetUp() override {
        const auto a = openRun(WARPGLASS_SAMPLE_RUNS "/small-fp32-naive.wgrun");
        const auto b = openRun(WARPGLASS_SAMPLE_RUNS "/small-bf16-naive.wgrun");
        ASSERT_TRUE(a && b);
        view.resize(1280, 720);
        view.show();
        view.setRuns({QStringLiteral("one"), a->snapshot, nullptr},
                     {QStringLiteral("two"), b->snapshot, nullptr});
        view.refreshNow();
    }
    QString label(const char* name) { return view.findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    void chooseTable(int index) {
        QTest::mouseClick(
            reinterpret_cast<QWidget*>(
                view.findChild<SegmentedControl*>(QStringLiteral("comparisonTables"))->button(index)),
            Qt::LeftButton);
    }

    ComparisonView view;
};

TEST_F(ComparisonViewTest, SaysWhatDiffersAndHowMuchFasterItIs) {
    EXPECT_EQ(label("comparisonSettings"), QStringLiteral("precision fp32 → bf16"));
    EXPECT_TRUE(label("comparisonHeadline").contains(QStringLiteral("× faster")))
        << label("comparisonHeadline").toStdString();
    EXPECT_TRUE(label("comparisonHeadline").contains(QStringLiteral("peak memory")));
    EXPECT_TRUE(label("comparisonHeadline").contains(QStringLiteral("matrix products")));
}

TEST_F(ComparisonViewTest, SwappingTurnsEverythingRound) {
    const QString before = label("comparisonHeadline");
    QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("swapRuns")), Qt::LeftButton);
    view.refreshNow();
    EXPECT_EQ(label("comparisonSettings"), QStringLiteral("precision bf16 → fp32"));
    EXPECT_NE(label("comparisonHeadline"), before);
    EXPECT_TRUE(label("comparisonHeadline").contains(QStringLiteral("× slower")));
}

TEST_F(ComparisonViewTest, TheSameStepsBeginAtTheSamePlace) {
    auto* steps = view.findChild<ComboBox*>(QStringLiteral("alignedStep"));
    ASSERT_GE(steps->count(), 3);
    std::vector<Nanoseconds> begins;
    for (int i = 0; i < steps->count(); ++i) {
        view.alignAtStep(i);
        begins.push_back(view.axisOfA().visibleRange().begin);
        EXPECT_EQ(view.axisOfA().visibleRange().duration(), view.axisOfB().visibleRange().duration());
    }
    EXPECT_LT(begins[0], begins[1]);
    EXPECT_LT(begins[1], begins[2]);
}

TEST_F(ComparisonViewTest, EveryTableHasRowsOfItsOwn) {
    QStringList firsts;
    for (int table = 0; table < 5; ++table) {
        chooseTable(table);
        ASSERT_GT(view.model().rowCount(), 3) << table;
        firsts << view.model().index(0, ComparisonModel::kName).data().toString();
    }
    EXPECT_EQ(QSet<QString>(firsts.begin(), firsts.end()).size(), 5) << firsts.join(u' ').toStdString();
    EXPECT_EQ(firsts[3], QStringLiteral("forward"));
    EXPECT_EQ(firsts[4], QStringLiteral("weights"));
}

TEST_F(ComparisonViewTest, TheCursorReadsBothMemories) {
    view.axisOfB().setCursor(view.axisOfB().visibleRange().begin + Nanoseconds(1'000'000));
    EXPECT_TRUE(label("comparisonReading").contains(QStringLiteral("GiB")));
    view.axisOfB().setCursor(std::nullopt);
    EXPECT_EQ(label("comparisonReading"), QString());
}

TEST_F(ComparisonViewTest, EscapeAndCloseLeave) {
    QSignalSpy closed(&view, &ComparisonView::closeRequested);
    QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("closeComparison")), Qt::LeftButton);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(closed.count(), 2);
}

}  // namespace
}  // namespace warpglass::ui
