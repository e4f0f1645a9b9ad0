// One whole visit by keyboard alone, and one by mouse alone: open a sample, find what is slow, see the
// memory, export, close. Nothing here calls into the window: it presses keys and clicks.
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTabBar>
#include <QTableView>
#include <QTimer>

#include "app/window/figure_dialog.h"
#include "app/window/run_panel_place.h"
#include "app/window/workspace.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/gestures.h"
#include "tests/support/must.h"
#include "ui/controls/segmented_control.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::hands_test {

struct HandsTest : WindowTest {
    HandsTest() {
        m_window->resize(1440, 900);
        m_window->activateWindow();
        QCoreApplication::processEvents();
    }

    QWidget* focused() const { return QApplication::focusWidget(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(focused() ? focused() : m_window.get(), key, modifiers);
        QCoreApplication::processEvents();
    }
    /// Tab until the condition holds; false after a whole round.
    bool tabTo(const std::function<bool(QWidget*)>& wanted) {
        for (int i = 0; i < 400; ++i) {
            if (focused() && wanted(focused()))
                return true;
            key(Qt::Key_Tab);
        }
        return false;
    }
    bool tabToText(const QString& text) {
        return tabTo([&](QWidget* widget) {
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            return button && (button->text() + button->accessibleName()).contains(text);
        });
    }
    bool isWithin(QWidget* widget, const char* view) {
        for (; widget; widget = widget->parentWidget()) {
            if (widget->objectName() == QLatin1String(view))
                return true;
        }
        return false;
    }

    void mouseClick(QWidget* widget, QPoint at = {}) {
        ASSERT_NE(widget, nullptr);
        ASSERT_TRUE(widget->isVisible());
        QTest::mouseClick(widget, Qt::LeftButton, Qt::NoModifier, at.isNull() ? widget->rect().center() : at);
        QCoreApplication::processEvents();
    }
    /// Opens a menu of the bar by its title and clicks an entry.
    void mouseMenu(const QString& menuTitle, const QString& entry) {
        for (QAction* top : m_window->menuBar()->actions()) {
            if (QString(top->text()).remove(QLatin1Char('&')) != menuTitle)
                continue;
            QTimer::singleShot(0, m_window.get(), [top, entry] {
                QMenu* menu = top->menu();
                for (QAction* action : menu->actions()) {
                    if (QString(action->text()).remove(QLatin1Char('&')).startsWith(entry)) {
                        QTest::mouseClick(menu, Qt::LeftButton, Qt::NoModifier,
                                          menu->actionGeometry(action).center());
                        return;
                    }
                }
                ADD_FAILURE() << entry.toStdString() << " is not in the menu";
                menu->close();
            });
            QTest::mouseClick(m_window->menuBar(), Qt::LeftButton, Qt::NoModifier,
                              m_window->menuBar()->actionGeometry(top).center());
            QCoreApplication::processEvents();
            return;
        }
        ADD_FAILURE() << "no menu " << menuTitle.toStdString();
    }
    const std::shared_ptr<const Snapshot>& run() { return m_controller.document().snapshot(); }
};

TEST_F(HandsTest, AVisitByKeyboardAlone) {
    // A sample from the start page.
    ASSERT_TRUE(tabTo([&](QWidget* widget) {
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        return button && button->toolTip().contains("small-bf16-naive.wgrun");
    })) << "samples can be reached";
    key(Qt::Key_Space);
    ASSERT_TRUE(waitFor([&] { return run() != nullptr; }));
    EXPECT_EQ(workspace().page(), Workspace::Page::kSummary);

    // Every page, and a round of Tab on each comes back without a trap.
    const int pages = static_cast<int>(Workspace::pageNames().size());
    for (int page = 0; page < pages; ++page) {
        key(static_cast<Qt::Key>(Qt::Key_1 + page), Qt::ControlModifier);
        ASSERT_EQ(static_cast<int>(workspace().page()), page);
        QSet<QWidget*> reached;
        for (int i = 0; i < 400; ++i) {
            key(Qt::Key_Tab);
            ASSERT_NE(focused(), nullptr);
            EXPECT_TRUE(focused()->isVisible());
            if (reached.contains(focused()))
                break;
            reached.insert(focused());
        }
        for (const Workspace::ViewName& view : Workspace::views()) {
            if (static_cast<int>(view.page) != page || !workspace().view(view.name)->isVisible())
                continue;
            EXPECT_TRUE(std::any_of(reached.begin(), reached.end(),
                                    [&](QWidget* widget) { return isWithin(widget, qPrintable(view.name)); }))
                << view.name.toStdString() << " cannot be reached by Tab";
        }
    }

    // The timeline: zoom, move, select, fit, undo.
    key(Qt::Key_2, Qt::ControlModifier);
    ASSERT_TRUE(tabTo([&](QWidget* widget) { return qobject_cast<ui::TimelineView*>(widget) != nullptr; }));
    key(Qt::Key_Home);
    const TimeRange whole = axis().visibleRange();
    EXPECT_EQ(whole, axis().fullRange());
    key(Qt::Key_W);
    key(Qt::Key_W);
    EXPECT_LT(axis().visibleRange().duration(), whole.duration());
    key(Qt::Key_D);
    key(Qt::Key_Right);
    EXPECT_TRUE(axis().selectedSpan().has_value());
    key(Qt::Key_Escape);
    EXPECT_FALSE(axis().selectedSpan().has_value());
    key(Qt::Key_F);
    EXPECT_EQ(axis().visibleRange(), whole);
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_NE(axis().visibleRange(), whole);

    // A table row, to its longest in the timeline.
    ASSERT_TRUE(
        tabTo([&](QWidget* widget) { return qobject_cast<QTableView*>(widget) && isWithin(widget, "ops"); }));
    ASSERT_TRUE(waitFor([&] { return qobject_cast<QTableView*>(focused())->model()->rowCount() > 0; }));
    key(Qt::Key_Down);
    key(Qt::Key_Return);
    EXPECT_TRUE(waitFor([&] { return axis().selectedSpan().has_value(); }));

    // The palette, and by it a theme and back.
    key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* query = test::must(m_window->findChild<QLineEdit*>("commandQuery"));
    QTest::keyClicks(query, "this view");
    QTest::keyClick(query, Qt::Key_Return);
    EXPECT_TRUE(waitFor([&] { return !m_window->runPanelPlace().isVisible(); }));
    key(Qt::Key_F11);
    EXPECT_TRUE(waitFor([&] { return m_window->runPanelPlace().isVisible(); }));

    // A figure on the clipboard, and the run closed.
    key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(message().contains("clipboard")) << message().toStdString();
    const QKeyCombination close = QKeySequence(QKeySequence::Close)[0];  // the platform's
    key(close.key(), close.keyboardModifiers());
    EXPECT_TRUE(m_controller.runs().empty());
}

TEST_F(HandsTest, AVisitByMouseAlone) {
    QAbstractButton* sample = nullptr;
    for (auto* one : m_window->findChildren<QAbstractButton*>()) {
        if (!sample && one->isVisible() && one->toolTip().contains("small-bf16-naive.wgrun"))
            sample = one;
    }
    mouseClick(sample);
    ASSERT_TRUE(waitFor([&] { return run() != nullptr; }));

    auto* pages = test::must(m_window->findChild<ui::SegmentedControl*>("pages"));
    for (int page = pages->count() - 1; page >= 0; --page) {
        mouseClick(reinterpret_cast<QWidget*>(pages->button(page)));
        EXPECT_EQ(static_cast<int>(workspace().page()), page);
    }
    mouseClick(reinterpret_cast<QWidget*>(pages->button(1)));

    // Drag, measure, select, zoom in by a double click, everything again by the menu.
    auto* timeline = workspace().timeline();
    const TimeRange whole = axis().fullRange();
    const QRect plot = timeline->plotArea();
    std::optional<QPoint> bar;
    for (int y = plot.top() + 2; y < plot.bottom() && !bar; y += 4) {
        for (int x = plot.left() + plot.width() / 3; x < plot.right() && !bar; x += 9) {
            const auto hit = timeline->hitTest({x, y});
            if (hit && !hit->rect.merged() && hit->rect.x1 - hit->rect.x0 > 20)
                bar = QPoint(x, y);
        }
    }
    ASSERT_TRUE(bar) << "a bar wide enough to click";
    mouseClick(timeline, *bar);
    EXPECT_TRUE(axis().selectedSpan().has_value());
    QTest::mouseDClick(timeline, Qt::LeftButton, Qt::NoModifier, *bar);
    EXPECT_LT(axis().visibleRange().duration(), whole.duration());
    mouseMenu("View", "Fit the Whole Run");
    EXPECT_EQ(axis().visibleRange(), whole);
    const QPoint from(plot.left() + 100, plot.center().y());
    test::drag(*timeline, from, from + QPoint(200, 0), Qt::ShiftModifier);
    EXPECT_TRUE(axis().selectedRange().has_value());

    // Every tab of the tables.
    auto* bar2 = workspace().tabs()->tabBar();
    for (int i = 0; i < bar2->count(); ++i) {
        mouseClick(bar2, bar2->tabRect(i).center());
        EXPECT_EQ(workspace().tabs()->currentIndex(), i);
    }

    mouseMenu("File", "Copy Figure");
    EXPECT_TRUE(message().contains("clipboard")) << message().toStdString();
    mouseMenu("File", "Close Tab");
    EXPECT_TRUE(m_controller.runs().empty());
}

}  // namespace warpglass::app::hands_test
