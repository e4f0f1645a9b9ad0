// How much of a small window the data get, and what makes way for them.
#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <chrono>
#include <functional>
#include <optional>

#include "app/window/run_panel_place.h"
#include "app/window/window_layout.h"
#include "tests/gui/window_tools_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/gestures.h"
#include "tests/support/valid.h"
#include "ui/controls/data_table.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/time_axis.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/op_table.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::app::room_test {

struct RoomTest : WindowToolsTest {
    RoomTest() {
        m_controller.closeRun(0);
        open({sample("small-bf16-naive")});
        m_window->workspace().setPage(Workspace::Page::kViews);
        EXPECT_TRUE(waitFor([this] { return child<ui::DataTable>("opRows")->shownRows() > 6; }));
        QCoreApplication::processEvents();
    }
    void setSize(int width, int height) {
        m_window->resize(width, height);
        QCoreApplication::processEvents();
    }
    // What is measured are the data, without labels, legends, headings and axes.
    int plotWidth() { return workspace().timeline()->viewport().plotArea().width(); }
    int lanesHeight() { return workspace().timeline()->viewport().plotArea().height(); }
    QSizeF memorySize() {
        return child<QWidget>("memory")->findChild<ui::MemoryPlot*>()->scale().plotRect().size();
    }
    int wholeRows() {
        const auto* table = child<ui::DataTable>("opRows");
        return table->viewport()->height() / table->rowHeight(0);
    }
    void expectRoom() {
        EXPECT_GE(plotWidth(), 1000);
        EXPECT_GE(lanesHeight(), 300);
        EXPECT_GE(memorySize().width(), 1000);
        EXPECT_GE(memorySize().height(), 140);
        // A narrower table drops columns, and then the scroll bar that they had asked for.
        EXPECT_TRUE(waitFor([this] { return wholeRows() >= 6; })) << wholeRows();
    }
    void selectAKernel() {
        axis().setSelectedSpan(aKernel());
        EXPECT_TRUE(waitFor([&] { return inspector()->isVisible(); }));
        QCoreApplication::processEvents();
    }
    QWidget* inspector() { return child<QWidget>("inspector"); }
    std::optional<SpanRef> aKernel() {
        const auto& snapshot = *m_controller.document().snapshot();
        const auto tracks = snapshot.tracksOfKind(TrackKind::kGpuStream);
        return SpanRef{snapshot.lanesOf(tracks[0])[0].id(), 0};
    }
};

TEST_F(RoomTest, ThePlotsHaveTheWidthInEveryWindow) {
    for (const int width : {1280, 1440, 1649, 1650, 1920}) {
        SCOPED_TRACE(width);
        setSize(width, 720);
        EXPECT_GE(plotWidth(), 1000);
        const bool wide = width >= RunPanelPlace::kRoomForBoth;
        EXPECT_EQ(m_window->runPanel().isVisible(), wide);
        EXPECT_EQ(inspector()->isVisible(), wide);
        selectAKernel();
        EXPECT_GE(plotWidth(), 1000) << "beside the inspector";
        axis().setSelectedSpan({});
    }
}

TEST_F(RoomTest, LanesMemoryAndRowsShareTheHeight) {
    // As the window opens on a screen that has room for it.
    // And in the smallest: the runs stand beside the menus, the tabs of the tables in their bar, and nothing
    // is kept for messages.
    for (const QSize size : {QSize(1440, 900), QSize(1280, 720)}) {
        SCOPED_TRACE(size.height());
        setSize(size.width(), size.height());
        expectRoom();
        for (const QAction* menu : m_window->menuBar()->actions())
            EXPECT_TRUE(m_window->menuBar()->rect().contains(
                m_window->menuBar()->actionGeometry(const_cast<QAction*>(menu))))
                << menu->text().toStdString();
        // What was selected opens the inspector, which takes none of it.
        selectAKernel();
        expectRoom();
        axis().setSelectedSpan({});
    }
    // In a narrow one they have rows of their own, and the lanes still reach through the GPU's stream.
    setSize(1024, 720);
    EXPECT_GE(lanesHeight(), 224);
    EXPECT_EQ(workspace().timeline()->viewport().wholeHeight(lanesHeight(), 0), lanesHeight())
        << "none is cut";
    EXPECT_GE(memorySize().height(), 140);
    EXPECT_GE(wholeRows(), 3);
}

