// A sweep that runs, in the window: followed, paused, stopped, taken up again, closed.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "app/window/open_sweeps.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"
#include "tests/gui/sweep_window_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/files.h"
#include "tests/support/made_sweep.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/valid.h"
#include "ui/charts/data_chart.h"
#include "ui/controls/data_table.h"
#include "ui/figures/figure.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_page.h"

namespace warpglass::app::running_sweep_test {

TEST_F(SweepWindow, TheGridFillsWhileItRunsAndCanBePausedAndStopped) {
    test::MadeSweep how{.waiting = 24};
    ui::SweepPage* shown = test::must(open(test::madeSweep(how)));
    QSignalSpy goOn(shown, &ui::SweepPage::goOnRequested);
    QSignalSpy ended(shown, &ui::SweepPage::ended);
    auto* resume = button("sweepResume");
    EXPECT_TRUE(resume->isVisible()) << "of one that was cut off";
    click(resume);
    ASSERT_EQ(goOn.size(), 1);

    HandRun& hand = followByHand(*shown);
    EXPECT_FALSE(resume->isVisible());
    EXPECT_EQ(shown->chart().sentence(), "No cell has a figure yet.");
    how.waiting = 10;
    Sweep half = test::madeSweep(how);
    half.cells[14].state = CellState::kRunning;
    hand.show(half);
    auto* status = shown->findChild<QLabel*>("sweepStatus");
    ASSERT_TRUE(waitFor([&] { return status->text().startsWith("14 of 24 cells done"); }));
    EXPECT_TRUE(status->text().contains("about 1")) << status->text().toStdString();
    EXPECT_TRUE(status->text().contains("1 out of memory"));
    auto* grid = shown->findChild<ui::SweepGrid*>();
    EXPECT_TRUE(grid->isVisible());
    EXPECT_TRUE(grid->toolTipOf(14).contains("running"));
    EXPECT_EQ(shown->chart().plot().markCount(), 7) << "in fp32 naive is done, and one context of the other";
    click(button("sweepPause"));
    EXPECT_TRUE(hand.paused());
    EXPECT_TRUE(status->text().contains("paused"));
    EXPECT_EQ(button("sweepPause")->text(), "Continue");
    action("Pause or Continue Sweep")->trigger();
    EXPECT_FALSE(hand.paused());
    click(button("sweepStop"));
    ASSERT_EQ(ended.size(), 1);
    EXPECT_TRUE(resume->isVisible());
    EXPECT_FALSE(action("Stop Sweep")->isEnabled());
    EXPECT_TRUE(action("Resume Sweep")->isEnabled());
}

TEST_F(SweepWindow, ClosingItsTabAsksWhileItRuns) {
    HandRun& hand = followByHand(*open(test::madeSweep()));
    action("Close Tab")->trigger();
    ASSERT_NE(question(), nullptr);
    EXPECT_EQ(question()->text(), "The sweep made is still going on. Stop it and close it?");
    EXPECT_TRUE(question()->informativeText().contains("it can be resumed"));
    answer("Keep Running");
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    ASSERT_NE(page(), nullptr);
    EXPECT_FALSE(hand.finished());
    action("Close Tab")->trigger();
    answer("Stop and Close");
    ASSERT_TRUE(waitFor([&] { return m_window->pages().sweeps().count() == 0; }));
    EXPECT_EQ(page(), nullptr);
}

TEST_F(SweepWindow, ClosingTheWindowAsksOnceAboutAllThatRuns) {
    HandRun& hand = followByHand(*open(test::madeSweep()));
    test::FakeRunner runner({.pausePerOp = std::chrono::microseconds(500)});
    m_controller.recording().startWith(runner, test::valid(test::syntheticConfig(100'000)));
    EXPECT_FALSE(m_window->close());
    ASSERT_NE(question(), nullptr);
    EXPECT_TRUE(question()->text().startsWith("The recording ")) << question()->text().toStdString();
    EXPECT_TRUE(question()->text().endsWith(" and the sweep made are still going on. Stop them and quit?"))
        << question()->text().toStdString();
    answer("Keep Running");
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    EXPECT_FALSE(hand.finished());
    EXPECT_TRUE(m_controller.isRunning());
    EXPECT_FALSE(m_window->close());
    answer("Stop and Quit");
    ASSERT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
    EXPECT_FALSE(m_controller.isRunning());
    EXPECT_TRUE(m_window->pages().sweeps().running().isEmpty());
}

TEST_F(SweepWindow, ARunThatBeginsEndsOrClosesBehindItStaysThere) {
    m_controller.showSnapshot("/runs/a.wgrun", {test::makeSyntheticRun(), {}});
    ui::SweepPage* shown = open(test::madeSweep());
    test::FakeRunner runner({.pausePerOp = std::chrono::microseconds(300)});
    m_controller.recording().startWith(runner, test::valid(test::syntheticConfig(4)));
    EXPECT_TRUE(m_window->pages().showsRun()) << "it was asked for";
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(2).center());
    ASSERT_EQ(page(), shown);
    ASSERT_TRUE(waitFor([&] {
        EXPECT_EQ(page(), shown);
        return !m_controller.isRunning();
    }));
    EXPECT_EQ(page(), shown);
    ASSERT_EQ(m_controller.runs().size(), 2U);
    QTest::mouseClick(tabs(), Qt::MiddleButton, {}, tabs()->tabRect(1).center());
    ASSERT_TRUE(waitFor([&] { return m_controller.runs().size() == 1; }));
    EXPECT_EQ(page(), shown);
    EXPECT_EQ(tabs()->currentIndex(), 1);
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(0).center());
    EXPECT_TRUE(m_window->pages().showsRun());
    EXPECT_EQ(m_window->windowTitle(), m_controller.shownRun()->title + QStringLiteral(" — Warpglass"));
}

TEST_F(SweepWindow, OneThatAnotherProcessRunsIsFollowedInItsFile) {
    const QString path = m_folder.filePath("elsewhere.wgsweep");
    const Sweep made = test::madeSweep();
    auto file = SweepFile::create(path.toStdString(), made.plan);
    ASSERT_TRUE(file) << file.message();
    ASSERT_TRUE((*file)->finishCell(made.cells[0]));
    ASSERT_TRUE((*file)->beginCell(1, "2026-01-31T15:45:00Z"));
    ui::SweepPage* shown = test::must(openFile(path));
    auto* status = shown->findChild<QLabel*>("sweepStatus");
    EXPECT_EQ(status->text(), "1 of 24 cells done · it is running elsewhere");
    EXPECT_EQ(shown->sweep()->cells[1].state, CellState::kRunning);
    EXPECT_FALSE(button("sweepResume")->isVisible());
    EXPECT_FALSE(button("sweepStop")->isVisible());
    EXPECT_FALSE(action("Resume Sweep")->isEnabled());
    ASSERT_TRUE((*file)->finishCell(made.cells[1]));
    ASSERT_TRUE(waitFor([&] { return status->text().startsWith("2 of 24 cells done"); }));
    // It was stopped there: it can be gone on with here.
    QSignalSpy ended(shown, &ui::SweepPage::ended);
    file->reset();
    ASSERT_TRUE(waitFor([&] { return !ended.isEmpty(); }));
    EXPECT_TRUE(button("sweepResume")->isVisible());
    EXPECT_TRUE(action("Resume Sweep")->isEnabled());
    EXPECT_EQ(status->text(), "2 of 24 cells done · the others have not been run");
    // Another process may have taken it up in the meantime.
    auto again = SweepFile::resume(path.toStdString());
    ASSERT_TRUE(again) << again.message();
    click(button("sweepResume"));
    ASSERT_TRUE(waitFor([&] { return shown->isRunningElsewhere(); }));
    EXPECT_FALSE(shown->isRunning());
    EXPECT_FALSE(button("sweepResume")->isVisible());
    // A file that is away for a while is looked for until it is back.
    ASSERT_TRUE(QFile::rename(path, path + QStringLiteral(".away")));
    ASSERT_TRUE(waitFor([&] { return status->text().endsWith("cannot be read at the moment"); }));
    EXPECT_FALSE(shown->problems().isEmpty());
    ASSERT_TRUE(QFile::rename(path + QStringLiteral(".away"), path));
    ASSERT_TRUE(waitFor([&] { return status->text().endsWith("it is running elsewhere"); }));
    EXPECT_TRUE(shown->problems().isEmpty());
}

TEST_F(SweepWindow, AFollowedOneThatIsReplacedByASmallerOneLosesItsSelection) {
    ui::SweepPage* shown = open(test::madeSweep());
    shown->table().selectRow(static_cast<int>(shown->sweep()->cells.size()) - 1);
    ASSERT_EQ(shown->selected().size(), 1U);
    Sweep smaller = test::madeSweep();
    smaller.plan.axes.front().values.resize(1);
    smaller.cells = cellsOf(smaller.plan);
    shown->setSweep(std::make_shared<const Sweep>(smaller));
    EXPECT_TRUE(shown->selected().empty());
    EXPECT_FALSE(button("sweepOpen")->isEnabled());
}

TEST_F(SweepWindow, ANewOneInAFileThatIsThereGoesOnWithItOrTakesAnotherName) {
    sweeps().setRunOptions({script()});
    SweepPlan plan{.base = tinyRun(2), .axes = {{"context", {"16", "32"}}, {"precision", {"fp32", "bf16"}}}};
    const QString path = m_folder.filePath("there.wgsweep");
    {
        auto file = SweepFile::create(path.toStdString(), plan);
        ASSERT_TRUE(file) << file.message();
        SweepCell done = (*file)->sweep().cells[0];
        done.state = CellState::kOk;
        ASSERT_TRUE((*file)->finishCell(done));
    }
    // Another plan: only another name is offered, and nothing is lost.
    SweepPlan other = plan;
    other.repeats = 2;
    pressWhenAsked("Cancel");
    sweeps().start(other, path);
    ASSERT_TRUE(waitFor([&] { return !m_said.isEmpty(); }));
    EXPECT_EQ(m_said, "there.wgsweep holds a sweep with another plan: 1 of its 4 cells are done.");
    EXPECT_FALSE(m_offered.contains("Go On With It"));
    EXPECT_EQ(sweeps().count(), 0);
    const auto kept = openSweep(path.toStdString());
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->count(CellState::kOk), 1U);
    // The same plan.
    pressWhenAsked("Go On With It");
    sweeps().start(plan, path);
    ASSERT_TRUE(waitFor([&] { return sweeps().count() == 1; }));
    EXPECT_EQ(m_said, "there.wgsweep holds this very sweep: 1 of its 4 cells are done.");
    ASSERT_TRUE(waitFor([&] { return page() && page()->sweep()->count(CellState::kWaiting) == 0; }));
    // What is no sweep, under another name.
    const QString text = m_folder.filePath("text.wgsweep");
    test::writeContent(text.toStdString(), "kept");
    pressWhenAsked("Another Name…");
    nameWhenAsked(m_folder.filePath("new"));
    sweeps().start(plan, text);
    ASSERT_TRUE(waitFor([&] { return sweeps().count() == 2; }));
    EXPECT_TRUE(m_said.contains("there is a file of this name")) << m_said.toStdString();
    EXPECT_EQ(QFileInfo(page()->path()).fileName(), "new.wgsweep");
    EXPECT_EQ(test::contentOf(text.toStdString()), "kept");
}

TEST_F(SweepWindow, WhatWasSkippedCanBeTakenUpAgainWhenAllElseIsDone) {
    Sweep sweep = test::madeSweep();
    ASSERT_NE(open(sweep), nullptr);
    EXPECT_FALSE(action("Resume Sweep")->isEnabled());
    sweep.cells[3] = sweep.cells[3].waitingAgain();
    sweep.cells[3].state = CellState::kSkipped;
    sweep.cells[3].message = "This machine has no device \"cuda:0\".";
    m_controller.openFiles({write(sweep, "skipped.wgsweep")});
    ASSERT_TRUE(waitFor([&] { return sweeps().count() == 2; }));
    ui::SweepPage* shown = page();
    ASSERT_EQ(shown->sweep()->count(CellState::kSkipped), 1u);
    QSignalSpy goOn(shown, &ui::SweepPage::goOnRequested);
    EXPECT_FALSE(button("sweepResume")->isVisible()) << "it is done for most";
    ASSERT_TRUE(action("Resume Sweep")->isEnabled());
    shown->goOn();
    EXPECT_EQ(goOn.size(), 1);
}

TEST_F(SweepWindow, AListThatIsOpenStaysAsItIsWhileCellsFinish) {
    test::MadeSweep how{.waiting = 24};
    ui::SweepPage* shown = open(test::madeSweep(how));
    HandRun& hand = followByHand(*shown);
    auto* measures = shown->findChild<QComboBox*>("sweepMeasure");
    ASSERT_EQ(measures->count(), 1);
    measures->showPopup();
    how.waiting = 4;
    hand.show(test::madeSweep(how));
    ASSERT_TRUE(waitFor([&] { return shown->sweep()->count(CellState::kWaiting) == 4; }));
    EXPECT_EQ(measures->count(), 1);
    EXPECT_TRUE(measures->view()->isVisible());
    measures->hidePopup();
    how.waiting = 2;
    hand.show(test::madeSweep(how));
    ASSERT_TRUE(waitFor([&] { return measures->count() > 1; }));
}

}  // namespace warpglass::app::running_sweep_test
