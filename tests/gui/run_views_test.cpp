// Each open run, and each pair that is compared, keeps how its views were left while another is looked at.
#include <QTabWidget>

#include "app/window/evidence_bar.h"
#include "engine/query/findings/finding.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/synthetic_trace.h"
#include "ui/charts/charts_page.h"
#include "ui/compare/comparison_tables.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/memory/memory_focus.h"
#include "ui/memory/memory_page.h"
#include "ui/models/run_filter.h"
#include "ui/panels/op_table.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::run_views_test {

using Condition = ui::RunFilter::Condition;

struct RunViewsTest : WindowTest {
    RunViewsTest() {
        for (const char* name : {"a.wgrun", "b.wgrun"})
            m_controller.showSnapshot(QString::fromLatin1(name), {test::makeSyntheticRun(), {}});
        m_controller.showRun(0);
        QCoreApplication::processEvents();
    }

    Workspace& views() { return m_window->workspace(); }
    QStringList chips() {
        QStringList texts;
        for (const ui::FilterWords::Chip& chip : views().filter().words().chips())
            texts << chip.text;
        return texts;
    }
    /// To the other run, something else there, and back.
    void visitOther() {
        m_controller.showRun(1);
        views().setPage(Workspace::Page::kSummary);
        views().setPage(Workspace::Page::kViews);
        views().filter().setPhase(Phase::kBackward);
        axis().fitAll();
        QCoreApplication::processEvents();
        m_controller.showRun(0);
        QCoreApplication::processEvents();
    }
    TimeRange quarter() {
        const TimeRange full = axis().fullRange();
        return {full.begin + Nanoseconds(full.duration().value / 4),
                full.begin + Nanoseconds(full.duration().value / 2)};
    }
};

TEST_F(RunViewsTest, ZoomAndItsHistoryComeBack) {
    views().setPage(Workspace::Page::kViews);
    const TimeRange before = axis().visibleRange(), zoomed = quarter();
    axis().setVisibleRange(zoomed);
    visitOther();
    EXPECT_EQ(axis().visibleRange(), zoomed);
    ASSERT_TRUE(axis().canZoomBack());
    axis().zoomBack();
    EXPECT_EQ(axis().visibleRange(), before);
    visitOther();
    ASSERT_TRUE(axis().canZoomForward());
    axis().zoomForward();
    EXPECT_EQ(axis().visibleRange(), zoomed);
    // That of the other run is its own.
    m_controller.showRun(1);
    EXPECT_EQ(axis().visibleRange(), axis().fullRange());
}

TEST_F(RunViewsTest, FilterAndItsHistoryComeBack) {
    views().filter().setPhase(Phase::kForward);
    views().filter().setModule("blocks.0");
    const ui::RunFilter::State left = views().filter().state();
    const QStringList shown = chips();
    visitOther();
    EXPECT_EQ(views().filter().state(), left);
    EXPECT_EQ(chips(), shown);
    views().filter().back();
    EXPECT_EQ(views().filter().state().phase, Phase::kForward);
    EXPECT_EQ(views().filter().state().module, "");
    m_controller.showRun(1);
    EXPECT_EQ(views().filter().state().phase, Phase::kBackward);
}

TEST_F(RunViewsTest, WhatIsSelectedAndTheCursorComeBack) {
    views().setPage(Workspace::Page::kViews);
    views().timeline()->selection().selectNext();
    const auto span = axis().selectedSpan();
    ASSERT_TRUE(span);
    axis().setPinnedCursor(quarter().begin);
    const TimeRange visible = axis().visibleRange();
    visitOther();
    EXPECT_EQ(axis().selectedSpan(), span);
    EXPECT_EQ(axis().pinnedCursor(), quarter().begin);
    EXPECT_EQ(axis().visibleRange(), visible);
    axis().setSelectedRange(quarter());
    const ui::RunFilter::State left = views().filter().state();
    visitOther();
    EXPECT_EQ(axis().selectedRange(), quarter());
    EXPECT_EQ(views().filter().state(), left);
    m_controller.showRun(1);
    EXPECT_FALSE(axis().selectedRange());
}

TEST_F(RunViewsTest, WhatIsFoldedAroundTheSelectedSpanComesBackAsItWas) {
    views().setPage(Workspace::Page::kViews);
    ui::TimelineView& timeline = *views().timeline();
    const auto& snapshot = *m_controller.document().snapshot();
    const TrackId thread = snapshot.tracksOfKind(TrackKind::kCpuThread).front();
    const LaneId deep = snapshot.lanesOf(thread)[2].id();
    const auto isFolded = [&] { return timeline.rows().tracks()[*timeline.rows().trackOf(thread)].folded; };
    axis().setSelectedSpan(ui::SpanRef{deep, 5});
    ASSERT_FALSE(isFolded());
    timeline.labels().toggleFolded();
    ASSERT_TRUE(isFolded());
    visitOther();
    EXPECT_TRUE(isFolded()) << "by the user, with what is selected";
    EXPECT_EQ(axis().selectedSpan(), (ui::SpanRef{deep, 5}));
    axis().setSelectedSpan(ui::SpanRef{deep, 6});
    ASSERT_FALSE(isFolded()) << "it is gone to";
    visitOther();
    EXPECT_FALSE(isFolded());
    m_controller.showRun(1);
    EXPECT_TRUE(isFolded()) << "nothing is selected there";
}

