#include "ui/theme/system_theme.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QPalette>
#include <QTest>
#include <QWidget>

namespace warpglass::ui::system_theme_test {

struct SystemThemeTest : testing::Test {
    SystemThemeTest() {
        Theme::instance().setKind(m_other);
        Theme::instance().apply(*qApp);
    }
    ~SystemThemeTest() override { Theme::instance().setKind(ThemeKind::kDark); }

    void changeDesktop() {
        QEvent event(QEvent::ThemeChange);
        QApplication::sendEvent(&m_window, &event);
        QTest::qWait(1);
    }

    const ThemeKind m_desktop = SystemTheme::kind();
    const ThemeKind m_other = m_desktop == ThemeKind::kDark ? ThemeKind::kLight : ThemeKind::kDark;
    QWidget m_window;
};

TEST_F(SystemThemeTest, IsAskedAnewUnderTheApplicationsOwnPalette) {
    for (const ThemeKind kind : {ThemeKind::kDark, ThemeKind::kLight}) {
        Theme::instance().setKind(kind);
        Theme::instance().apply(*qApp);
        const QPalette before = QApplication::palette();
        EXPECT_EQ(SystemTheme::kind(), m_desktop) << "not of what the application has set";
        EXPECT_EQ(QApplication::palette(), before);
        EXPECT_EQ(QApplication::palette().color(QPalette::Window), Theme::colorsOf(kind).panel);
    }
}

TEST_F(SystemThemeTest, IsTakenWhenTheDesktopsChangesAndItIsFollowed) {
    auto* theme = new SystemTheme(m_window);
    changeDesktop();
    EXPECT_EQ(Theme::instance().kind(), m_other) << "a person has chosen it";
    theme->setFollowing(true);
    changeDesktop();
    EXPECT_EQ(Theme::instance().kind(), m_desktop);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), Theme::colorsOf(m_desktop).panel);
    // What the application sets itself is no change of the desktop's.
    Theme::instance().setKind(m_other);
    Theme::instance().apply(*qApp);
    QTest::qWait(1);
    EXPECT_EQ(Theme::instance().kind(), m_other);
}

}  // namespace warpglass::ui::system_theme_test
