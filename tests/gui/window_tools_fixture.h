// The real window with a run in it, for tests of what the window does with its views.
#pragma once

#include <QSettings>
#include <QSplitter>

#include "app/window/workspace.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::app {

struct WindowToolsTest : WindowTest {
    WindowToolsTest() {
        QSettings().clear();
        m_controller.showSnapshot("a.wgrun", {test::makeSyntheticRun(), {}});
        m_window->workspace().setPage(Workspace::Page::kViews);
        QCoreApplication::processEvents();
    }
    ~WindowToolsTest() override { QSettings().clear(); }

    /// As a person moves the divider above a part of a vertical splitter.
    static void drag(const QSplitter& splitter, int part, int by) {
        QWidget* handle = splitter.handle(part);
        const QPoint at = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, Qt::NoModifier, at);
        QTest::mouseMove(handle, at + QPoint(0, by));
        QTest::mouseRelease(handle, Qt::LeftButton, Qt::NoModifier, at + QPoint(0, by));
    }
    template <class Widget>
    Widget* child(const char* name) {
        auto* found = m_window->findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
};

}  // namespace warpglass::app
