// The real window, driven by mouse and keyboard as a person would, on the offscreen platform.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QUrl>
#include <cmath>
#include <functional>

#include "app/window/main_window.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/base/format.h"
#include "engine/io/run_file.h"
#include "engine/query/findings/finding.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/synthetic_trace.h"
#include "ui/compare/comparison_view.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/memory_page.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/models/table_model.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/finding_card.h"
#include "ui/panels/op_table.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/summary_page.h"
#include "ui/theme/data_table.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {
namespace {

#if WARPGLASS_TEST_WITH_RUNNER

constexpr int kEndless = 1'000'000;  // steps: it is stopped, however late this thread comes to it

TEST_F(WindowTest, RunsTinyFromThePanelAndRowsAppearBeforeItEnds) {
    m_window->runPanel().setConfig(tinyRun(kEndless));
    click(button("runButton"));
    ASSERT_TRUE(m_controller.isRunning());
    ASSERT_TRUE(waitFor([&] { return spans() > 100 || !m_controller.isRunning(); }));
    EXPECT_TRUE(m_controller.isRunning()) << message().toStdString();
    const std::uint64_t early = spans();
    ASSERT_TRUE(waitFor([&] { return spans() > early; }));
    EXPECT_GT(m_controller.document().memory().eventCount(), 0u);

    click(button("runButton"));  // it says Stop now
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    EXPECT_TRUE(message().contains(QStringLiteral("Stopped"))) << message().toStdString();
    EXPECT_FALSE(m_controller.document().isLive());
    EXPECT_GT(spans(), early);
}

TEST_F(WindowTest, SavesAndReopensTheSameRun) {
    m_window->runPanel().setConfig(tinyRun(2));
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    const auto recorded = m_controller.document().snapshot();
    ASSERT_NE(recorded, nullptr) << message().toStdString();

    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("kept.wgrun"));
    m_controller.saveRunAs(m_controller.currentRun(), path);
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    m_controller.openFiles({path});
    ASSERT_TRUE(waitFor([&] { return m_controller.runs().size() == 2; }));

    const auto reopened = m_controller.document().snapshot();
    ASSERT_NE(reopened, recorded);
    EXPECT_EQ(reopened->spanCount(), recorded->spanCount());
    EXPECT_EQ(reopened->memoryEventCount(), recorded->memoryEventCount());
    EXPECT_EQ(reopened->info().get("state"), run_state::kFinished);
    EXPECT_EQ(m_controller.axis().fullRange(), reopened->range());
}

TEST_F(WindowTest, ClosingDuringARunKeepsWhatWasRecorded) {
    m_window->runPanel().setConfig(tinyRun(kEndless));
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return spans() > 100; }));
    const auto question = [this] { return m_window->findChild<QMessageBox*>(QStringLiteral("askToStop")); };
    const auto answer = [&question](const QString& words) {
        ASSERT_NE(question(), nullptr);
        for (QAbstractButton* choice : question()->buttons()) {
            if (QString(choice->text()).remove(QLatin1Char('&')) == words)
                return choice->click();
        }
        ADD_FAILURE() << words.toStdString() << " is no answer";
    };
    m_window->close();
    answer(QStringLiteral("Keep Recording"));
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    EXPECT_TRUE(m_window->isVisible());
    ASSERT_TRUE(m_controller.isRunning());
    m_window->close();
    answer(QStringLiteral("Stop and Quit"));
    ASSERT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
    EXPECT_FALSE(m_controller.isRunning());

    const QStringList kept =
        QDir(SessionController::recordingFolder()).entryList({QStringLiteral("*.wgrun")});
    ASSERT_EQ(kept.size(), 1);
    const auto opened =
        openRun((SessionController::recordingFolder() + QLatin1Char('/') + kept.first()).toStdString());
    ASSERT_TRUE(opened) << opened.message();
    EXPECT_GT(opened->snapshot->spanCount(), 100u);
    EXPECT_EQ(opened->snapshot->info().get("state"), run_state::kStopped);
}

