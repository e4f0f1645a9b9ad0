// Runs recorded in the real window: watched as they grow, stopped, closed over, kept.
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/window/main_window.h"
#include "app/window/run_panel_place.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/base/format.h"
#include "engine/io/run_file.h"
#include "engine/plan/memory_prediction.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/has_text.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/valid.h"
#include "ui/panels/run_panel.h"

namespace warpglass::app::window_runs_test {

struct WindowRunsTest : WindowTest {
    /// From the panel, to its end.
    void runTiny(int steps) {
        m_window->runPanel().setConfig(tinyRun(steps));
        click(button("runButton"));
        EXPECT_TRUE(m_controller.isRunning());
        ASSERT_TRUE(waitFor([this] { return !m_controller.isRunning(); }));
    }
    /// One that is stopped.
    void startLong(test::FakeRunner& runner) { start(runner, test::syntheticConfig(10'000), 100); }
};

#if WARPGLASS_TEST_WITH_RUNNER

constexpr int kEndless = 1'000'000;  // steps: it is stopped, however late this thread comes to it

TEST_F(WindowRunsTest, RunsTinyFromThePanelAndRowsAppearBeforeItEnds) {
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
    EXPECT_THAT(message(), test::HasText("Stopped"));
    EXPECT_FALSE(m_controller.document().isLive());
    EXPECT_GT(spans(), early);
}

TEST_F(WindowRunsTest, SavesAndReopensTheSameRun) {
    runTiny(2);
    const auto recorded = m_controller.document().snapshot();
    ASSERT_NE(recorded, nullptr) << message().toStdString();

    QTemporaryDir folder;
    const QString path = folder.filePath("kept.wgrun");
    m_controller.saving().save(m_controller.currentRun(), path);
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    m_controller.closeRun(0);  // where it is open it would be gone to
    open({path});
    const auto reopened = m_controller.document().snapshot();
    ASSERT_NE(reopened, recorded);
    EXPECT_EQ(reopened->spanCount(), recorded->spanCount());
    EXPECT_EQ(reopened->memoryEventCount(), recorded->memoryEventCount());
    EXPECT_EQ(reopened->info().get("state"), run_state::kFinished);
    EXPECT_EQ(axis().fullRange(), reopened->range());
}

TEST_F(WindowRunsTest, ClosingDuringARunKeepsWhatWasRecorded) {
    m_window->runPanel().setConfig(tinyRun(kEndless));
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return spans() > 100; }));
    m_window->close();
    answer("Keep Recording");
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    EXPECT_TRUE(m_window->isVisible());
    ASSERT_TRUE(m_controller.isRunning());
    m_window->close();
    answer("Stop and Quit");
    ASSERT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
    EXPECT_FALSE(m_controller.isRunning());

    const QStringList kept = QDir(RunRecording::folder()).entryList({"*.wgrun"});
    ASSERT_EQ(kept.size(), 1);
    const auto opened =
        test::must(openRun((RunRecording::folder() + QLatin1Char('/') + kept.first()).toStdString()));
    EXPECT_GT(opened.snapshot->spanCount(), 100u);
    EXPECT_EQ(opened.snapshot->info().get("state"), run_state::kStopped);
}

TEST_F(WindowRunsTest, WhatIsPredictedNotToFitRunsOnceThePersonWantsIt) {
    m_controller.showSnapshot("/runs/a.wgrun", {test::makeSyntheticRun(), {}});
    workspace().setPage(Workspace::Page::kMemory);
    // A causal mask of 2^48 bytes, which no address space holds: refused at once, nothing written to it.
    RunConfig config{.model = "custom",
                     .shape = {2, 2, 1, 1, 1},
                     .context = 1 << 24,
                     .batch = 1,
                     .mode = Mode::kForward,
                     .warmup = 0,
                     .steps = 1};
    ASSERT_TRUE(validate(config).empty()) << validate(config).front().sentence;
    m_window->runPanel().setConfig(config);
    QString said, byDefault;
    const auto pressRun = [&](const std::function<void(QMessageBox&)>& answer) {
        said.clear();
        QTimer::singleShot(0, m_window.get(), [&said, &byDefault, answer] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box)
                return ADD_FAILURE() << "nothing is asked";
            said = box->text();
            byDefault = box->defaultButton()->text().remove(QLatin1Char('&'));
            answer(*box);
            box->reject();  // however it was answered, the test goes on
        });
        click(button("runButton"));
    };
    for (const Qt::Key no : {Qt::Key_Escape, Qt::Key_Return}) {
        pressRun([no](QMessageBox& box) { QTest::keyClick(&box, no); });
        EXPECT_THAT(said, test::HasText(QString::fromStdString(formatBytes(predictMemory(config).total()))));
        EXPECT_EQ(byDefault, "Cancel");
        EXPECT_FALSE(m_controller.isRunning());
        EXPECT_EQ(m_controller.runs().size(), 1u);
        EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
        EXPECT_EQ(m_window->runPanel().config(), config);
    }
    pressRun([](QMessageBox& box) {
        for (QAbstractButton* choice : box.buttons()) {
            if (box.buttonRole(choice) == QMessageBox::AcceptRole)
                choice->click();
        }
    });
    ASSERT_TRUE(m_controller.isRunning());
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    ASSERT_EQ(m_controller.runs().size(), 2u) << "it was run: " << message().toStdString();
    const RunInfo& info = m_controller.runs()[1].snapshot->info();
    EXPECT_EQ(info.get("state"), run_state::kFailed);
    EXPECT_NE(info.get("state.message").find("memory"), std::string::npos) << info.get("state.message");

    // What fits is not asked about.
    runTiny(1);
}

