// The presentation: everything larger and in high contrast, and everything as before when it ends.
#include <QGraphicsView>
#include <QTest>
#include <cmath>

#include "app/window/lesson_library.h"
#include "app/window/lesson_panel.h"
#include "app/window/lesson_stage.h"
#include "app/window/lessons.h"
#include "app/window/presentation_mode.h"
#include "app/window/run_panel_place.h"
#include "tests/gui/window_tools_fixture.h"
#include "tests/support/must.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::presentation_test {

struct PresentationTest : WindowToolsTest {
    ~PresentationTest() override { m_window->presentation().leave(); }
    PresentationMode& presentation() { return m_window->presentation(); }
    QWidget* central() { return m_window->workspace().window(); }
    void press(Qt::Key key) {
        QTest::keyClick(m_window.get(), key);
        QCoreApplication::processEvents();
    }
};

TEST_F(PresentationTest, OneKeyBeginsAndEndsIt) {
    const QSize before = workspace().size();
    const bool panel = m_window->runPanelPlace().isVisible();
    const QFont font = workspace().font();
    press(Qt::Key_F5);
    EXPECT_TRUE(presentation().active());
    EXPECT_TRUE(action("View › Appearance › Presentation")->isChecked());
    EXPECT_GT(presentation().scale(), 1.15) << "at 1280 × 720";
    EXPECT_FALSE(m_window->runPanelPlace().isVisible());
    EXPECT_TRUE(ui::Theme::instance().highContrast());
    EXPECT_TRUE(workspace().isVisible());
    EXPECT_EQ(workspace().font(), font) << "all of it is drawn larger, and not the letters alone";
    press(Qt::Key_F5);
    EXPECT_FALSE(presentation().active());
    EXPECT_FALSE(action("View › Appearance › Presentation")->isChecked());
    EXPECT_FALSE(ui::Theme::instance().highContrast());
    EXPECT_EQ(m_window->runPanelPlace().isVisible(), panel);
    EXPECT_EQ(workspace().window(), m_window.get());
    EXPECT_TRUE(waitFor([&] { return workspace().size() == before; }))
        << workspace().width() << " x " << workspace().height();
}

/// On every usual screen the content has the room that it is laid out in, and all of the window.
TEST_F(PresentationTest, FillsTheWindow) {
    press(Qt::Key_F5);
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(1024, 768), QSize(3840, 2160)}) {
        m_window->resize(size);
        QCoreApplication::processEvents();
        const double scale = presentation().scale();
        const QSizeF content = QSizeF(central()->size()) * scale;
        EXPECT_NEAR(content.width(), size.width(), 3);
        EXPECT_NEAR(content.height(), size.height(), 3);
        EXPECT_GE(central()->width() + 1, std::min(size.width(), PresentationMode::kLaidOut.width()));
        EXPECT_LE(central()->minimumSizeHint().width(), central()->width());
        EXPECT_LE(central()->minimumSizeHint().height(), central()->height());
    }
    EXPECT_DOUBLE_EQ(presentation().scale(), PresentationMode::kMostScale);
}

TEST_F(PresentationTest, MouseAndKeysReachTheViews) {
    press(Qt::Key_F5);
    ui::TimelineView* timeline = workspace().timeline();
    const TimeRange before = axis().visibleRange();
    auto* view = test::must(m_window->findChild<QGraphicsView*>("presentation"));
    const QPoint inContent = timeline->mapTo(central(), timeline->plotArea().center());
    const QPoint at = view->mapFromScene(inContent);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::NoModifier, at);
    EXPECT_TRUE(axis().pinnedCursor());
    QTest::keyClick(view, Qt::Key_W);
    EXPECT_LT(axis().visibleRange().duration(), before.duration());
    press(Qt::Key_F5);
    EXPECT_LT(axis().visibleRange().duration(), before.duration());
}

TEST_F(PresentationTest, ALessonIsGoneThroughInIt) {
    Lessons& lessons = m_window->lessons();
    lessons.open(lessonFiles().front());
    const auto settles = [&] { return waitFor([&] { return lessons.stage().pointer().shown().widget; }); };
    ASSERT_TRUE(settles());
    press(Qt::Key_F5);
    auto* view = test::must(m_window->findChild<QGraphicsView*>("presentation"));
    QTest::keyClick(view, Qt::Key_Space);
    EXPECT_TRUE(lessons.panel().showsAnswer());
    QTest::keyClick(view, Qt::Key_PageDown);
    EXPECT_EQ(lessons.step(), 1);
    ASSERT_TRUE(settles());
    QTest::keyClick(view, Qt::Key_PageDown);
    EXPECT_EQ(lessons.step(), 2);
    ASSERT_TRUE(settles());
    // Going from view to view has brought neither menus back nor anything that is cut.
    EXPECT_EQ(m_window->menuBar()->height(), 0);
    EXPECT_NEAR(central()->width() * presentation().scale(), m_window->width(), 3);
    EXPECT_NEAR(central()->height() * presentation().scale(), m_window->height(), 3);
    workspace().showView(workspace().view("inspector"));
    EXPECT_TRUE(waitFor([&] {
        return std::abs(central()->width() * presentation().scale() - m_window->width()) < 3;
    })) << central()->width()
        << " at " << presentation().scale();
    press(Qt::Key_F5);
    EXPECT_GT(m_window->menuBar()->height(), 10);
    EXPECT_TRUE(lessons.isOn());
    EXPECT_TRUE(lessons.panel().isVisible());
    EXPECT_EQ(lessons.step(), 2);
}

TEST_F(PresentationTest, TheWindowClosesInIt) {
    press(Qt::Key_F5);
    m_window->close();
    m_window = std::make_unique<MainWindow>(m_controller, MainWindow::Remember::kNothing);
    EXPECT_FALSE(ui::Theme::instance().highContrast());
}

}  // namespace warpglass::app::presentation_test
