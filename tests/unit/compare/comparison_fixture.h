// The comparison of two real runs, fp32 and bf16 of one step, of a GPU, and what a person does with it.
#pragma once

#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>

#include "tests/support/sample_run.h"
#include "ui/compare/comparison_view.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"

namespace warpglass::ui {

/// What the window leaves a comparison at 1280 × 720, with the run panel; and at 1785 × 1000.
inline constexpr QSize kLow(995, 624), kRoomy(1500, 904);

struct ComparisonViewTest : testing::Test {
    void SetUp() override {
        view.resize(1280, 720);
        view.show();
        view.setRuns({"one", open("small-fp32-naive"), nullptr}, {"two", open("small-bf16-naive"), nullptr});
        view.refreshNow();
        view.chooseSteps(1, 1);  // of one number, whatever their medians are
    }
    ComboBox* combo(const char* name) { return view.findChild<ComboBox*>(QString::fromLatin1(name)); }
    MemoryDifferencePlot* chart() { return view.findChild<MemoryDifferencePlot*>(); }
    void resize(QSize size) {
        view.resize(size);
        QTest::qWait(0);
    }
    /// As a person chooses it: by the keyboard, from wherever it is.
    void chooseStep(const char* name, int index) {
        ComboBox* steps = combo(name);
        QTest::keyClick(steps, Qt::Key_Home);
        for (int i = 0; i < index; ++i)
            QTest::keyClick(steps, Qt::Key_Down);
        ASSERT_EQ(steps->currentIndex(), index);
    }
    void chooseSteps(int index) {
        QTest::mouseClick(
            static_cast<QWidget*>(view.findChild<SegmentedControl*>("comparedSteps")->button(index)),
            Qt::LeftButton);
    }
    double value(int row, int column) { return view.model().index(row, column).data(kPlainRole).toDouble(); }
    static std::shared_ptr<const Snapshot> open(const char* name) { return test::openSampleRun(name); }
    void compare(const char* a, const char* b) {
        view.setRuns({"one", open(a), nullptr}, {"two", open(b), nullptr});
        view.refreshNow();
        if (std::string(a) != b)
            view.chooseSteps(1, 1);
    }
    DataTable* table() { return view.findChild<DataTable*>("comparisonRows"); }
    void clickRow(int row) {
        const QModelIndex index = table()->proxy()->index(row, 0);
        table()->scrollTo(index);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(index).center());
    }
    /// That can be read as they are, without the scroll bar.
    int wholeRows() {
        const int height = table()->viewport()->height();
        return table()->isVisible() ? height / table()->rowHeight(0) : 0;
    }
    static StepSpan step(const ComparisonView::Side& side, std::size_t index) {
        return endedSteps(*side.snapshot)[index];
    }
    Landmark landmark(const char* text) {
        for (const Landmark& candidate : landmarksOf(*view.sideB().snapshot, step(view.sideB(), 1))) {
            if (candidate.text() == text)
                return candidate;
        }
        ADD_FAILURE() << "no " << text;
        return {};
    }
    void expectAlignedAt(const Landmark& at) {
        const auto inA = findLandmark(*view.sideA().snapshot, step(view.sideA(), 1), at);
        const auto inB = findLandmark(*view.sideB().snapshot, step(view.sideB(), 1), at);
        ASSERT_TRUE(inA && inB);
        EXPECT_EQ(view.link().offset(), inB->range.begin - inA->range.begin);
        EXPECT_TRUE(view.axisOfA().visibleRange().contains(inA->range.begin));
        EXPECT_TRUE(view.axisOfB().visibleRange().contains(inB->range.begin));
    }
    QString label(const char* name) { return view.findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    void chooseTable(int index) {
        QTest::mouseClick(
            static_cast<QWidget*>(view.findChild<SegmentedControl*>("comparisonTables")->button(index)),
            Qt::LeftButton);
    }

    ComparisonView view;
};

}  // namespace warpglass::ui
