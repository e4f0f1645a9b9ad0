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

#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "ui/compare/comparison_view.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

/// What the window leaves a comparison at 1280 × 720, with the run panel; and at 1785 × 1000.
inline constexpr QSize kLow(995, 624), kRoomy(1500, 904);

struct ComparisonViewTest : testing::Test {
    void SetUp() override {
        view.resize(1280, 720);
        view.show();
        compare("small-fp32-naive", "small-bf16-naive");
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
    void choose(const char* control, int index) {
        auto* button = view.findChild<SegmentedControl*>(QString::fromLatin1(control))->button(index);
        QTest::mouseClick(static_cast<QWidget*>(button), Qt::LeftButton);
    }
    void chooseSteps(int index) { choose("comparedSteps", index); }
    void chooseTable(int index) { choose("comparisonTables", index); }
    QVariant data(int row, const char* column, int role) {
        return view.model().index(row, ComparisonModel::place(column)).data(role);
    }
    double value(int row, const char* column) { return data(row, column, kPlainRole).toDouble(); }
    static std::shared_ptr<const Snapshot> open(const char* name) { return test::openSampleRun(name); }
    void compare(std::shared_ptr<const Snapshot> a, std::shared_ptr<const Snapshot> b) {
        view.setRuns({"one", std::move(a), nullptr}, {"two", std::move(b), nullptr});
        view.refreshNow();
    }
    void compare(const char* a, const char* b) {
        compare(open(a), open(b));
        if (std::string(a) != b)
            view.chooseSteps(1, 1);  // of one number, whatever their medians are
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
    static FoundLandmark find(const ComparisonView::Side& side, const Landmark& at, std::size_t inStep = 1) {
        return test::must(findLandmark(*side.snapshot, step(side, inStep), at));
    }
    void expectAlignedAt(const Landmark& at) {
        const FoundLandmark inA = find(view.sideA(), at), inB = find(view.sideB(), at);
        EXPECT_EQ(view.link().offset(), inB.range.begin - inA.range.begin);
        EXPECT_TRUE(view.axisOfA().visibleRange().contains(inA.range.begin));
        EXPECT_TRUE(view.axisOfB().visibleRange().contains(inB.range.begin));
    }
    QString label(const char* name) { return view.findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    /// The rows of what the GPU's streams did.
    static std::vector<TimelineTrack> streamsOf(TimelineView& timeline) {
        std::vector<TimelineTrack> streams = timeline.rows().tracks();
        std::erase_if(streams, [](const TimelineTrack& track) {
            return track.kind != TrackKind::kGpuStream || track.gpu;
        });
        return streams;
    }

    ComparisonView view;
};

}  // namespace warpglass::ui
