// GoogleTest with an application on the offscreen platform, and settings of its own.
#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "ui/theme/theme.h"

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