TEST_F(RoomTest, TheTabsOfTheTablesStandInTheirBarsWhereThereIsRoom) {
    QTabWidget* tabs = workspace().tabs();
    for (const int width : {1280, 1024, 1280}) {
        SCOPED_TRACE(width);
        setSize(width, 720);
        const bool joined = width == 1280;
        for (int page = 0; page < tabs->count(); ++page) {
            tabs->setCurrentIndex(page);
            QCoreApplication::processEvents();
            const QWidget& shown = *tabs->widget(page);
            EXPECT_EQ(shown.mapTo(tabs, QPoint()).y() < 4, joined);
            EXPECT_EQ(shown.mapTo(tabs, shown.rect().bottomRight()).y(), tabs->rect().bottom());
            // Nothing of the bar lies under the tabs.
            const QRect bar(tabs->tabBar()->mapTo(tabs, QPoint()), tabs->tabBar()->size());
            for (const QWidget* part : shown.findChildren<QWidget*>()) {
                const QRect place(part->mapTo(tabs, QPoint()), part->size());
                const bool control = qobject_cast<const QAbstractButton*>(part) ||
                                     qobject_cast<const QLineEdit*>(part) ||
                                     qobject_cast<const QLabel*>(part);
                if (joined && control && part->isVisibleTo(&shown) && !part->size().isEmpty()) {
                    EXPECT_FALSE(place.intersects(bar)) << part->objectName().toStdString();
                }
            }
        }
        tabs->setCurrentIndex(0);
    }
}

TEST_F(RoomTest, TheWindowStaysAsNarrowAsItIsMadeWhereverTheTabsStand) {
    for (const int width : {1440, 1280, 1100, 1024, 1280, 1024}) {
        setSize(width, 800);
        EXPECT_EQ(m_window->width(), width);
    }
    // Neither does the run panel, which takes the tables' room, widen it.
    setSize(1280, 720);
    m_window->runPanelPlace().setChoice("shown");
    QCoreApplication::processEvents();
    EXPECT_TRUE(m_window->runPanel().isVisible());
    EXPECT_EQ(m_window->width(), 1280);
}

TEST_F(RoomTest, AMessageLiesOverALowWindowAndMovesNothing) {
    setSize(1280, 720);
    const auto place = [this] {
        const QWidget& views = workspace();
        return QRect(views.mapTo(m_window.get(), QPoint()), views.size());
    };
    const QRect before = place();
    workspace().setPage(Workspace::Page::kSummary);
    emit m_controller.fileSaved("/runs/a.wgrun");
    EXPECT_TRUE(m_window->statusBar()->isVisible());
    EXPECT_LT(m_window->statusBar()->width(), m_window->width());
    EXPECT_EQ(place(), before);
    // It has a row of its own where there is room, also while nothing is said.
    setSize(1280, 900);
    m_controller.showRun(0);
    EXPECT_TRUE(m_window->statusBar()->isVisible());
    EXPECT_LE(place().bottom(), m_window->statusBar()->mapTo(m_window.get(), QPoint()).y());
}

TEST_F(RoomTest, TheDurationsComeWithARow) {
    setSize(1280, 720);
    const QWidget* durations = &workspace().ops().distribution();
    EXPECT_FALSE(durations->isVisible());
    child<ui::DataTable>("opRows")->selectRow(0);
    EXPECT_TRUE(durations->isVisible());
    EXPECT_EQ(button("opHistogram")->isChecked(), true);
    // What a person has chosen holds.
    QTest::mouseClick(button("opHistogram"), Qt::LeftButton);
    child<ui::DataTable>("opRows")->selectRow(1);
    EXPECT_FALSE(durations->isVisible());
}

TEST_F(RoomTest, DividersThatWereMovedKeepTheirProportions) {
    setSize(1280, 720);
    const auto* panes = child<QSplitter>("timelineSplitter");
    const QList<int> before = panes->sizes();
    WindowLayout layout(workspace(), m_window->runPanelPlace());
    const QVariantMap automatic = layout.state();
    test::dragDivider(*panes, 2, -100);
    const QList<int> moved = panes->sizes();
    EXPECT_GT(moved[2], before[2] + 50);
    setSize(1280, 900);
    EXPECT_GT(panes->sizes()[2], moved[2]);
    setSize(1280, 720);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(panes->sizes()[i], moved[i], 2);
    const QVariantMap byHand = layout.state();
    layout.apply(automatic);
    EXPECT_EQ(panes->sizes(), before);
    layout.apply(byHand);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(panes->sizes()[i], moved[i], 2);
    layout.apply({{"splitters", 3}});
    EXPECT_NEAR(panes->sizes()[2], moved[2], 2) << "nonsense changes nothing";
}

