// The window with marks to be made in it.
#pragma once

#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>

#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/session/save_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

struct MarksInTheWindow : ::testing::Test {
    MarksInTheWindow() : m_window(m_controller, MainWindow::Remember::kNothing) {
        m_window.resize(1280, 720);
        m_window.show();
    }
    void open(const std::filesystem::path& path) {
        const QString name = QString::fromStdString(path.string());
        QSignalSpy opened(&m_controller, &SessionController::fileOpened);
        m_controller.openFiles({name});
        ASSERT_TRUE(opened.wait(kPatience));
        m_window.workspace().setPage(Workspace::Page::kViews);
    }
    /// A synthetic run in a file of that name.
    std::filesystem::path openMade(const char* name) {
        const auto path = m_folder / name;
        EXPECT_TRUE(saveRun(*test::makeSyntheticRun(), path));
        open(path);
        return path;
    }
    /// Leaves the editor open.
    void beginNote(Nanoseconds time, const QString& text) {
        auto* timeline = m_window.workspace().timeline();
        m_controller.axis().setCursor(time);
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_M);
        auto* editor = qobject_cast<QLineEdit*>(m_window.focusWidget());
        ASSERT_NE(editor, nullptr) << "the note is asked for";
        QTest::keyClicks(editor, text);
    }
    void note(Nanoseconds time, const QString& text) {
        beginNote(time, text);
        if (HasFatalFailure())
            return;
        QTest::keyClick(m_window.focusWidget(), Qt::Key_Return);
    }
    QString message() { return m_window.findChild<QLabel*>("message")->text(); }
    /// They are written off the window's thread.
    bool stored() {
        return QTest::qWaitFor([this] { return !m_controller.isBusy(); }, kPatience);
    }
    bool editorIsOpen() {
        for (auto* editor : m_window.findChildren<QLineEdit*>("markEditor")) {
            if (!editor->isHidden())
                return true;
        }
        return false;
    }

    static constexpr int kPatience = 60'000;  // ms; only a broken program comes near it

    ui::TimeAxis& axis() { return m_controller.axis(); }

    SessionController m_controller;
    MainWindow m_window;
    test::TemporaryFolder m_folder;
};

}  // namespace warpglass::app