TEST_F(WindowTest, KeyboardZoomsTheSharedAxisAndUndoesIt) {
    m_window->runPanel().setConfig(tinyRun(1));
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    auto& axis = m_controller.axis();
    QWidget* timeline = m_window->workspace().view(QStringLiteral("timeline"));
    timeline->setFocus();
    const TimeRange whole = axis.visibleRange();
    QTest::keyClick(timeline, Qt::Key_W);
    EXPECT_LT(axis.visibleRange().duration(), whole.duration());
    QTest::keyClick(timeline, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(axis.visibleRange(), whole);
    QTest::keyClick(timeline, Qt::Key_W);
    QTest::keyClick(timeline, Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), whole);
}

#else

TEST_F(WindowTest, WithoutTheEngineRunSaysWhatToDo) {
    m_window->runPanel().setConfig(tinyRun(1));
    EXPECT_FALSE(button("runButton")->isEnabled());
    EXPECT_FALSE(button("startRun")->isEnabled());
    for (const char* name : {"cannotRun", "lastResult"}) {
        const QString why = m_window->findChild<QLabel*>(QString::fromLatin1(name))->text();
        EXPECT_TRUE(why.startsWith(QStringLiteral("This is a viewer-only build"))) << why.toStdString();
    }
}

#endif

/// With a runner that needs no LibTorch, so that a build without one is tested too.
TEST_F(WindowTest, ARunIsShownWhileItGrowsAndKeptWhenItIsStopped) {
    test::FakeRunnerOptions options;
    options.pausePerOp = std::chrono::microseconds(300);
    test::FakeRunner runner(options);
    EXPECT_EQ(m_controller.liveFeed(), nullptr);
    RunConfig config = test::syntheticConfig();
    config.steps = 10'000;
    m_controller.startRunWith(runner, config);
    ASSERT_TRUE(m_controller.isRunning());
    ASSERT_TRUE(waitFor([&] { return spans() > 100; })) << message().toStdString();
    const auto feed = m_controller.liveFeed();
    ASSERT_NE(feed, nullptr);
    EXPECT_TRUE(m_controller.document().isLive());
    EXPECT_TRUE(m_window->workspace().isVisible());
    const std::uint64_t early = spans();
    ASSERT_TRUE(waitFor([&] { return spans() > early; }));
    test::FakeRunner another;
    m_controller.startRunWith(another, config);  // one at a time
    EXPECT_EQ(m_controller.liveFeed(), feed);

    m_controller.stopRun();
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    EXPECT_FALSE(m_controller.document().isLive());
    EXPECT_EQ(spans(), feed->latest()->spanCount());
    ASSERT_EQ(m_controller.runs().size(), 1u);
    const auto reopened = openRun(m_controller.runs()[0].path.toStdString());
    ASSERT_TRUE(reopened) << reopened.message();
    EXPECT_EQ(reopened->snapshot->spanCount(), spans());
}

TEST_F(WindowTest, ANoteIsWrittenWhileTheRunGoesOn) {
    test::FakeRunnerOptions options;
    options.pausePerOp = std::chrono::microseconds(300);
    test::FakeRunner runner(options);
    RunConfig config = test::syntheticConfig();
    config.steps = 10'000;
    m_controller.startRunWith(runner, config);
    ASSERT_TRUE(waitFor([&] { return spans() > 100; })) << message().toStdString();
    ASSERT_TRUE(m_controller.axis().following());
    QWidget* timeline = m_window->workspace().view(QStringLiteral("timeline"));
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_M);
    auto* editor = qobject_cast<QLineEdit*>(m_window->focusWidget());
    ASSERT_NE(editor, nullptr);
    const std::uint64_t before = spans();
    ASSERT_TRUE(waitFor([&] { return spans() > before; }));
    EXPECT_TRUE(editor->isVisible());
    QTest::keyClicks(editor, QStringLiteral("here"));
    QTest::keyClick(editor, Qt::Key_Return);
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    EXPECT_EQ(m_controller.marks().marks()[0].text, "here");
    m_controller.stopRun();
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
}

TEST_F(WindowTest, OpeningWhatIsNotARunGivesASentence) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("foreign.wgrun"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("not a run at all");
    file.close();
    m_controller.openFiles({path});
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    EXPECT_TRUE(message().contains(path)) << message().toStdString();
    EXPECT_TRUE(m_controller.runs().empty());
}

