// Files in the real window: opened, dropped, saved, compared.
#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <memory>

#include "app/window/banner.h"
#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/session/save_run.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/every_span.h"
#include "tests/support/fake_runner.h"
#include "tests/support/files.h"
#include "tests/support/first_of.h"
#include "tests/support/held_run.h"
#include "tests/support/held_workers.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/valid.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::window_files_test {

TEST_F(WindowTest, OpeningWhatIsNotARunGivesASentence) {
    QTemporaryDir folder;
    const QString path = folder.filePath("foreign.wgrun");
    test::writeContent(path.toStdString(), "not a run at all");
    open({path});
    const auto* problems = m_window->findChild<Banner*>("openProblems");
    EXPECT_TRUE(problems->isVisible());
    EXPECT_TRUE(problems->sentences().join(QLatin1Char(' ')).contains(path));
    EXPECT_EQ(message(), QString()) << "said once";
    EXPECT_TRUE(m_controller.runs().empty());
}

TEST_F(WindowTest, AWarningAboutWhatLiesBesideAWholeRunDoesNotMakeItIncomplete) {
    QTemporaryDir folder;
    const QString path = folder.filePath("whole.wgrun");
    ASSERT_TRUE(saveRun(*test::makeManySpans(3000, 1), path.toStdString()));
    test::writeContent(path.toStdString() + "-journal", "a letter to somebody");
    open({path});
    ASSERT_EQ(m_controller.document().warnings().size(), 1);
    EXPECT_TRUE(m_controller.document().warnings()[0].contains("is not this file's journal"));
    EXPECT_FALSE(m_controller.document().isIncomplete());
}

TEST_F(WindowTest, FilesOpenedTogetherComeInTheirOrderAndEveryProblemIsSaid) {
    QTemporaryDir folder;
    const QString first = folder.filePath("first.wgrun");
    const QString second = folder.filePath("second.wgrun");
    for (const QString& path : {first, second})
        ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path.toStdString()));
    const QStringList absent = {folder.filePath("a.wgrun"), folder.filePath("b.wgrun")};
    open({absent[0], second, absent[1], first});
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(m_controller.runs()[0].path, second);
    EXPECT_EQ(m_controller.runs()[1].path, first);
    EXPECT_NE(m_controller.runs()[0].title, m_controller.runs()[1].title);
    const auto* problems = m_window->findChild<QWidget*>("openProblems");
    EXPECT_TRUE(problems->isVisible());
    for (const QString& path : absent)
        EXPECT_TRUE(problems->findChild<QLabel*>()->text().contains(path));
    EXPECT_FALSE(message().contains("could not")) << "said once: " << message().toStdString();
}

TEST_F(WindowTest, WhatWasSaidOfARunGoesWithIt) {
    const auto run = test::makeSyntheticRun();
    m_controller.showSnapshot("/runs/a.wgrun", {run, {}});
    m_controller.showSnapshot("/runs/b.wgrun", {run, {}});
    m_controller.saving().save(1, "/nowhere/b.wgrun");
    ASSERT_TRUE(waitFor([&] { return !message().isEmpty(); }));
    EXPECT_TRUE(m_window->statusBar()->isVisible());
    m_controller.showRun(0);
    EXPECT_EQ(message(), QString());
    EXPECT_FALSE(m_window->statusBar()->isVisible()) << "in a low window it lies over the views";
    m_window->resize(1280, 900);
    QCoreApplication::processEvents();
    EXPECT_TRUE(m_window->statusBar()->isVisible()) << "its room is kept: nothing above it moves";
}

/// Answers the next question by the button of that text, once it is there.
void answerNext(const QString& text) {
    QTimer::singleShot(0, qApp, [text] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        ASSERT_NE(box, nullptr);
        QStringList offered;
        for (QAbstractButton* button : box->buttons())
            offered << button->text().remove(QLatin1Char('&'));
        EXPECT_THAT(offered, testing::UnorderedElementsAre("Save…", "Discard", "Cancel"));
        press(box, text);
    });
}

TEST_F(WindowTest, ARunInMemoryOnlyIsAskedAboutAndCanBeSaved) {
    QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    SessionController controller;
    MainWindow window(controller, MainWindow::Remember::kLayout);
    window.show();
    controller.showSnapshot({}, {test::makeSyntheticRun(), {}});
    EXPECT_TRUE(window.findChild<QWidget*>("banner")->isHidden());

    answerNext("Cancel");
    window.close();
    EXPECT_TRUE(window.isVisible());
    const QString path = settings.filePath("kept.wgrun");
    controller.saving().save(0, path);
    ASSERT_TRUE(waitFor([&] { return !controller.isBusy(); }));
    EXPECT_EQ(controller.runs()[0].path, path);
    controller.showSnapshot({}, {test::makeSyntheticRun(), {}});
    answerNext("Discard");
    window.close();
    EXPECT_FALSE(window.isVisible());
}

