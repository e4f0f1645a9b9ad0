// GoogleTest with an application on the offscreen platform, and folders of its own.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QTemporaryDir>

#include "ui/theme/theme.h"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");  // ctest lists the cases without the tests' environment
    // Settings, recordings and measured ceilings of each test program stay apart from the person's own and
    // from those of the programs that ctest runs at the same time.
    const QTemporaryDir own;
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME"}) {
        const QString folder = own.filePath(QString::fromLatin1(variable));
        QDir().mkpath(folder);
        qputenv(variable, folder.toLocal8Bit());
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName("warpglass-window-test");
    warpglass::ui::Theme::loadFonts();
    warpglass::ui::Theme::instance().apply(application);
    return RUN_ALL_TESTS();
}
