// The window over time: run after run opened and closed, and whatever a person, a cat or a child does to it.
// Also built with the address sanitizer, which sees what is left behind.
#include <QContextMenuEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>
#include <cstdlib>
#include <iostream>

#include "app/window/workspace.h"
#include "engine/session/save_run.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/repeated_run.h"
#include "tests/support/synthetic_trace.h"
#include "ui/models/deferred_query.h"
#include "ui/models/worker_pool.h"

namespace warpglass::app::window_life_test {

using WindowLifeTest = WindowTest;

TEST_F(WindowLifeTest, AHundredRunsOpenedAndClosedLeaveNothingBehind) {
    const QTemporaryDir folder;
    QStringList files;
    for (const std::size_t events : {0, 200, 2000}) {
        test::SyntheticOptions options{.allocatorEvents = events};
        files << folder.filePath(QStringLiteral("%1.wgrun").arg(events));
        ASSERT_TRUE(saveRun(*test::makeSyntheticRun(options), files.last().toStdString()));
    }
    // More than the window's thread looks through itself: closed while workers are still at it.
    const QString large = folder.filePath("large.wgrun");
    const auto many = test::repeatRun(*test::makeSyntheticRun(), 3 * ui::DeferredQuery::kHeavySpans / 2);
    ASSERT_GT(many->spanCount(), ui::DeferredQuery::kHeavySpans);
    ASSERT_TRUE(saveRun(*many, large.toStdString()));
    int closedAtWork = 0;
    std::vector<std::weak_ptr<const Snapshot>> seen;
    for (int i = 0; i < 100; ++i) {
        const bool isLarge = i % 5 == 2;
        m_controller.openFiles({isLarge ? large : files[i % files.size()]});
        ASSERT_TRUE(waitFor([&] { return !m_controller.runs().empty() && !m_controller.isBusy(); }));
        seen.push_back(m_controller.document().snapshot());
        const auto pages = static_cast<int>(Workspace::pageNames().size());
        workspace().setPage(static_cast<Workspace::Page>(i % pages));
        QCoreApplication::processEvents();
        if (i % 10 == 0)
            m_window->grab();
        closedAtWork += isLarge && ui::workerPool().activeThreadCount() > 0 ? 1 : 0;
        m_controller.closeRun(0);
        ASSERT_TRUE(m_controller.runs().empty());
    }
    RecordProperty("largeRunsClosedAtWorkOf20", closedAtWork);  // as fast as the machine is
    // Queries on workers end with the run they were about.
    EXPECT_TRUE(waitFor([&] {
        return std::all_of(seen.begin(), seen.end(), [](const auto& run) { return run.expired(); });
    })) << "run "
        << std::ranges::find_if(seen, [](const auto& run) { return !run.expired(); }) - seen.begin()
        << " is still held";
}

/// Mouse, wheel and keys anywhere in the window, from a seed.
class RandomPerson {
public:
    RandomPerson(MainWindow& window, std::uint64_t seed) : m_window(window), m_random(seed) {
        // Dialogs and menus are left as soon as they are seen.
        m_leave.callOnTimeout([] {
            if (QWidget* popup = QApplication::activePopupWidget())
                popup->close();
            else if (QWidget* modal = QApplication::activeModalWidget())
                modal->close();
        });
        m_leave.start(20);
    }

    void act() {
        switch (below(10)) {
            case 0:
            case 1:
                return click();
            case 2:
                return wheel();
            case 3:
                return drag();
            case 4:
            case 5:
            case 6:
                return key();
            case 7:
                return move();
            case 8:
                return resize();
            default:
                return page();
        }
    }

private:
    std::uint64_t below(std::uint64_t bound) { return test::nextRandom(m_random) % bound; }
    QPoint anywhere() {
        return {static_cast<int>(below(static_cast<std::uint64_t>(m_window.width()))),
                static_cast<int>(below(static_cast<std::uint64_t>(m_window.height())))};
    }
    /// The innermost widget there, and the point in it.
    std::pair<QWidget*, QPoint> target() {
        const QPoint point = anywhere();
        QWidget* widget = m_window.childAt(point);
        return widget ? std::pair(widget, widget->mapFrom(&m_window, point))
                      : std::pair<QWidget*, QPoint>(&m_window, point);
    }
    Qt::KeyboardModifiers modifiers() {
        constexpr Qt::KeyboardModifier kOf[] = {Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                                Qt::ControlModifier, Qt::AltModifier};
        return kOf[below(5)];
    }

