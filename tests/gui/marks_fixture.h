// The window with marks to be made in it.
#pragma once

#include <QLineEdit>
#include <filesystem>

#include "engine/session/save_run.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/must.h"
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
        auto* timeline = workspace().timeline();
        axis().setCursor(time);
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_M);
        QTest::keyClicks(test::must(qobject_cast<QLineEdit*>(m_window->focusWidget())), text);
    }
    /// In the editor that is open, and closes it.
    void write(const QString& text) {
        QTest::keyClicks(test::must(qobject_cast<QLineEdit*>(m_window->focusWidget())), text);
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Return);
    }
    void note(Nanoseconds time, const QString& text) {
        beginNote(time, {});
        write(text);
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