TEST_F(RunViewsTest, PageTabsAndChartComeBack) {
    views().tabs()->setCurrentWidget(views().view("phases"));
    views().showView(views().view("layers"));
    views().memoryPage().showView(views().view("segments"));
    ASSERT_EQ(views().page(), Workspace::Page::kCharts);
    m_controller.showRun(1);
    EXPECT_EQ(views().page(), Workspace::Page::kSummary) << "it is seen for the first time";
    views().showView(views().view("ops"));
    views().charts().showView(views().view("roofline"));
    views().memoryPage().showView(views().view("treemap"));
    m_controller.showRun(0);
    EXPECT_EQ(views().page(), Workspace::Page::kCharts);
    EXPECT_EQ(views().charts().current()->objectName(), "layers");
    EXPECT_EQ(views().tabs()->currentWidget()->objectName(), "phases");
    EXPECT_EQ(views().memoryPage().tabs().currentWidget()->objectName(), "segments");
    m_controller.showRun(1);
    EXPECT_EQ(views().page(), Workspace::Page::kViews);
    EXPECT_EQ(views().charts().current()->objectName(), "roofline");
    EXPECT_EQ(views().tabs()->currentWidget()->objectName(), "ops");
}

TEST_F(RunViewsTest, TheRowOfATableAndItsGroupingComeBack) {
    views().showView(views().view("ops"));
    ui::DataTable& table = views().ops().table();
    views().ops().setGrouping(SpanGrouping::kModule);
    views().ops().refreshNow();
    ASSERT_GT(table.shownRows(), 4);
    table.selectRow(3);
    const ui::DataTable::Place place = table.place();
    ASSERT_FALSE(place.row.isEmpty());
    m_controller.showRun(1);
    views().showView(views().view("ops"));
    views().ops().setGrouping(SpanGrouping::kFlat);
    views().ops().refreshNow();
    table.clearSelection();
    m_controller.showRun(0);
    EXPECT_EQ(views().ops().grouping(), SpanGrouping::kModule);
    views().ops().refreshNow();
    ASSERT_TRUE(waitFor([&] { return table.selectedRows().size() == 1; }));
    EXPECT_EQ(table.place().row, place.row);
    EXPECT_EQ(table.currentIndex().row(), 3);
}

TEST_F(RunViewsTest, WhatTheMemoryPageLooksAtComesBack) {
    views().setPage(Workspace::Page::kMemory);
    ui::MemoryFocus& focus = views().memoryPage().focus();
    focus.setSelected(AllocationId(5));
    ASSERT_TRUE(focus.selected());
    axis().setPinnedCursor(quarter().end);
    focus.setAt(ui::MemoryFocus::At::kCursor);
    ui::AllocationMapView& map = views().memoryPage().map().view();
    map.refreshNow();
    map.bytes().setShown(1000, 50'000);
    const double low = map.bytes().shown().low, high = map.bytes().shown().high;
    ASSERT_GT(high, low);
    visitOther();
    EXPECT_EQ(views().page(), Workspace::Page::kMemory);
    EXPECT_EQ(focus.selected(), AllocationId(5));
    EXPECT_EQ(focus.at(), ui::MemoryFocus::At::kCursor);
    EXPECT_EQ(map.bytes().shown().low, low);
    EXPECT_EQ(map.bytes().shown().high, high);
}

TEST_F(RunViewsTest, TheEvidenceOfAFindingComesBackWithItsWayBack) {
    Finding finding{.rule = "test",
                    .sentence = "It takes long.",
                    .evidence = {.view = EvidenceView::kOps, .phase = Phase::kForward}};
    views().setPage(Workspace::Page::kSummary);
    views().showFinding(finding);
    visitOther();
    EXPECT_EQ(views().evidence().rule(), "test");
    EXPECT_TRUE(views().evidence().isVisible());
    views().filter().back();
    EXPECT_EQ(views().page(), Workspace::Page::kSummary);
}

TEST_F(RunViewsTest, ClosingAnotherRunLeavesTheShownOneAsItIs) {
    views().setPage(Workspace::Page::kViews);
    axis().setVisibleRange(quarter());
    m_controller.closeRun(1);
    EXPECT_EQ(axis().visibleRange(), quarter());
    m_controller.showSnapshot("c.wgrun", {test::makeSyntheticRun(), {}});
    EXPECT_NE(axis().visibleRange(), quarter());
    EXPECT_EQ(views().page(), Workspace::Page::kSummary);
    m_controller.closeRun(0);  // in front of the one shown
    EXPECT_EQ(m_controller.currentRun(), 0);
    EXPECT_EQ(views().page(), Workspace::Page::kSummary);
}

TEST_F(RunViewsTest, AComparisonComesBackAsItWasLeft) {
    m_window->pages().compare(0, 1);
    auto* comparison = m_window->findChild<ui::ComparisonView*>();
    comparison->refreshNow();
    comparison->chooseSteps(1, 0);
    comparison->refreshNow();
    auto* tables = comparison->findChild<ui::ComparisonTables*>();
    tables->bar().setSteps(ComparisonScope::Steps::kSum);
    const TimeRange zoomed = quarter();
    comparison->axisOfA().setVisibleRange(zoomed);
    comparison->axisOfA().setPinnedCursor(zoomed.begin);
    const TimeRange ofB = comparison->axisOfB().visibleRange();

    m_controller.showRun(1);  // its tab
    m_window->pages().compare(1, 0);
    EXPECT_NE(comparison->axisOfA().visibleRange(), zoomed);
    m_controller.showRun(0);
    m_window->pages().compare(0, 1);
    EXPECT_EQ(comparison->axisOfA().visibleRange(), zoomed);
    EXPECT_EQ(comparison->axisOfB().visibleRange(), ofB);
    EXPECT_EQ(comparison->axisOfA().pinnedCursor(), zoomed.begin);
    EXPECT_EQ(tables->bar().steps(), ComparisonScope::Steps::kSum);
    EXPECT_TRUE(comparison->axisOfA().canZoomBack());
}

}  // namespace warpglass::app::run_views_test