    void click() {
        const auto [widget, point] = target();
        const auto button = below(6) == 0 ? Qt::RightButton : Qt::LeftButton;
        if (below(5) == 0)
            QTest::mouseDClick(widget, button, modifiers(), point);
        else
            QTest::mouseClick(widget, button, modifiers(), point);
        if (button == Qt::RightButton) {
            QContextMenuEvent menu(QContextMenuEvent::Mouse, point, widget->mapToGlobal(point));
            QApplication::sendEvent(widget, &menu);
        }
    }
    void wheel() {
        const auto [widget, point] = target();
        QWheelEvent event(point, widget->mapToGlobal(QPointF(point)), {}, {0, below(2) == 0 ? 120 : -120},
                          Qt::NoButton, modifiers(), Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }
    void drag() {
        const auto [found, point] = target();
        const QPointer<QWidget> widget = found;
        const Qt::KeyboardModifiers held = modifiers();
        QTest::mousePress(widget, Qt::LeftButton, held, point);
        for (int i = 0; i < 4 && widget; ++i)
            QTest::mouseMove(widget, widget->mapFrom(&m_window, anywhere()));
        if (widget)
            QTest::mouseRelease(widget, Qt::LeftButton, held, widget->mapFrom(&m_window, anywhere()));
    }
    void move() {
        const auto [widget, point] = target();
        QTest::mouseMove(widget, point);
    }
    void key() {
        constexpr Qt::Key kKeys[] = {
            Qt::Key_W,        Qt::Key_A,         Qt::Key_S,           Qt::Key_D,
            Qt::Key_F,        Qt::Key_M,         Qt::Key_H,           Qt::Key_C,
            Qt::Key_P,        Qt::Key_N,         Qt::Key_Left,        Qt::Key_Right,
            Qt::Key_Up,       Qt::Key_Down,      Qt::Key_Tab,         Qt::Key_Home,
            Qt::Key_End,      Qt::Key_Space,     Qt::Key_Return,      Qt::Key_Escape,
            Qt::Key_F3,       Qt::Key_F11,       Qt::Key_F12,         Qt::Key_Z,
            Qt::Key_Y,        Qt::Key_1,         Qt::Key_2,           Qt::Key_3,
            Qt::Key_4,        Qt::Key_E,         Qt::Key_BracketLeft, Qt::Key_BracketRight,
            Qt::Key_Question, Qt::Key_Backspace, Qt::Key_PageUp,      Qt::Key_PageDown,
            Qt::Key_Delete,   Qt::Key_B};
        QWidget* focused = QApplication::focusWidget();
        QTest::keyClick(focused && below(8) != 0 ? focused : &m_window, kKeys[below(std::size(kKeys))],
                        modifiers());
    }
    void resize() {
        if (below(8) == 0)
            m_window.resize(600 + static_cast<int>(below(1400)), 400 + static_cast<int>(below(900)));
    }
    void page() {
        const auto views = Workspace::views();
        m_window.workspace().showView(m_window.workspace().view(
            views[static_cast<qsizetype>(below(static_cast<std::uint64_t>(views.size())))].name));
    }

    MainWindow& m_window;
    std::uint64_t m_random;
    QTimer m_leave;
};

TEST_F(WindowLifeTest, RandomEventsLeaveItInOrder) {
    // By default as many on every machine; for as long as is asked for by hand.
    constexpr int kEvents = 900;
    const char* asked = std::getenv("WARPGLASS_RANDOM_SECONDS");
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.wgrun");
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun({.allocatorEvents = 500}), path.toStdString()));
    m_window->runPanel().setConfig(tinyRun(1));

    RandomPerson person(*m_window, 20261121);
    QElapsedTimer timer;
    timer.start();
    int events = 0;
    while (asked ? timer.elapsed() < std::atoi(asked) * 1000 : events < kEvents) {
        // It may have closed the run, or the window.
        if (!m_window->isVisible())
            m_window->show();
        if (m_controller.runs().empty() && !m_controller.isBusy() && !m_controller.isRunning())
            m_controller.openFiles({path});
        person.act();
        QCoreApplication::processEvents();
        ++events;
        ASSERT_GE(axis().visibleRange().begin, axis().fullRange().begin);
        ASSERT_LE(axis().visibleRange().end, axis().fullRange().end);
        ASSERT_GE(axis().visibleRange().duration(), Nanoseconds(1));
        ASSERT_LT(static_cast<int>(workspace().page()), Workspace::pageNames().size());
    }
    std::cout << events << " events in " << timer.elapsed() << " ms\n";
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning() && !m_controller.isBusy(); }));
    EXPECT_FALSE(m_window->grab().isNull());
}

}  // namespace warpglass::app::window_life_test
