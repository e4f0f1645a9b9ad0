// The real window with a run in it, for tests of what the window does with its views.
#pragma once

#include <QSettings>

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
};

}  // namespace warpglass::app
