// A sweep in the window: opened, looked at, its cells opened and compared; one that runs, pauses and stops.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "app/window/banner.h"
#include "app/window/compare_with.h"
#include "app/window/open_sweeps.h"
#include "tests/gui/sweep_window_fixture.h"
#include "tests/support/files.h"
#include "tests/support/made_sweep.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "ui/charts/data_chart.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"
#include "ui/figures/figure.h"
#include "ui/sweep/sweep_page.h"

namespace warpglass::app::sweep_window_test {

TEST_F(SweepWindow, AFileOpensAsATabOfItsOwnAndCloses) {
    ui::SweepPage* shown = test::must(open(test::madeSweep()));
    EXPECT_EQ(m_window->windowTitle(), "made — Warpglass");
    EXPECT_EQ(tabs()->count(), 1);
    EXPECT_TRUE(tabs()->isVisible());
    EXPECT_EQ(shown->table().shownRows(), 24);
    EXPECT_EQ(shown->chart().title(), "Step time by context length and attention variant (fp32)");
    EXPECT_FALSE(shown->chart().sentence().isEmpty());
    // Once, however often it is opened.
    m_controller.openFiles({shown->path()});
    EXPECT_EQ(m_window->pages().sweeps().count(), 1);
    action("Close Tab")->trigger();
    EXPECT_EQ(page(), nullptr);
    EXPECT_EQ(tabs()->count(), 0);
}

TEST_F(SweepWindow, WhatIsNoSweepIsRefusedInASentence) {
    const QString path = m_folder.filePath("broken.wgsweep");
    test::writeContent(path.toStdString(), "this is no sweep");
    QSignalSpy failed(&m_window->pages().sweeps(), &OpenSweeps::failed);
    m_controller.openFiles({path});
    ASSERT_TRUE(waitFor([&] { return !failed.isEmpty(); }));
    EXPECT_TRUE(failed[0][0].toString().contains("broken.wgsweep"));
    EXPECT_EQ(page(), nullptr);
}

TEST_F(SweepWindow, ChoicesChangeTheChart) {
    ui::SweepPage* shown = test::must(open(test::madeSweep()));
    choose("sweepMeasure", "Peak memory");
    EXPECT_EQ(shown->view().measure, "peak_bytes");
    EXPECT_TRUE(shown->chart().title().startsWith("Peak memory by"));
    auto* toggles = shown->findChild<ui::SegmentedControl*>("sweepToggles");
    click(toggles->button(2));
    EXPECT_TRUE(shown->view().predicted);
    EXPECT_GT(shown->chart().chart().series.size(), 2U);
    auto* kind = shown->findChild<ui::SegmentedControl*>("sweepKind");
    click(kind->button(2));
    EXPECT_EQ(shown->chart().chart().kind, ChartKind::kHeatMap);
    EXPECT_FALSE(toggles->button(2)->isEnabled()) << "a heat map has no room for a prediction";
    click(kind->button(0));
    choose("sweepSeries", "Precision");
    choose("sweepBaseline", "fp32");
    EXPECT_EQ(shown->view().baseline, "fp32");
    EXPECT_TRUE(shown->chart().title().startsWith("Peak memory against fp32"));
    // The third axis is at a value of its own; its choice is another one than before.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    choose("sweepFixed", "sdpa-flash");
    EXPECT_TRUE(shown->chart().title().endsWith("(sdpa-flash)"));
    EXPECT_TRUE(shown->findChild<QComboBox*>("sweepFixed")->hasFocus()) << "it stays";
    // Axes change places, and none is shown twice.
    choose("sweepX", "Precision");
    EXPECT_EQ(shown->view().x, "precision");
    EXPECT_EQ(shown->view().series, "context");
}

TEST_F(SweepWindow, PointsAndRowsAreOneSelectionAndOpenAndCompareRuns) {
    ui::SweepPage* shown = test::must(open(withRuns()));
    SweepView view = shown->view();
    view.x = "context";
    view.series = "precision";
    shown->setView(view);
    auto* openRun = button("sweepOpen");
    auto* compare = button("sweepCompare");
    EXPECT_FALSE(openRun->isEnabled());
    // Cells 0 and 1 are the two precisions of the first context.
    const auto markOf = [&](std::int64_t cell) { return shown->chart().plot().markOfSource(cell); };
    clickMark(markOf(0));
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0}));
    EXPECT_EQ(shown->table().selectedRows().size(), 1);
    EXPECT_TRUE(openRun->isEnabled());
    EXPECT_FALSE(compare->isEnabled());
    clickMark(markOf(4));
    EXPECT_FALSE(openRun->isEnabled()) << "its run was not kept";
    clickMark(markOf(0));
    clickMark(markOf(1), Qt::ControlModifier);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0, 1}));
    EXPECT_TRUE(compare->isEnabled());
    click(compare);
    ASSERT_TRUE(waitFor([&] { return m_window->pages().compares(); }));
    EXPECT_EQ(m_controller.runs().size(), 2U);
    EXPECT_EQ(tabs()->count(), 3);
    // Its tab leads back, and Enter on a point opens its run.
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(2).center());
    ASSERT_EQ(page(), shown);
    EXPECT_EQ(tabs()->currentIndex(), 2);
    clickMark(markOf(1));
    QTest::keyClick(&shown->chart().plot(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_window->pages().showsRun(); }));
    EXPECT_EQ(m_controller.shownRun()->path, shown->runOf(1));
    // Over all tabs, round the end.
    for (int i = 0; i < 3; ++i)
        m_window->pages().stepRun(1);
    EXPECT_TRUE(m_window->pages().showsRun());
}