TEST_F(WindowTest, FilesOpenedTogetherComeInTheirOrderAndEveryProblemIsSaid) {
    QTemporaryDir folder;
    const QString first = folder.filePath(QStringLiteral("first.wgrun"));
    const QString second = folder.filePath(QStringLiteral("second.wgrun"));
    for (const QString& path : {first, second})
        ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path.toStdString()));
    const QStringList absent = {folder.filePath(QStringLiteral("a.wgrun")),
                                folder.filePath(QStringLiteral("b.wgrun"))};
    m_controller.openFiles({absent[0], second, absent[1], first});
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(m_controller.runs()[0].path, second);
    EXPECT_EQ(m_controller.runs()[1].path, first);
    EXPECT_NE(m_controller.runs()[0].title, m_controller.runs()[1].title);
    const auto* problems = m_window->findChild<QWidget*>(QStringLiteral("openProblems"));
    EXPECT_TRUE(problems->isVisible());
    for (const QString& path : absent)
        EXPECT_TRUE(problems->findChild<QLabel*>()->text().contains(path));
    EXPECT_FALSE(message().contains(QStringLiteral("could not"))) << "said once: " << message().toStdString();
}

TEST_F(WindowTest, AnyNumberOfRunsLeavesTheMenuAndTheWidthAlone) {
    const auto run = test::makeSyntheticRun();
    for (int i = 0; i < 12; ++i)
        m_controller.showSnapshot(QStringLiteral("/runs/%1.wgrun").arg(i), {run, {}});
    QApplication::processEvents();
    EXPECT_EQ(m_window->width(), 1280);
    EXPECT_LE(m_window->minimumSizeHint().width(), 1280);
    for (QAction* menu : m_window->menuBar()->actions())
        EXPECT_GT(m_window->menuBar()->actionGeometry(menu).width(), 0) << menu->text().toStdString();
}

TEST_F(WindowTest, WhatWasSaidOfARunGoesWithIt) {
    const auto run = test::makeSyntheticRun();
    m_controller.showSnapshot(QStringLiteral("/runs/a.wgrun"), {run, {}});
    m_controller.showSnapshot(QStringLiteral("/runs/b.wgrun"), {run, {}});
    m_controller.saveRunAs(1, QStringLiteral("/nowhere/b.wgrun"));
    ASSERT_TRUE(waitFor([&] { return !message().isEmpty(); }));
    EXPECT_TRUE(m_window->statusBar()->isVisible());
    m_controller.showRun(0);
    EXPECT_EQ(message(), QString());
    EXPECT_FALSE(m_window->statusBar()->isVisible()) << "an empty line";
}

TEST_F(WindowTest, SettingsThatCannotBeRunDisableEveryRunButton) {
    RunConfig config = tinyRun(1);
    m_window->runPanel().setConfig(config);
    const bool canRun = m_window->runPanel().canRun();
    EXPECT_EQ(button("startRun")->isEnabled(), canRun);
    config.context = 0;
    m_window->runPanel().setConfig(config);
    EXPECT_FALSE(button("startRun")->isEnabled());
    EXPECT_FALSE(button("runButton")->isEnabled());
}

/// Answers the next question by the button of that text, once it is there.
void answer(const QString& text) {
    QTimer::singleShot(0, qApp, [text] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        ASSERT_NE(box, nullptr);
        QStringList offered;
        QAbstractButton* wanted = nullptr;
        for (QAbstractButton* button : box->buttons()) {
            offered << button->text().remove(QLatin1Char('&'));
            if (offered.last() == text)
                wanted = button;
        }
        EXPECT_THAT(offered, testing::UnorderedElementsAre(QStringLiteral("Save…"), QStringLiteral("Discard"),
                                                           QStringLiteral("Cancel")));
        if (wanted)
            wanted->click();
        else
            box->reject();
    });
}

TEST_F(WindowTest, ARunInMemoryOnlyIsAskedAboutAndCanBeSaved) {
    QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    SessionController controller;
    MainWindow window(controller, MainWindow::Remember::kLayout);
    window.show();
    controller.showSnapshot({}, {test::makeSyntheticRun(), {}});
    EXPECT_TRUE(window.findChild<QWidget*>(QStringLiteral("banner"))->isHidden());

    answer(QStringLiteral("Cancel"));
    window.close();
    EXPECT_TRUE(window.isVisible());
    const QString path = settings.filePath(QStringLiteral("kept.wgrun"));
    controller.saveRunAs(0, path);
    ASSERT_TRUE(waitFor([&] { return !controller.isBusy(); }));
    EXPECT_EQ(controller.runs()[0].path, path);
    controller.showSnapshot({}, {test::makeSyntheticRun(), {}});
    answer(QStringLiteral("Discard"));
    window.close();
    EXPECT_FALSE(window.isVisible());
}

