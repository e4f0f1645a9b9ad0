// The window with marks to be made in it.
#pragma once

#include <QLineEdit>
#include <filesystem>

#include "engine/session/save_run.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

struct MarksInTheWindow : WindowTest {
    void open(const std::filesystem::path& path) {
        WindowTest::open({QString::fromStdString(path.string())});
        workspace().setPage(Workspace::Page::kViews);
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
        auto* timeline = m_window->workspace().timeline();
        m_controller.axis().setCursor(time);
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_M);
        auto* editor = qobject_cast<QLineEdit*>(m_window->focusWidget());
        ASSERT_NE(editor, nullptr) << "the note is asked for";
        QTest::keyClicks(editor, text);
    }
    void note(Nanoseconds time, const QString& text) {
        beginNote(time, text);
        if (HasFatalFailure())
            return;
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
    }
    /// They are written off the window's thread.
    bool stored() {
        return QTest::qWaitFor([this] { return !m_controller.isBusy(); }, kPatience);
    }
    bool editorIsOpen() {
        for (auto* editor : m_window->findChildren<QLineEdit*>("markEditor")) {
            if (!editor->isHidden())
                return true;
        }
        return false;
    }

    test::TemporaryFolder m_folder;
};

}  // namespace warpglass::app
