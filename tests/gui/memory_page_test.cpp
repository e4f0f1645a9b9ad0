// The memory page in the window: by mouse and by keyboard, beside the other pages.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include "app/window/focus_mode.h"
#include "app/window/main_window.h"
#include "app/window/run_panel_place.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/session/save_run.h"
#include "tests/support/allocator_model.h"
#include "tests/support/gestures.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "ui/charts/category_key.h"
#include "ui/controls/data_table.h"
#include "ui/controls/refresh.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/memory_plot.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/theme.h"

namespace warpglass::app::memory_page_test {

class MemoryPageInTheWindow : public ::testing::Test {
protected:
    MemoryPageInTheWindow() : m_window(m_controller, MainWindow::Remember::kNothing) {
        m_window.resize(1280, 720);
        m_window.show();
        open(*test::makeSyntheticRun(), "run.wgrun");
    }
    void open(const Snapshot& run, const char* name) {
        const auto path = m_folder / name;
        EXPECT_TRUE(saveRun(run, path));
        QSignalSpy opened(&m_controller, &SessionController::fileOpened);
        m_controller.openFiles({QString::fromStdString(path.string())});
        EXPECT_TRUE(opened.wait(60'000));
        m_window.workspace().setPage(Workspace::Page::kMemory);
        ui::refreshAll(page());
    }
    ui::MemoryPage& page() { return m_window.workspace().memoryPage(); }
    ui::AllocationMapView& map() { return page().map().view(); }

    SessionController m_controller;
    MainWindow m_window;
    test::TemporaryFolder m_folder;
};

TEST_F(MemoryPageInTheWindow, AClickInTheMapSelectsTheAllocationAndItsOpOnTheTimeline) {
    // The first drawn block whose op ran.
    std::vector<ui::MapRect> blocks = map().geometry().blocks;
    std::erase_if(blocks, [](const ui::MapRect& r) { return r.right - r.left < 5 || r.bottom - r.top < 5; });
    bool found = false;
    for (std::size_t i = 0; i < blocks.size() && !found; ++i) {
        const QPoint at(static_cast<int>((blocks[i].left + blocks[i].right) / 2) + map().labelWidth(),
                        static_cast<int>((blocks[i].top + blocks[i].bottom) / 2));
        QTest::mouseClick(&map(), Qt::LeftButton, {}, at);
        ASSERT_TRUE(page().focus().selected());
        const auto* details = page().findChild<QLabel*>(QStringLiteral("selectedAllocation"));
        EXPECT_TRUE(details->isVisible() && details->text().contains(QStringLiteral("requested")));
        found = m_controller.axis().selectedSpan().has_value();
    }
    EXPECT_TRUE(found);
    QTest::keyClick(&map(), Qt::Key_Escape);
    EXPECT_FALSE(page().focus().selected());
}

TEST_F(MemoryPageInTheWindow, TheKeysOfMarksWorkInTheMapToo) {
    const TimeRange all = m_controller.axis().fullRange();
    const Nanoseconds early = all.begin + Nanoseconds(all.duration().value / 4);
    const Nanoseconds late = all.begin + Nanoseconds(all.duration().value / 2);
    m_controller.marks().add(early, "early");
    m_controller.marks().add(late, "late");
    map().setFocus();
    m_controller.axis().setPinnedCursor(all.begin);
    QTest::keyClick(&map(), Qt::Key_N);
    EXPECT_EQ(m_controller.axis().pinnedCursor(), early);
    QTest::keyClick(&map(), Qt::Key_N);
    EXPECT_EQ(m_controller.axis().pinnedCursor(), late);
    QTest::keyClick(&map(), Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(m_controller.axis().pinnedCursor(), early);
}

TEST_F(MemoryPageInTheWindow, TwoCursorsByShiftDragOnTheMapFillTheTable) {
    test::drag(map(), {200, 40}, {400, 40}, Qt::ShiftModifier);
    ASSERT_TRUE(m_controller.axis().selectedRange());
    QWidget* between = test::must(m_window.workspace().view(QStringLiteral("between")));
    m_window.workspace().showView(between);
    EXPECT_EQ(page().tabs().currentWidget(), between);
    ui::refreshAll(page());
    EXPECT_GT(between->findChild<QAbstractItemView*>(QStringLiteral("betweenRows"))->model()->rowCount(), 0);
}

/// The sentence about it takes its height from the table.
TEST_F(MemoryPageInTheWindow, TheRowOfASelectedAllocationIsSeenAboveItsSentence) {
    auto* const table = page().alive().findChild<ui::DataTable*>();
    const std::vector<AllocationId> alive =
        m_controller.document().memory().aliveAt(test::must(page().focus().moment()));
    QTest::keyClick(&map(), Qt::Key_Shift);  // that an earlier test has held down is held no more
    int rows = 0;
    for (std::size_t i = 0; i < alive.size(); ++i) {
        page().focus().setSelected(std::nullopt);
        QApplication::processEvents();
        page().focus().setSelected(alive[i]);
        QApplication::processEvents();
        const QModelIndexList selected = table->selectionModel()->selectedRows();
        ASSERT_EQ(selected.size(), 1) << i;
        EXPECT_LE(table->visualRect(selected.front()).bottom(), table->viewport()->height()) << i;
        rows = std::max(rows, table->model()->rowCount());
    }
    EXPECT_GT(rows * ui::Metrics::kTableRow, table->height()) << "all of it fits: nothing to scroll to";
}

TEST_F(MemoryPageInTheWindow, EveryViewOfItHasItsNameAndIsBroughtToTheFront) {
    for (const char* name : {"memory-map", "treemap", "between", "segments"}) {
        QWidget* view = m_window.workspace().view(QString::fromLatin1(name));
        ASSERT_NE(view, nullptr) << name;
        m_window.workspace().setPage(Workspace::Page::kSummary);
        m_window.workspace().showView(view);
        EXPECT_EQ(m_window.workspace().page(), Workspace::Page::kMemory) << name;
        EXPECT_TRUE(view->isVisible()) << name;
    }
}

TEST_F(MemoryPageInTheWindow, AnotherRunLeavesNothingOfTheFirst) {
    QTest::keyClick(&map(), Qt::Key_Right);
    ASSERT_TRUE(page().focus().selected());
    m_controller.closeRun(0);
    EXPECT_FALSE(page().focus().selected());
    ui::refreshAll(page());
    EXPECT_EQ(map().map().size(), 0u);
    EXPECT_TRUE(page().explanation().startsWith(QStringLiteral("Open or record a run")));
}

TEST_F(MemoryPageInTheWindow, TheChartAndTheMapUnderItEndAtTheSameTime) {
    open(*test::makeAllocatorRun(6'000, 3), "allocator.wgrun");
    QCoreApplication::processEvents();
    const ui::MemoryPlot& plot = page().chart().plot();
    ASSERT_TRUE(plot.isVisible() && page().map().view().isVisible());
    const auto span = [this](const QWidget& view, double label) {
        return QPoint(view.mapTo(&page(), QPoint(static_cast<int>(label), 0)).x(),
                      view.mapTo(&page(), QPoint(view.width(), 0)).x());
    };
    EXPECT_EQ(span(plot, plot.labelWidth()), span(page().map().view(), page().map().view().labelWidth()));
}

TEST_F(MemoryPageInTheWindow, AViewOverTheTimeAxisOfAnotherHasOneAlone) {
    m_window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window, 60'000));
    auto* ruler = test::must(m_window.findChild<QWidget*>(QStringLiteral("rulerAlone")));
    Workspace& workspace = m_window.workspace();
    const auto* key = test::must(page().map().findChild<ui::CategoryKey*>());
    const auto toggle = [this](QWidget* view) {
        m_window.workspace().showView(view);
        m_window.workspace().focusView(view);
        QTest::keyClick(&m_window, Qt::Key_F11);
        QCoreApplication::processEvents();
    };
    for (const char* name : {"memory-map", "treemap", "memory", "timeline", "ops"}) {
        SCOPED_TRACE(name);
        QWidget* view = workspace.view(QString::fromLatin1(name));
        toggle(view);
        ASSERT_TRUE(view->isVisible());
        ASSERT_FALSE(m_window.runPanelPlace().isVisible());
        const bool overAnothers = QByteArray(name).startsWith("memory");
        EXPECT_EQ(ruler->isVisible(), overAnothers);
        EXPECT_EQ(key->isVisible(), QByteArray(name) == "memory-map") << "the chart has a legend of its own";
        if (overAnothers) {
            // Under it, a splitter's handle between them at most.
            const QPoint below =
                ruler->mapToGlobal(QPoint(0, 0)) - view->mapToGlobal(QPoint(0, view->height()));
            EXPECT_EQ(below.x(), 0);
            EXPECT_GE(below.y(), 0);
            EXPECT_LE(below.y(), 8);
            EXPECT_EQ(ruler->width(), view->width());
            const QImage whole = ruler->grab().toImage();
            ui::TimeAxis& axis = m_controller.axis();
            axis.zoomAt(axis.visibleRange().begin, 0.3);
            EXPECT_NE(ruler->grab().toImage(), whole);
        }
        toggle(view);
        EXPECT_FALSE(ruler->isVisible());
        EXPECT_FALSE(key->isVisible());
        EXPECT_TRUE(m_window.runPanelPlace().isVisible());
    }
    // Over events, the chart counts them itself.
    auto* chart = qobject_cast<ui::MemoryChart*>(workspace.view(QStringLiteral("memory")));
    toggle(chart);
    ASSERT_TRUE(ruler->isVisible());
    chart->plot().setSpacing(ui::MemoryPlot::Spacing::kEvents);
    EXPECT_FALSE(ruler->isVisible());
    chart->plot().setSpacing(ui::MemoryPlot::Spacing::kTime);
    EXPECT_TRUE(ruler->isVisible());
    // Another view leaves it.
    workspace.openFind();
    EXPECT_FALSE(ruler->isVisible());
}

}  // namespace warpglass::app::memory_page_test