TEST_F(WindowTest, AFileDroppedOnTheWindowIsOpened) {
    QMimeData data;
    const QString path = QStringLiteral("/nowhere/dropped.wgrun");
    data.setUrls({QUrl::fromLocalFile(path)});
    // As from a file manager: the window accepts the drag, then takes the drop.
    QDragEnterEvent enter(QPoint(600, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(600, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
    ASSERT_TRUE(waitFor([&] { return message().contains(path); })) << message().toStdString();
}

TEST_F(WindowTest, TwoFilesDroppedAtOnceAreCompared) {
    const QString folder = sampleFolder();
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(folder + QStringLiteral("/small-fp32-naive.wgrun")),
                   QUrl::fromLocalFile(folder + QStringLiteral("/small-bf16-flash.wgrun"))});
    QDragEnterEvent enter(QPoint(600, 300), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    QDropEvent drop(QPointF(600, 300), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
    auto* comparison = m_window->findChild<QWidget*>(QStringLiteral("comparison"));
    ASSERT_TRUE(waitFor([&] { return comparison->isVisible(); }));
    auto* settings = comparison->findChild<QLabel*>(QStringLiteral("comparisonSettings"));
    ASSERT_TRUE(waitFor([&] { return !settings->text().isEmpty(); }));
    EXPECT_EQ(settings->text(), QStringLiteral("precision fp32 → bf16  ·  attention naive → sdpa-flash"));
    // It is no page of one run; F12 counts its frames too, and X turns it round, with the window's title.
    auto* pages = m_window->findChild<ui::SegmentedControl*>(QStringLiteral("pages"));
    EXPECT_EQ(pages->current(), -1);
    auto* view = qobject_cast<ui::ComparisonView*>(comparison);
    auto* frameTimes = m_window->findChild<QAction*>(QStringLiteral("frameTimes"));
    frameTimes->trigger();
    EXPECT_TRUE(view->timelineOfA()->showsFrameTimes() && view->timelineOfB()->showsFrameTimes());
    frameTimes->trigger();
    // The chain of causes is walked in the timeline in front.
    const Snapshot& run = *view->sideA().snapshot;
    const SpanLane ops = run.lanesOf(run.tracksOfKind(TrackKind::kCpuThread).front()).front();
    const auto inModule = [&](std::uint64_t row) {
        const auto span = ui::describeSpan(run, {ops.id(), row});
        return span && !span->module.empty();
    };
    std::uint64_t row = 0;
    while (row < ops.rows() && !inModule(row))
        ++row;
    ASSERT_LT(row, ops.rows());
    view->axisOfA().setSelectedSpan(ui::SpanRef{ops.id(), row});
    for (auto* action : m_window->findChildren<QAction*>()) {
        if (action->shortcut() == Qt::Key_BracketLeft)
            action->trigger();
    }
    const auto cause = view->axisOfA().selectedSpan();
    ASSERT_TRUE(cause);
    EXPECT_NE(*cause, (ui::SpanRef{ops.id(), row}));
    // Ctrl+F looks through both runs here, Esc gives the keyboard back to the timeline and then leaves.
    m_window->findChild<QAction*>(QStringLiteral("find"))->trigger();
    EXPECT_TRUE(comparison->isVisible());
    auto* field = comparison->findChild<QLineEdit*>(QStringLiteral("comparisonFilter"));
    QTest::keyClicks(field, QStringLiteral("aten::mul"));
    auto* rows = comparison->findChild<ui::DataTable*>(QStringLiteral("comparisonRows"));
    ASSERT_GT(rows->shownRows(), 0);
    for (auto* action : m_window->findChildren<QAction*>()) {
        if (action->shortcut() == Qt::Key_F3)
            action->trigger();
    }
    EXPECT_EQ(rows->selectedRows().size(), 1);
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_TRUE(comparison->isVisible() && field->text().isEmpty());
    const QString title = m_window->windowTitle();
    QTest::keyClick(view->timelineOfA(), Qt::Key_X);
    EXPECT_NE(m_window->windowTitle(), title);
    ASSERT_TRUE(
        waitFor([&] { return settings->text().startsWith(QStringLiteral("precision bf16 → fp32")); }));
    QTest::keyClick(view->timelineOfA(), Qt::Key_X);
    click(button("closeComparison"));
    EXPECT_FALSE(comparison->isVisible());
    EXPECT_TRUE(m_window->workspace().isVisible());
    EXPECT_EQ(pages->current(), static_cast<int>(m_window->workspace().page()));
    // Also where another run comes to the front instead.
    m_window->compareRuns(0, 1);
    EXPECT_EQ(pages->current(), -1);
    m_controller.showRun(0);
    EXPECT_FALSE(comparison->isVisible());
    EXPECT_EQ(pages->current(), static_cast<int>(m_window->workspace().page()));
}

TEST_F(WindowTest, ARunIsComparedWithARecentOneAndWithItself) {
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    const QString recent = sampleFolder() + QStringLiteral("/small-bf16-flash.wgrun");
    QSettings().setValue(QStringLiteral("recentRuns"), QStringList{recent});
    const QString first = sampleFolder() + QStringLiteral("/small-fp32-naive.wgrun");
    m_controller.openFiles({first});
    ASSERT_TRUE(waitFor([&] { return message().contains(first); }));
    const auto offered = [this](const QString& text) -> QAction* {
        auto* menu = m_window->findChild<QMenu*>(QStringLiteral("compareMenu"));
        emit menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            if (action->text().contains(text))
                return action;
        }
        return nullptr;
    };
    QAction* action = offered(QStringLiteral("small-bf16-flash"));
    ASSERT_NE(action, nullptr);
    action->trigger();
    auto* comparison = m_window->findChild<ui::ComparisonView*>(QStringLiteral("comparison"));
    ASSERT_TRUE(waitFor([&] { return comparison->isVisible(); }));
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(comparison->sideA().snapshot, m_controller.runs()[0].snapshot);
    EXPECT_EQ(comparison->sideB().snapshot, m_controller.runs()[1].snapshot);
    m_controller.showRun(0);
    EXPECT_EQ(offered(QStringLiteral("Recent")), nullptr) << "it is open, and offered as such";
    action = offered(QStringLiteral("Itself"));
    ASSERT_NE(action, nullptr);
    action->trigger();
    EXPECT_TRUE(comparison->isVisible());
    EXPECT_EQ(comparison->sideA().snapshot, comparison->sideB().snapshot);
    EXPECT_NE(comparison->link().offset().value, 0) << "of two of its steps";
}

TEST_F(WindowTest, StartsEmptyWithTheStartPage) {
    auto* start = m_window->findChild<QWidget*>(QStringLiteral("startPage"));
    ASSERT_NE(start, nullptr);
    EXPECT_TRUE(start->isVisible());
    EXPECT_EQ(m_controller.currentRun(), -1);
}

TEST_F(WindowTest, ASampleRunOpensFromTheStartPageByMouseAndKeyboard) {
    const std::vector<SampleRun> samples = sampleRunsIn(sampleFolder());
    ASSERT_GE(samples.size(), 7u);
    const auto rowOf = [&](const QString& name) -> QAbstractButton* {
        for (QAbstractButton* row :
             m_window->findChild<QWidget*>(QStringLiteral("sampleRuns"))->findChildren<QAbstractButton*>()) {
            if (row->accessibleName().startsWith(name + QLatin1Char(':')))
                return row;
        }
        return nullptr;
    };
    QAbstractButton* failed = rowOf(QStringLiteral("large-fp32-out-of-memory"));
    ASSERT_NE(failed, nullptr);
    EXPECT_TRUE(failed->accessibleName().contains(QStringLiteral("Out of memory as a result")));
    click(failed);
    ASSERT_TRUE(waitFor([&] { return m_controller.currentRun() == 0; }));
    // Its failure is told: the sentence, and what had filled the memory.
    const QStringList& told = m_controller.document().warnings();
    ASSERT_EQ(told.size(), 2);
    EXPECT_TRUE(told[0].startsWith(QStringLiteral("The run needs more memory than")));
    EXPECT_TRUE(told[1].startsWith(QStringLiteral("Alive then, "))) << told[1].toStdString();
    EXPECT_FALSE(m_window->findChild<QWidget*>(QStringLiteral("banner"))->isHidden());
    EXPECT_FALSE(m_controller.document().isIncomplete());

    m_controller.closeRun(0);
    QAbstractButton* flash = rowOf(QStringLiteral("small-bf16-flash"));
    ASSERT_NE(flash, nullptr);
    button("startOpen")->setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 40 && QApplication::focusWidget() != flash; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    ASSERT_EQ(QApplication::focusWidget(), flash) << "Tab reaches every sample";
    QTest::keyClick(flash, Qt::Key_Space);
    ASSERT_TRUE(waitFor([&] { return m_controller.currentRun() == 0; }));
    EXPECT_TRUE(m_controller.runs()[0].path.endsWith(QStringLiteral("small-bf16-flash.wgrun")));
    EXPECT_TRUE(m_controller.document().warnings().isEmpty());
}

TEST_F(WindowTest, FrameTimesAreSwitchedByAKeyAndNotRemembered) {
    auto* action = m_window->findChild<QAction*>(QStringLiteral("frameTimes"));
    ASSERT_NE(action, nullptr);
    EXPECT_FALSE(action->isChecked());
    EXPECT_FALSE(m_window->workspace().timeline()->showsFrameTimes());
    QTest::keyClick(m_window.get(), Qt::Key_F12);
    EXPECT_TRUE(m_window->workspace().timeline()->showsFrameTimes());
    EXPECT_TRUE(action->isChecked());
    MainWindow another(m_controller, MainWindow::Remember::kLayout);
    EXPECT_FALSE(another.workspace().timeline()->showsFrameTimes());
    QTest::keyClick(m_window.get(), Qt::Key_F12);
    EXPECT_FALSE(m_window->workspace().timeline()->showsFrameTimes());
}

TEST_F(WindowTest, ARunFromAFileIsFirstSeenOnItsSummary) {
    m_controller.openFiles({QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-naive.wgrun"))});
    ASSERT_TRUE(waitFor([&] { return m_controller.currentRun() == 0; }));
    Workspace& workspace = m_window->workspace();
    EXPECT_EQ(workspace.page(), Workspace::Page::kSummary);
    ASSERT_TRUE(waitFor([&] { return !workspace.summary().findings().empty(); }));
    // By keyboard there and back; the control follows.
    auto* pages = m_window->findChild<ui::SegmentedControl*>(QStringLiteral("pages"));
    QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
    EXPECT_EQ(workspace.page(), Workspace::Page::kViews);
    EXPECT_EQ(pages->current(), 1);
    QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_EQ(workspace.page(), Workspace::Page::kSummary);
    EXPECT_EQ(pages->current(), 0);
    click(pages->button(1));
    EXPECT_EQ(workspace.page(), Workspace::Page::kViews);
}

TEST_F(WindowTest, ShowOpensTheViewWithTheNumberOfTheSentence) {
    m_controller.openFiles({QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-naive.wgrun"))});
    Workspace& workspace = m_window->workspace();
    ASSERT_TRUE(waitFor([&] { return !workspace.summary().findings().empty(); }));
    const auto findingOf = [&](const char* rule) {
        for (const ui::FindingCard* card : workspace.summary().findings()) {
            if (card->finding().rule == rule)
                return card->finding();
        }
        return Finding();
    };
    ui::TimeAxis& axis = m_controller.axis();
    auto* ops = qobject_cast<ui::OpTable*>(workspace.view(QStringLiteral("ops")));
    const auto text = [&](const char* label) {
        const auto* found = m_window->findChild<QLabel*>(QLatin1String(label));
        return found ? found->text() : QString();
    };
    auto* bar = m_window->findChild<QWidget*>(QStringLiteral("evidenceBar"));
    EXPECT_FALSE(bar->isVisible());

    const Finding copies = findingOf("copies-and-casts");
    click(button("show-copies-and-casts"));
    EXPECT_EQ(workspace.page(), Workspace::Page::kViews);
    EXPECT_EQ(workspace.tabs()->currentWidget(), ops);
    EXPECT_EQ(ops->subject(), ui::OpTable::Subject::kKernels);
    const QString time = ui::toQString(formatDuration(Nanoseconds(std::llround(copies.nsPerStep))));
    ASSERT_TRUE(copies.sentence.find(time.toStdString()) != std::string::npos) << copies.sentence;
    EXPECT_TRUE(waitFor([&] { return text("opSummary").contains(time + QStringLiteral(" a step")); }))
        << text("opSummary").toStdString();
    EXPECT_TRUE(waitFor([&] { return ops->table().selectedRows().size() == 1; }));
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(text("evidenceSentence").toStdString(), copies.sentence);
    click(button("evidenceBack"));
    EXPECT_EQ(workspace.page(), Workspace::Page::kSummary);
    EXPECT_FALSE(bar->isVisible());

    const Finding matrices = findingOf("score-matrix-memory");
    click(button("show-score-matrix-memory"));
    EXPECT_EQ(workspace.page(), Workspace::Page::kMemory);
    EXPECT_EQ(axis.pinnedCursor(), matrices.evidence.moment);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_TRUE(axis.visibleRange().contains(*matrices.evidence.moment));
    const QString bytes = ui::toQString(formatBytes(matrices.bytes));
    EXPECT_TRUE(waitFor([&] {
        return text("aliveSummary").startsWith(QStringLiteral("24 allocations")) &&
               text("aliveSummary").contains(bytes + QStringLiteral(" of "));
    })) << text("aliveSummary").toStdString();
    EXPECT_EQ(workspace.memoryPage().alive().model().rowCount(), 24);
    EXPECT_TRUE(workspace.memoryPage().focus().selected());
    EXPECT_EQ(text("evidenceSentence").toStdString(), matrices.sentence);
    // Let go: everything alive again, on the same page.
    QTest::mouseClick(m_window->findChild<QToolButton*>(QStringLiteral("evidenceDismiss")), Qt::LeftButton);
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(workspace.filter().state(), ui::RunFilter::State());
    EXPECT_EQ(workspace.page(), Workspace::Page::kMemory);
    EXPECT_TRUE(waitFor([&] { return workspace.memoryPage().alive().model().rowCount() > 24; }));

    workspace.setPage(Workspace::Page::kSummary);
    ops->setSubject(ui::OpTable::Subject::kOps);
    const Finding late = findingOf("launch-bound");
    click(button("show-launch-bound"));
    EXPECT_EQ(workspace.page(), Workspace::Page::kViews);
    EXPECT_EQ(axis.selectedRange(), late.evidence.range);
    EXPECT_LE(axis.visibleRange().begin, late.evidence.visible->begin);
    EXPECT_GE(axis.visibleRange().end, late.evidence.visible->end);
    EXPECT_LT(axis.visibleRange().duration().value, 2 * late.evidence.visible->duration().value);
    EXPECT_EQ(ops->subject(), ui::OpTable::Subject::kKernels) << "what was chosen before is not left there";
    EXPECT_TRUE(waitFor([&] { return text("opSummary").startsWith(QStringLiteral("1,265 kernels")); }))
        << text("opSummary").toStdString();

    workspace.setPage(Workspace::Page::kSummary);
    click(button("show-score-matrix-time"));
    EXPECT_EQ(workspace.page(), Workspace::Page::kCharts);
    EXPECT_TRUE(workspace.view(QStringLiteral("attention"))->isVisible());
}

TEST_F(WindowTest, ShowOfFragmentationOpensTheSegmentsWhereThePeakIs) {
    m_controller.openFiles({QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-graph.wgrun"))});
    Workspace& workspace = m_window->workspace();
    ASSERT_TRUE(waitFor([&] { return !workspace.summary().findings().empty(); }));
    click(button("show-fragmentation"));
    EXPECT_EQ(workspace.page(), Workspace::Page::kMemory);
    EXPECT_TRUE(workspace.view(QStringLiteral("segments"))->isVisible());
    const auto peak = m_controller.document().memory().peak()->time;
    EXPECT_TRUE(m_controller.axis().visibleRange().contains(peak));
    EXPECT_EQ(workspace.memoryPage().focus().moment(), peak);
}

TEST_F(WindowTest, ShowOfAMemoryFindingOpensTheMemoryPageAtItsMoment) {
    m_controller.openFiles({QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-naive.wgrun"))});
    ASSERT_TRUE(waitFor([&] { return m_controller.document().snapshot() != nullptr; }));
    Workspace& workspace = m_window->workspace();
    Evidence evidence;
    evidence.view = EvidenceView::kMemory;
    evidence.moment = m_controller.document().memory().peak()->time;
    workspace.memoryPage().showView(workspace.view(QStringLiteral("segments")));
    workspace.showEvidence(evidence);
    EXPECT_EQ(workspace.page(), Workspace::Page::kMemory);
    EXPECT_TRUE(workspace.view(QStringLiteral("treemap"))->isVisible());
    EXPECT_EQ(workspace.memoryPage().focus().moment(), evidence.moment);
}

TEST_F(WindowTest, FindAndTheFilterAreReachedByKeys) {
    m_controller.openFiles({QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-naive.wgrun"))});
    ASSERT_TRUE(waitFor([&] { return m_controller.document().snapshot() != nullptr; }));
    Workspace& workspace = m_window->workspace();
    m_window->activateWindow();
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    EXPECT_EQ(workspace.page(), Workspace::Page::kViews);
    EXPECT_EQ(workspace.tabs()->currentWidget(), workspace.view(QStringLiteral("find")));
    auto* field = m_window->findChild<QLineEdit*>(QStringLiteral("findField"));
    QTest::keyClicks(field, QStringLiteral("softmax"));
    ui::FindPanel& find = workspace.findPanel();
    ASSERT_TRUE(waitFor([&] { return find.model().rowCount() > 0; })) << find.summary().toStdString();
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    ASSERT_TRUE(m_controller.axis().selectedSpan());
    const auto first = m_controller.axis().selectedSpan();
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    EXPECT_NE(m_controller.axis().selectedSpan(), first);
    QTest::keyClick(m_window.get(), Qt::Key_F3, Qt::ShiftModifier);
    EXPECT_EQ(m_controller.axis().selectedSpan(), first);

    workspace.filter().setModule("blocks.3.attn");
    workspace.filter().setPhase(Phase::kBackward);
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(workspace.filter().state().phase, std::nullopt);
    EXPECT_EQ(workspace.filter().state().module, "blocks.3.attn");
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(workspace.filter().state().module.empty());
    QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(workspace.filter().state().module, "blocks.3.attn");
}

TEST_F(WindowTest, WhatIsExpectedOfAnotherDeviceOnlyFillsThePanel) {
    m_controller.openFiles({QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-naive.wgrun"))});
    ASSERT_TRUE(waitFor([&] { return !m_window->workspace().summary().findings().empty(); }));
    m_window->runPanel().setDevices({DeviceInfo{"cuda:0", "Another GPU", {}, {}, 1}});
    click(button("try-launch-bound"));
    EXPECT_FALSE(m_controller.isRunning());
    EXPECT_EQ(m_window->runPanel().config().execution, Execution::kGraph);
    EXPECT_TRUE(message().contains(QStringLiteral("NVIDIA H200"))) << message().toStdString();
}

#if WARPGLASS_TEST_WITH_RUNNER

TEST_F(WindowTest, ATrialIsRunAndSaysWhetherTheGainCameTrue) {
    m_window->runPanel().setConfig(tinyRun(2));
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    ASSERT_NE(m_controller.document().snapshot(), nullptr) << message().toStdString();
    EXPECT_EQ(m_window->workspace().page(), Workspace::Page::kViews) << "a run that is recorded is watched";
    Trial trial;
    trial.config = tinyRun(2);
    trial.config.warmup = 1;
    trial.setting = "warmup";
    trial.value = "1";
    trial.metric = TrialMetric::kPeakMemory;
    trial.before = 1e12;  // whatever it reaches is a gain
    trial.expected = 9e11;
    emit m_window->workspace().summary().tryRequested(trial);
    ASSERT_TRUE(m_controller.isRunning()) << message().toStdString();
    EXPECT_EQ(m_window->runPanel().config(), trial.config);
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    auto* outcome = m_window->findChild<QWidget*>(QStringLiteral("trialOutcome"));
    EXPECT_FALSE(outcome->isHidden());
    const QString sentence = outcome->findChild<QLabel*>()->text();
    EXPECT_TRUE(sentence.startsWith(QStringLiteral("Warmup 1: "))) << sentence.toStdString();
    EXPECT_TRUE(sentence.contains(QStringLiteral("the gain came true"))) << sentence.toStdString();
    for (auto* button : outcome->findChildren<QPushButton*>()) {
        if (button->text() == QStringLiteral("Dismiss"))
            click(button);
    }
    EXPECT_TRUE(outcome->isHidden());
}

#endif

}  // namespace
}  // namespace warpglass::app
