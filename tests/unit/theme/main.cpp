// One application for all tests of widgets: no display, the fonts and the style of the program.
#include <gtest/gtest.h>

#include <QApplication>

#include "ui/theme/theme.h"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    warpglass::ui::Theme::loadFonts();
    warpglass::ui::Theme::instance().apply(application);
    return RUN_ALL_TESTS();
}