TEST_F(SweepWindow, TwoPointsAreComparedWithoutAMouse) {
    ui::SweepPage* shown = open(withRuns());
    SweepView view = shown->view();
    view.x = "precision";
    view.series = "attention";
    view.kind = ChartKind::kBars;
    shown->setView(view);
    ui::DataPlot& plot = shown->chart().plot();
    plot.setFocus();
    auto* compare = button("sweepCompare");
    // Cells 0 and 1 are the two precisions of the first context.
    QTest::keyClick(&plot, Qt::Key_Home);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0}));
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0, 1}));
    EXPECT_TRUE(compare->isEnabled());
    QTest::keyClick(&plot, Qt::Key_Space);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0})) << "and taken away again";
    QTest::keyClick(&plot, Qt::Key_Left);
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0})) << "only the keyboard has moved";
    EXPECT_EQ(plot.pointOf(plot.chosen()).source, 1);
    QTest::keyClick(&plot, Qt::Key_Space);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0, 1}));
    compare->setFocus();
    QTest::keyClick(compare, Qt::Key_Space);
    EXPECT_TRUE(waitFor([&] { return m_window->pages().compares(); }));
}

TEST_F(SweepWindow, AFigureShowsNothingOfWhatIsChosenOrHasTheKeyboard) {
    ui::SweepPage* shown = open(test::madeSweep());
    const auto figure = [&](const char* name) {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        const Status saved = ui::saveFigure({&shown->chart(), nullptr, QString()},
                                            ui::FigureSize::onPaper(160, 90, 8), 1, path);
        EXPECT_TRUE(saved) << (saved ? "" : saved.message());
        return QImage(path);
    };
    button("sweepStop")->setFocus();
    m_window->menuBar()->setFocus();
    const QImage before = figure("before.png");
    shown->chart().plot().setFocus();
    EXPECT_EQ(figure("focus.png"), before);
    QTest::keyClick(&shown->chart().plot(), Qt::Key_Home);
    ASSERT_FALSE(shown->selected().empty());
    EXPECT_EQ(figure("chosen.png"), before);
}

TEST_F(SweepWindow, WhyItBrokeOffAndWhatIsDamagedStayWithIt) {
    auto* banner = m_window->findChild<Banner*>("banner");
    m_controller.showSnapshot("/runs/a.wgrun", {test::makeSyntheticRun(), {"The run is damaged."}});
    EXPECT_EQ(banner->sentences(), QStringList("The run is damaged."));
    test::MadeSweep how{.waiting = 4};
    ui::SweepPage* shown = open(test::madeSweep(how));
    EXPECT_FALSE(banner->isVisible()) << "of a run that is not in front";
    HandRun& hand = followByHand(*shown);
    Sweep damaged = test::madeSweep(how);
    damaged.warnings = {"The result of a cell is damaged: it waits again."};
    hand.show(damaged);
    ASSERT_TRUE(waitFor([&] { return banner->isVisible(); }));
    EXPECT_EQ(banner->sentences(), QStringList("The result of a cell is damaged: it waits again."));
    hand.breakOff("The program warpglass-cli is not there.");
    ASSERT_TRUE(waitFor([&] { return banner->sentences().size() == 2; }));
    EXPECT_EQ(banner->sentences().front(), "The program warpglass-cli is not there.");
    // It comes back with the sweep, and goes once it goes on.
    m_window->pages().stepRun(1);
    EXPECT_EQ(banner->sentences(), QStringList("The run is damaged."));
    m_window->pages().stepRun(1);
    EXPECT_EQ(banner->sentences().size(), 2);
    followByHand(*shown);
    EXPECT_EQ(banner->sentences().size(), 1);
}

TEST_F(SweepWindow, MenusOfferNothingOnARunThatIsBehindIt) {
    const QStringList ofRun{"Save As…", "Zoom In",        "Find…", "Compare With the Next Run",
                            "Reset",    "This View Alone"};
    m_controller.showSnapshot("/runs/a.wgrun", {test::makeSyntheticRun(), {}});
    m_controller.showSnapshot("/runs/b.wgrun", {test::makeSyntheticRun(), {}});
    for (const QString& title : ofRun)
        EXPECT_TRUE(action(title)->isEnabled()) << title.toStdString();
    ASSERT_NE(open(test::madeSweep()), nullptr);
    for (const QString& title : ofRun)
        EXPECT_FALSE(action(title)->isEnabled()) << title.toStdString();
    for (const QString& title : {QStringLiteral("Previous Run"), QStringLiteral("Close Tab"),
                                 QStringLiteral("Summary"), QStringLiteral("Export Figure…")})
        EXPECT_TRUE(action(title)->isEnabled()) << title.toStdString();
    QMenu menu;
    m_window->findChild<CompareWith*>()->fillMenu(menu);
    ASSERT_EQ(menu.actions().size(), 1);
    EXPECT_EQ(menu.actions().front()->text(), "Bring a run to the front first");
    // Without any run the tabs can be stepped through as well.
    m_controller.closeRun(1);
    m_controller.closeRun(0);
    EXPECT_NE(page(), nullptr);
    EXPECT_TRUE(action("Previous Run")->isEnabled());
}

}  // namespace warpglass::app::sweep_window_test