#else

TEST_F(WindowRunsTest, WithoutTheEngineRunSaysWhatToDo) {
    m_window->runPanel().setConfig(tinyRun(1));
    EXPECT_FALSE(button("runButton")->isEnabled());
    EXPECT_FALSE(button("startRun")->isEnabled());
    const auto text = [this](const char* name) {
        return m_window->findChild<QLabel*>(QString::fromLatin1(name))->text();
    };
    EXPECT_THAT(text("lastResult"), test::BeginsWith("This is a viewer-only build"));
    EXPECT_TRUE(m_window->findChild<QLabel*>("cannotRun")->isVisible());
    EXPECT_TRUE(text("cannotRun").contains("panel")) << "why is said there, and once";
}

#endif

TEST_F(WindowRunsTest, ARunThatDoesNotStartLeavesInFrontWhatWasThere) {
    for (const char* file : {"/runs/a.wgrun", "/runs/b.wgrun", "/runs/c.wgrun"})
        m_controller.showSnapshot(QLatin1String(file), {test::makeSyntheticRun(), {}});
    test::FakeRunner runner({.refuse = "the device is taken"});
    const auto runAndFail = [&] {
        m_controller.recording().startWith(runner, test::valid(test::syntheticConfig()));
        ASSERT_TRUE(m_controller.isRunning());
        ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
        ASSERT_EQ(m_controller.runs().size(), 3u);
    };
    for (const auto& [run, page] : {std::pair{0, Workspace::Page::kCharts}, {1, Workspace::Page::kSummary}}) {
        m_controller.showRun(run);
        workspace().setPage(page);
        runAndFail();
        EXPECT_EQ(m_controller.currentRun(), run);
        EXPECT_EQ(m_controller.document().snapshot(),
                  m_controller.runs()[static_cast<std::size_t>(run)].snapshot);
        EXPECT_EQ(workspace().page(), page);
    }
    m_window->pages().compare(2, 0);
    const QString title = m_window->windowTitle();
    runAndFail();
    EXPECT_EQ(m_window->windowTitle(), title) << "a comparison too";
    EXPECT_FALSE(workspace().isVisible());

    // Whoever has gone to another tab meanwhile stays there.
    m_controller.showRun(0);
    workspace().setPage(Workspace::Page::kCharts);
    m_controller.recording().startWith(runner, test::valid(test::syntheticConfig()));
    m_controller.showRun(2);
    workspace().setPage(Workspace::Page::kMemory);
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    EXPECT_EQ(m_controller.currentRun(), 2);
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
}

