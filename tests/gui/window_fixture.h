// The real window on the offscreen platform, for tests that drive it as a person would.
#pragma once

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QDir>
#include <QLabel>
#include <QMenuBar>
#include <QTabBar>
#include <QTest>
#include <functional>
#include <memory>

#include "app/window/commands.h"
#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/trace/snapshot.h"
#include "ui/panels/run_panel.h"

namespace warpglass::app {

inline constexpr int kPatience = 90'000;  // ms; only a broken program comes near it, also under load

inline bool waitFor(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kPatience);
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
    void click(QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); }
    QTabBar* tabs() { return m_window->findChild<QTabBar*>("runTabs"); }
    /// The menus' whose path ends so.
    QAction* action(const QString& title) {
        for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
            if (command.title.endsWith(title))
                return command.action;
        }
        return nullptr;
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