TEST_F(RoomTest, TheInspectorComesAndGoesWithWhatIsSelected) {
    EXPECT_FALSE(inspector()->isVisible());
    axis().setSelectedSpan(aKernel());
    EXPECT_FALSE(inspector()->isVisible()) << "the plots do not move under a second click";
    EXPECT_TRUE(waitFor([&] { return inspector()->isVisible(); }));
    axis().setSelectedSpan({});
    EXPECT_FALSE(inspector()->isVisible());
    EXPECT_GE(plotWidth(), 1000);
    // Asked for, it is there with nothing selected.
    action("View › Go To › Inspector")->trigger();
    EXPECT_TRUE(inspector()->isVisible());
    axis().setSelectedRange(axis().fullRange());
    axis().setSelectedRange({});
    EXPECT_FALSE(inspector()->isVisible());
}

TEST_F(RoomTest, OneViewAloneHasNoInspectorBesideIt) {
    workspace().timeline()->setFocus();
    const QSize before = workspace().timeline()->size();
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    axis().setSelectedSpan(aKernel());
    QTest::qWait(2 * QApplication::doubleClickInterval());
    EXPECT_FALSE(inspector()->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    EXPECT_TRUE(waitFor([&] { return inspector()->isVisible(); }));
    axis().setSelectedSpan({});
    QCoreApplication::processEvents();
    EXPECT_EQ(workspace().timeline()->size(), before);
}

TEST_F(RoomTest, TheRunPanelIsThereToChooseARunAndFoldsToLookAtOne) {
    EXPECT_FALSE(m_window->runPanel().isVisible());
    EXPECT_TRUE(button("runRail")->isVisible());
    m_controller.closeRun(0);
    EXPECT_TRUE(m_window->runPanel().isVisible()) << "on the start page";
    m_controller.showSnapshot("a.wgrun", {test::makeSyntheticRun(), {}});
    EXPECT_FALSE(m_window->runPanel().isVisible());
    // What a person has chosen holds.
    button("runRail")->setFocus();
    QTest::keyClick(button("runRail"), Qt::Key_Space);
    EXPECT_TRUE(m_window->runPanel().isVisible());
    EXPECT_TRUE(button("foldRunPanel")->hasFocus()) << "the keyboard does not go with the rail";
    m_controller.showSnapshot("b.wgrun", {test::makeSyntheticRun(), {}});
    EXPECT_TRUE(m_window->runPanel().isVisible());
    QTest::keyClick(button("foldRunPanel"), Qt::Key_Space);
    EXPECT_TRUE(button("runRail")->hasFocus());
    m_controller.closeRun(1);
    m_controller.closeRun(0);
    EXPECT_FALSE(m_window->runPanel().isVisible());
    // Earlier versions kept whether it was shown, as they always did unless a person hid it.
    m_window->runPanelPlace().setChoice(true);
    EXPECT_EQ(m_window->runPanelPlace().choice(), "auto");
    m_window->runPanelPlace().setChoice(false);
    EXPECT_EQ(m_window->runPanelPlace().choice(), "hidden");
}

TEST_F(RoomTest, TheRunPanelIsThereWhileARunIsRecorded) {
    test::FakeRunnerOptions options{.pausePerOp = std::chrono::microseconds(300)};
    const RunConfig config = test::syntheticConfig(10'000);
    const auto record = [&](const std::function<void()>& meanwhile) {
        test::FakeRunner runner(options);
        m_controller.recording().startWith(runner, test::valid(config));
        ASSERT_TRUE(waitFor([&] { return spans() > 100; })) << message().toStdString();
        EXPECT_TRUE(m_window->runPanel().isVisible());
        meanwhile();
        stopRecording();
    };
    record([this] { button("runButton")->setFocus(); });
    EXPECT_FALSE(m_window->runPanel().isVisible()) << "it is looked at now";
    EXPECT_FALSE(workspace().focusedView().isEmpty()) << "and so has the keyboard";

    // Whoever types what to run next goes on with it.
    record([this] {
        for (auto* field : m_window->runPanel().findChildren<QLineEdit*>()) {
            if (!field->isVisible() || !field->isEnabled() || field->isReadOnly())
                continue;
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, "2");
            return;
        }
        ADD_FAILURE() << "nothing to type into";
    });
    EXPECT_TRUE(m_window->runPanel().isVisible());
    EXPECT_TRUE(m_window->runPanel().isAncestorOf(QApplication::focusWidget()));
    record([] {});
    EXPECT_FALSE(m_window->runPanel().isVisible());
}

}  // namespace warpglass::app::room_test