TEST_F(WindowTest, ACloseThatIsCalledOffLeavesWhatIsBeingOpenedAlone) {
    QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    const QString path = settings.filePath("other.wgrun");
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path.toStdString()));
    SessionController controller;
    MainWindow window(controller, MainWindow::Remember::kLayout);
    window.show();
    controller.showSnapshot({}, {test::makeSyntheticRun(), {}});
    {
        const test::HeldWorkers held;
        controller.openFiles({path});
        answerNext("Cancel");
        window.close();
        EXPECT_TRUE(controller.opening().isOpening());
    }
    ASSERT_TRUE(waitFor([&] { return !controller.isBusy(); }));
    EXPECT_EQ(controller.runs().size(), 2u);
    EXPECT_TRUE(window.isVisible()) << "nor is it closed by the next work that ends";
    {
        const test::HeldWorkers held;
        controller.openFiles({path});
        answerNext("Discard");  // asked once
        window.close();
        EXPECT_FALSE(controller.opening().isOpening());
        EXPECT_TRUE(window.isVisible());
    }
    EXPECT_TRUE(waitFor([&] { return !window.isVisible(); }));
    EXPECT_EQ(controller.runs().size(), 2u);
}

/// Answers the next question, whenever it comes.
class Answer {
public:
    explicit Answer(const QString& text) : m_text(text) {
        m_poll.callOnTimeout([this] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box)
                return;
            m_poll.stop();
            m_question = box->text();
            press(box, m_text);
        });
        m_poll.start(5);
    }
    /// Empty until it has come.
    const QString& question() const { return m_question; }

private:
    QString m_text, m_question;
    QTimer m_poll;
};

struct ClosingBesideARunThatStops : WindowTest {
    ClosingBesideARunThatStops() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        m_asking = std::make_unique<MainWindow>(m_ofRun, MainWindow::Remember::kLayout);
        m_asking->show();
        m_ofRun.showSnapshot({}, {test::makeSyntheticRun(), {}});
        m_ofRun.recording().startWith(m_run.runner, test::valid(test::syntheticConfig()));
    }
    ~ClosingBesideARunThatStops() override {
        m_run.go.release();  // or the controller would wait for it
    }
    void stopAndQuit() {
        m_asking->close();
        const Answer stop("Stop and Quit");
        ASSERT_TRUE(waitFor([&] { return !stop.question().isEmpty(); }));
        ASSERT_TRUE(m_asking->isVisible());
        ASSERT_TRUE(m_ofRun.isRunning());
    }
    QString said() { return m_asking->findChild<QLabel*>("message")->text(); }
    void expectItAsksAgain() {
        const Answer discard("Discard");
        m_asking->close();
        EXPECT_TRUE(discard.question().contains(m_ofRun.runs()[0].title));
        EXPECT_FALSE(m_asking->isVisible());
    }

    const QString m_nowhere = "/nowhere/kept.wgrun";
    QTemporaryDir m_folder;
    test::HeldRun m_run{1};
    SessionController m_ofRun;
    std::unique_ptr<MainWindow> m_asking;
};

TEST_F(ClosingBesideARunThatStops, AsksAboutWhatCouldNotBeSavedMeanwhile) {
    ASSERT_TRUE(waitFor([&] { return m_run.begun.try_acquire(); }));
    stopAndQuit();
    m_ofRun.saving().save(0, m_nowhere);
    ASSERT_TRUE(waitFor([&] { return !m_ofRun.isBusy(); }));
    EXPECT_TRUE(said().contains(m_nowhere)) << said().toStdString();
    ASSERT_TRUE(m_ofRun.isRunning());
    const Answer cancel("Cancel");
    m_run.go.release();
    ASSERT_TRUE(waitFor([&] { return !m_ofRun.isRunning() && !cancel.question().isEmpty(); }));
    EXPECT_TRUE(cancel.question().contains(m_ofRun.runs()[0].title)) << cancel.question().toStdString();
    EXPECT_TRUE(m_asking->isVisible());
    ASSERT_EQ(m_ofRun.runs().unsaved(), std::vector<int>{0}) << "what was recorded is in its file";
    expectItAsksAgain();
}

TEST_F(ClosingBesideARunThatStops, StaysOpenWhereTheSaveThatItWaitsForFails) {
    ASSERT_TRUE(waitFor([&] { return m_run.begun.try_acquire(); }));
    {
        const test::HeldWorkers held;
        m_ofRun.saving().save(0, m_nowhere);
        stopAndQuit();
        m_run.go.release();
        ASSERT_TRUE(waitFor([&] { return !m_ofRun.isRunning(); }));
        EXPECT_TRUE(m_ofRun.isBusy());
        EXPECT_TRUE(m_asking->isVisible()) << "what is being saved ends first";
    }
    ASSERT_TRUE(waitFor([&] { return !m_ofRun.isBusy(); }));
    EXPECT_TRUE(said().contains(m_nowhere)) << said().toStdString();
    EXPECT_TRUE(m_asking->isVisible());
    // Nor does the next work that ends close it.
    m_ofRun.openFiles({sample("small-bf16-flash")});
    ASSERT_TRUE(waitFor([&] { return m_ofRun.runs().size() == 3 && !m_ofRun.isBusy(); }));
    EXPECT_TRUE(m_asking->isVisible());
    expectItAsksAgain();
}

