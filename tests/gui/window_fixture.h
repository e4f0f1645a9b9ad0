// The real window on the offscreen platform, for tests that drive it as a person would.
#pragma once

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDir>
#include <QDropEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QTabBar>
#include <QTest>
#include <functional>
#include <memory>

#include "app/window/commands.h"
#include "app/window/main_window.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/runner/runner_api.h"
#include "engine/trace/snapshot.h"
#include "tests/support/valid.h"
#include "ui/panels/run_panel.h"

namespace warpglass::app {

inline constexpr int kPatience = 90'000;  // ms; only a broken program comes near it, also under load

inline bool waitFor(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kPatience);
}

/// Answers a question by the button of those words.
inline void press(QMessageBox* box, const QString& words) {
    ASSERT_NE(box, nullptr) << "nothing is asked";
    for (QAbstractButton* choice : box->buttons()) {
        if (QString(choice->text()).remove(QLatin1Char('&')) == words)
            return choice->click();
    }
    ADD_FAILURE() << words.toStdString() << " is no answer to " << box->text().toStdString();
    box->reject();
}

struct WindowTest : ::testing::Test {
    WindowTest() {
        QDir(RunRecording::folder()).removeRecursively();
        m_window = std::make_unique<MainWindow>(m_controller, MainWindow::Remember::kNothing);
        m_window->resize(1280, 720);
        m_window->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(m_window.get(), kPatience));
    }

    QAbstractButton* button(const char* name) {
        auto* found = m_window->findChild<QAbstractButton*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    template <class Widget>
    Widget* child(const char* name) {
        auto* found = m_window->findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    /// As a desktop does when the person turns to it.
    void activate() {
        m_window->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(m_window.get(), kPatience));
    }
    void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); }
    QTabBar* tabs() { return m_window->findChild<QTabBar*>("runTabs"); }
    /// The action at a path of the menus; the path's end is enough.
    QAction* action(const QString& title) {
        for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
            if (command.title.endsWith(title))
                return command.action;
        }
        ADD_FAILURE() << title.toStdString() << " is in no menu";
        return nullptr;
    }
    void trigger(const QKeySequence& shortcut) {
        for (auto* action : m_window->findChildren<QAction*>()) {
            if (action->shortcut() == shortcut)
                action->trigger();
        }
    }
    static QString sample(const char* name) {
        return QStringLiteral("%1/%2.wgrun").arg(sampleFolder(), QString::fromLatin1(name));
    }
    void open(const QStringList& paths) {
        m_controller.openFiles(paths);
        ASSERT_TRUE(waitFor([this] { return !m_controller.isBusy(); }));
    }
    /// As from a file manager: what the drag has entered gets the drop.
    void drop(const QStringList& paths) {
        QMimeData files;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls << QUrl::fromLocalFile(path);
        files.setUrls(urls);
        QDragEnterEvent enter({600, 300}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent event({600, 300}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &event);
    }
    QMessageBox* question() { return m_window->findChild<QMessageBox*>("askToStop"); }
    void answer(const QString& words) { press(question(), words); }
    void stopRecording() {
        m_controller.recording().stop();
        ASSERT_TRUE(waitFor([this] { return !m_controller.isRunning(); }));
    }
    /// Until some of it has been recorded.
    void start(Runner& runner, const RunConfig& config, std::uint64_t recorded = 0) {
        m_controller.recording().startWith(runner, test::valid(config));
        ASSERT_TRUE(m_controller.isRunning());
        ASSERT_TRUE(waitFor([=, this] { return spans() > recorded; })) << message().toStdString();
    }
    Workspace& workspace() { return m_window->workspace(); }
    ui::TimeAxis& axis() { return m_controller.axis(); }
    QString message() { return m_window->findChild<QLabel*>("message")->text(); }
    std::uint64_t spans() {
        const auto& snapshot = m_controller.document().snapshot();
        return snapshot ? snapshot->spanCount() : 0;
    }
    /// A configuration whose steps take some milliseconds.
    RunConfig tinyRun(int steps) {
        return {.shape = *presetShape("tiny"), .context = 32, .batch = 1, .warmup = 0, .steps = steps};
    }

    SessionController m_controller;
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace warpglass::app
