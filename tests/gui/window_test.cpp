// The real window, driven by mouse and keyboard as a person would, on the offscreen platform.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <functional>

#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/theme.h"

namespace warpglass::app {
namespace {

constexpr int kPatience = 90'000;  // ms; only a broken program comes near it, also under load

bool waitFor(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kPatience);
}

class WindowTest : public ::testing::Test {
protected:
    WindowTest() {
        QDir(SessionController::recordingFolder()).removeRecursively();
        m_window = std::make_unique<MainWindow>(m_controller, MainWindow::Remember::kNothing);
        m_window->resize(1280, 720);
        m_window->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(m_window.get()));
    }

    QAbstractButton* button(const char* name) {
        auto* found = m_window->findChild<QAbstractButton*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); }
    QString message() { return m_window->findChild<QLabel*>(QStringLiteral("message"))->text(); }
    std::uint64_t spans() {
        const auto& snapshot = m_controller.document().snapshot();
        return snapshot ? snapshot->spanCount() : 0;
    }
    /// A configuration that takes seconds on a slow machine, never minutes.
    RunConfig tinyRun(int steps) {
        RunConfig config;
        config.shape = *presetShape("tiny");
        config.context = 32;
        config.batch = 1;
        config.warmup = 0;
        config.steps = steps;
        return config;
    }

    SessionController m_controller;
    std::unique_ptr<MainWindow> m_window;
};

#if WARPGLASS_TEST_WITH_RUNNER

TEST_F(WindowTest, RunsTinyFromThePanelAndRowsAppearBeforeItEnds) {
    m_window->runPanel().setConfig(tinyRun(400));
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
    m_controller.saveCurrentAs(path);
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
    m_window->runPanel().setConfig(tinyRun(1000));
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return spans() > 100; }));
    m_window->close();
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
    click(button("runButton"));
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
    EXPECT_FALSE(message().isEmpty());
    EXPECT_TRUE(m_controller.runs().empty());
}

#endif

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

TEST_F(WindowTest, StartsEmptyWithTheStartPage) {
    auto* start = m_window->findChild<QWidget*>(QStringLiteral("startPage"));
    ASSERT_NE(start, nullptr);
    EXPECT_TRUE(start->isVisible());
    EXPECT_EQ(m_controller.currentRun(), -1);
}

}  // namespace
}  // namespace warpglass::app

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");  // ctest lists the cases without the tests' environment
    // Settings and data of tests stay apart from the person's own.
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("warpglass-window-test"));
    warpglass::ui::Theme::loadFonts();
    warpglass::ui::Theme::instance().apply(application);
    return RUN_ALL_TESTS();
}