/// With a runner that needs no LibTorch, so that a build without one is tested too.
TEST_F(WindowRunsTest, ARunIsShownWhileItGrowsAndKeptWhenItIsStopped) {
    test::FakeRunner runner({.pausePerOp = std::chrono::microseconds(300)});
    EXPECT_EQ(m_controller.recording().feed(), nullptr);
    startLong(runner);
    const auto feed = test::must(m_controller.recording().feed());
    EXPECT_TRUE(m_controller.document().isLive());
    EXPECT_TRUE(workspace().isVisible());
    QAction* follow = action("View › Follow the Run");
    EXPECT_TRUE(follow->isEnabled() && follow->isChecked());
    follow->trigger();
    EXPECT_FALSE(axis().following());
    follow->trigger();
    EXPECT_TRUE(axis().following());
    const std::uint64_t early = spans();
    ASSERT_TRUE(waitFor([&] { return spans() > early; }));
    test::FakeRunner another;
    m_controller.recording().startWith(another, test::valid(test::syntheticConfig()));  // one at a time
    EXPECT_EQ(m_controller.recording().feed(), feed);

    stopRecording();
    EXPECT_FALSE(m_controller.document().isLive());
    EXPECT_FALSE(follow->isEnabled() || follow->isChecked()) << "it grows no more";
    EXPECT_EQ(spans(), feed->latest()->spanCount());
    ASSERT_EQ(m_controller.runs().size(), 1u);
    const auto reopened = test::must(openRun(m_controller.runs()[0].path.toStdString()));
    EXPECT_EQ(reopened.snapshot->spanCount(), spans());
}

TEST_F(WindowRunsTest, TheMemoryPagesOfferToFollowStaysAwayFromAPartAlone) {
    test::FakeRunner runner({.pausePerOp = std::chrono::microseconds(300)});
    startLong(runner);
    const QWidget* map = workspace().view("memory-map");
    const auto* follow = test::must(m_window->findChild<QWidget*>("followRunOnMemoryPage"));
    workspace().setPage(Workspace::Page::kMemory);
    workspace().focusView(workspace().view("memory-map"));
    const auto toggle = [this] { QTest::keyClick(m_window.get(), Qt::Key_F11); };
    axis().setFollowing(true);
    EXPECT_FALSE(follow->isVisible());
    toggle();
    ASSERT_TRUE(map->isVisible());
    ASSERT_FALSE(m_window->runPanelPlace().isVisible());
    axis().setFollowing(false);
    EXPECT_FALSE(follow->isHidden()) << "it is offered";
    EXPECT_FALSE(follow->isVisible()) << "where it stands, with the rest";
    const std::uint64_t early = spans();
    ASSERT_TRUE(waitFor([&] { return spans() > early; }));
    EXPECT_FALSE(follow->isVisible()) << "nor is it brought back by a run that grows";
    toggle();
    EXPECT_TRUE(follow->isVisible());
    // What is followed meanwhile is not offered with everything either.
    toggle();
    axis().setFollowing(true);
    toggle();
    EXPECT_TRUE(m_window->runPanelPlace().isVisible());
    EXPECT_FALSE(follow->isVisible());
    stopRecording();
}

TEST_F(WindowRunsTest, ANoteIsWrittenWhileTheRunGoesOn) {
    test::FakeRunner runner({.pausePerOp = std::chrono::microseconds(300)});
    startLong(runner);
    ASSERT_TRUE(axis().following());
    QWidget* timeline = workspace().view("timeline");
    timeline->setFocus();
    QTest::keyClick(timeline, Qt::Key_M);
    auto* editor = test::must(qobject_cast<QLineEdit*>(m_window->focusWidget()));
    const std::uint64_t before = spans();
    ASSERT_TRUE(waitFor([&] { return spans() > before; }));
    EXPECT_TRUE(editor->isVisible());
    QTest::keyClicks(editor, "here");
    QTest::keyClick(editor, Qt::Key_Return);
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    EXPECT_EQ(m_controller.marks().marks()[0].text, "here");
    stopRecording();
}

TEST_F(WindowRunsTest, ARunThatIsStartedFromTheRunPanelGivesTheTimelineTheKeyboard) {
    activate();
    for (auto* field : m_window->runPanel().findChildren<QLineEdit*>()) {
        if (field->isVisible() && field->isEnabled())
            field->setFocus();
    }
    ASSERT_TRUE(m_window->runPanel().isAncestorOf(QApplication::focusWidget()));
    test::FakeRunner runner;
    m_controller.recording().startWith(runner, test::valid(test::syntheticConfig()));
    EXPECT_EQ(QApplication::focusWidget(), workspace().view("timeline"));
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
}

TEST_F(WindowRunsTest, SettingsThatCannotBeRunDisableEveryRunButton) {
    RunConfig config = tinyRun(1);
    m_window->runPanel().setConfig(config);
    const bool canRun = m_window->runPanel().canRun();
    EXPECT_EQ(button("startRun")->isEnabled(), canRun);
    config.context = 0;
    m_window->runPanel().setConfig(config);
    EXPECT_FALSE(button("startRun")->isEnabled());
    EXPECT_FALSE(button("runButton")->isEnabled());
}

}  // namespace warpglass::app::window_runs_test
