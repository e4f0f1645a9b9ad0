// Widgets need an application; the platform is offscreen unless the caller chose one.
#include <gtest/gtest.h>

#include <QApplication>

#include "ui/theme/theme.h"

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    warpglass::ui::Theme::instance().apply(application);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