TEST_F(WindowTest, AFileDroppedOnTheWindowIsOpened) {
    const QString path = "/nowhere/dropped.wgrun";
    drop({path});
    const auto* problems = m_window->findChild<Banner*>("openProblems");
    ASSERT_TRUE(waitFor([&] { return problems->sentences().join(QLatin1Char(' ')).contains(path); }));
}

TEST_F(WindowTest, TwoFilesDroppedAtOnceAreCompared) {
    drop({sample("small-fp32-naive"), sample("small-bf16-flash")});
    auto* comparison = m_window->findChild<QWidget*>("comparison");
    ASSERT_TRUE(waitFor([&] { return comparison->isVisible(); }));
    auto* settings = comparison->findChild<QLabel*>("comparisonSettings");
    ASSERT_TRUE(waitFor([&] { return !settings->text().isEmpty(); }));
    EXPECT_EQ(settings->text(), "precision fp32 → bf16 · attention naive → sdpa-flash");
    // It is no page of one run; F12 counts its frames too, and X turns it round, with the window's title.
    auto* pages = m_window->findChild<ui::SegmentedControl*>("pages");
    EXPECT_EQ(pages->current(), -1);
    auto* view = qobject_cast<ui::ComparisonView*>(comparison);
    auto* frameTimes = m_window->findChild<QAction*>("frameTimes");
    frameTimes->trigger();
    EXPECT_TRUE(view->timelineOfA()->showsFrameTimes() && view->timelineOfB()->showsFrameTimes());
    frameTimes->trigger();
    // The chain of causes is walked in the timeline in front.
    const Snapshot& run = *view->sideA().snapshot;
    const auto ops = test::spansOfKind(run, TrackKind::kCpuThread);
    const SpanRef op = test::firstOf(ops, [&](const test::FoundSpan& span) {
                           return !run.name(run.place(span.row.place).module).empty();
                       }).ref;
    view->axisOfA().setSelectedSpan(op);
    trigger(Qt::Key_BracketLeft);
    const auto cause = view->axisOfA().selectedSpan();
    ASSERT_TRUE(cause);
    EXPECT_NE(*cause, op);
    // Ctrl+F looks through both runs here, Esc gives the keyboard back to the timeline and then leaves.
    m_window->findChild<QAction*>("find")->trigger();
    EXPECT_TRUE(comparison->isVisible());
    auto* field = comparison->findChild<QLineEdit*>("comparisonFilter");
    QTest::keyClicks(field, "aten::mul");
    auto* rows = comparison->findChild<ui::DataTable*>("comparisonRows");
    ASSERT_GT(rows->shownRows(), 0);
    trigger(Qt::Key_F3);
    EXPECT_EQ(rows->selectedRows().size(), 1);
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_TRUE(comparison->isVisible() && field->text().isEmpty());
    const QString title = m_window->windowTitle();
    QTest::keyClick(view->timelineOfA(), Qt::Key_X);
    EXPECT_NE(m_window->windowTitle(), title);
    ASSERT_TRUE(waitFor([&] { return settings->text().startsWith("precision bf16 → fp32"); }));
    QTest::keyClick(view->timelineOfA(), Qt::Key_X);
    click(button("closeComparison"));
    EXPECT_FALSE(comparison->isVisible());
    EXPECT_TRUE(workspace().isVisible());
    EXPECT_EQ(pages->current(), static_cast<int>(workspace().page()));
    // Also where another run comes to the front instead.
    m_window->pages().compare(0, 1);
    EXPECT_EQ(pages->current(), -1);
    m_controller.showRun(0);
    EXPECT_FALSE(comparison->isVisible());
    EXPECT_EQ(pages->current(), static_cast<int>(workspace().page()));
}

TEST_F(WindowTest, ARunIsComparedWithARecentOneAndWithItself) {
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    QSettings().setValue("recentRuns", QStringList{sample("small-bf16-flash")});
    open({sample("small-fp32-naive")});
    const auto offered = [this](const QString& text) -> QAction* {
        auto* menu = m_window->findChild<QMenu*>("compareMenu");
        emit menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            if (action->text().contains(text))
                return action;
        }
        return nullptr;
    };
    QAction* action = offered("small-bf16-flash, recent, ");
    ASSERT_NE(action, nullptr);
    action->trigger();
    auto* comparison = m_window->findChild<ui::ComparisonView*>("comparison");
    ASSERT_TRUE(waitFor([&] { return comparison->isVisible(); }));
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(comparison->sideA().snapshot, m_controller.runs()[0].snapshot);
    EXPECT_EQ(comparison->sideB().snapshot, m_controller.runs()[1].snapshot);
    m_controller.showRun(0);
    EXPECT_EQ(offered(", recent"), nullptr) << "it is open, and offered as such";
    action = offered("Itself");
    ASSERT_NE(action, nullptr);
    action->trigger();
    EXPECT_TRUE(comparison->isVisible());
    EXPECT_EQ(comparison->sideA().snapshot, comparison->sideB().snapshot);
    EXPECT_NE(comparison->link().offset().value, 0) << "of two of its steps";
}

}  // namespace warpglass::app::window_files_test
