// What the keyboard reaches: the window's keys from every view, every action in a menu, runs, tables' menus,
// the focus after a comparison, and a name for whatever takes the focus.
#include <QAccessible>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <initializer_list>

#include "app/window/commands.h"
#include "app/window/figure_dialog.h"
#include "app/window/run_panel_place.h"
#include "app/window/shortcut_sheet.h"
#include "app/window/workspace.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/synthetic_trace.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"
#include "ui/models/time_axis.h"
#include "ui/panels/filter_bar.h"
#include "ui/panels/summary_page.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::keys_test {

struct KeysTest : WindowTest {
    KeysTest() {
        m_controller.showSnapshot("a.wgrun", {test::makeSyntheticRun(), {}});
        m_controller.showSnapshot("b.wgrun", {test::makeSyntheticRun(), {}});
        m_window->workspace().setPage(Workspace::Page::kViews);
        m_window->activateWindow();
        QCoreApplication::processEvents();
    }

    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* focused = QApplication::focusWidget();
        QTest::keyClick(focused ? focused : m_window.get(), key, modifiers);
        QCoreApplication::processEvents();
    }
    QWidget* ops() { return m_window->workspace().view("ops"); }
    ui::DataTable* opRows() { return ops()->findChild<ui::DataTable*>(); }
    QList<Command> commands() { return commandsOf(*m_window->menuBar(), true); }
    /// A screen reader has a word for whatever can be seen and takes the focus.
    void expectAllNamed(const QString& place) {
        QCoreApplication::processEvents();
        QStringList without;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !widget->isEnabled() || !(widget->focusPolicy() & Qt::TabFocus) ||
                widget->focusProxy())
                continue;
            QAccessibleInterface* read = QAccessible::queryAccessibleInterface(widget);
            if (!read || read->text(QAccessible::Name).isEmpty())
                without << QStringLiteral("%1 %2 in %3")
                               .arg(QString::fromLatin1(widget->metaObject()->className()),
                                    widget->objectName(), widget->parentWidget()->objectName());
        }
        EXPECT_EQ(without.join(QLatin1Char('\n')).toStdString(), "") << place.toStdString();
    }
};

TEST_F(KeysTest, ZoomsAreFittedAndUndoneFromATableAndNotFromAField) {
    const TimeRange whole = axis().visibleRange();
    axis().zoomAt(whole.begin, 0.5);
    const TimeRange closer = axis().visibleRange();
    ASSERT_NE(closer, whole);
    opRows()->setFocus();
    ASSERT_EQ(QApplication::focusWidget(), opRows());
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(axis().visibleRange(), whole);
    key(Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(axis().visibleRange(), closer);
    key(Qt::Key_F, Qt::ShiftModifier);
    EXPECT_EQ(axis().visibleRange(), axis().fullRange());
    key(Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_LT(axis().visibleRange().duration(), whole.duration());

    const TimeRange before = axis().visibleRange();
    auto* field = ops()->findChild<QLineEdit*>();
    field->setFocus();
    QTest::keyClicks(field, "mm");
    key(Qt::Key_F, Qt::ShiftModifier);
    EXPECT_TRUE(field->text().contains(QLatin1Char('f'), Qt::CaseInsensitive)) << "it is typed";
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_LT(field->text().size(), 3) << "it is the field's undo";
    EXPECT_EQ(axis().visibleRange(), before);
}

/// As a line edit does of Ctrl+E where the desktop is X11.
class TakesEveryKey : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride)
            return false;
        event->accept();
        return true;
    }
};

/// As a line edit does of Ctrl+Y where the desktop is X11.
class KnowsNoRedo : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject*, QEvent* event) override {
        const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
        if (!key || static_cast<QKeyEvent*>(event)->keyCombination() != (Qt::CTRL | Qt::Key_Y))
            return false;
        event->ignore();
        return true;
    }
};

TEST_F(KeysTest, CtrlYRedoesTextInAFieldOnEveryDesktop) {
    const TimeRange whole = axis().visibleRange();
    axis().zoomAt(whole.begin, 0.5);
    axis().zoomBack();
    ASSERT_EQ(axis().visibleRange(), whole);
    auto* field = ops()->findChild<QLineEdit*>();
    KnowsNoRedo x11;
    field->installEventFilter(&x11);
    field->setFocus();
    QTest::keyClicks(field, "mm");
    key(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_EQ(field->text(), QString());
    key(Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(field->text(), "mm");
    EXPECT_EQ(axis().visibleRange(), whole) << "nor is there anything left to redo";
    key(Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(axis().visibleRange(), whole);
    field->removeEventFilter(&x11);
    opRows()->setFocus();
    key(Qt::Key_Y, Qt::ControlModifier);
    EXPECT_NE(axis().visibleRange(), whole) << "elsewhere it is the zoom's";
}

TEST_F(KeysTest, MovesGoToThePointedViewUnlessAMenuIsLookedFor) {
    for (QWidget* view : std::initializer_list<QWidget*>{workspace().timeline(), workspace().overview()}) {
        SCOPED_TRACE(view->objectName().toStdString());
        opRows()->setFocus();
        axis().fitAll();
        view->setAttribute(Qt::WA_UnderMouse);
        key(Qt::Key_W);
        const TimeRange closer = axis().visibleRange();
        EXPECT_LT(closer.duration(), axis().fullRange().duration());
        EXPECT_EQ(QApplication::focusWidget(), opRows());
        // A letter leads to a menu then; of this one there is none.
        m_window->menuBar()->setFocus();
        ASSERT_EQ(QApplication::focusWidget(), m_window->menuBar());
        key(Qt::Key_W);
        EXPECT_EQ(axis().visibleRange(), closer);
        opRows()->setFocus();
        key(Qt::Key_F);
        EXPECT_EQ(axis().visibleRange(), axis().fullRange());
        view->setAttribute(Qt::WA_UnderMouse, false);
    }
}

TEST_F(KeysTest, APageThatIsClickedOnTakesItsKeysAtOnce) {
    auto* pages = m_window->findChild<ui::SegmentedControl*>("pages");
    m_window->runPanelPlace().toggle();  // folded, for a finished run
    const auto choose = [this, pages](int page) {
        QTest::mouseClick(pages->button(page), Qt::LeftButton);
        QCoreApplication::processEvents();
        EXPECT_EQ(static_cast<int>(workspace().page()), page);
    };
    for (const int page : {0, 2, 3, 1}) {
        for (auto* field : m_window->runPanel().findChildren<QLineEdit*>()) {
            if (field->isVisible() && field->isEnabled())
                field->setFocus();
        }
        ASSERT_TRUE(workspace().focusedView().isEmpty());
        choose(page);
        const QWidget* main = workspace().mainView();
        EXPECT_EQ(workspace().focusedView(), main->objectName()) << "page " << page;
    }
    const TimeRange whole = axis().visibleRange();
    key(Qt::Key_W);
    const TimeRange closer = axis().visibleRange();
    EXPECT_LT(closer.duration(), whole.duration());
    key(Qt::Key_D);
    EXPECT_GT(axis().visibleRange().begin, closer.begin);

    // By the keyboard one goes through the pages in the control itself.
    pages->button(1)->setFocus(Qt::TabFocusReason);
    QTest::keyClick(pages->button(1), Qt::Key_Right);
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_TRUE(pages->isAncestorOf(QApplication::focusWidget()));
}

TEST_F(KeysTest, TheTimeAxisMovesUnderThePointerWhereverTheKeyboardIs) {
    auto* timeline = workspace().timeline();
    const auto point = [](QWidget* at, bool over) {
        const QPointF middle(at->rect().center());
        QEnterEvent enter(middle, middle, at->mapToGlobal(middle));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(at, over ? static_cast<QEvent*>(&enter) : &leave);
    };
    const auto changes = [&](Qt::Key pressed) {
        const TimeRange before = axis().visibleRange();
        key(pressed);
        return axis().visibleRange() != before;
    };
    QWidget* tab = m_window->findChild<ui::SegmentedControl*>("pages")->button(1);
    for (QWidget* elsewhere : {static_cast<QWidget*>(opRows()), tab}) {
        axis().fitAll();
        elsewhere->setFocus();
        ASSERT_EQ(QApplication::focusWidget(), elsewhere);
        EXPECT_FALSE(changes(Qt::Key_W)) << "the pointer is nowhere near";
        point(timeline, true);
        EXPECT_TRUE(changes(Qt::Key_W));
        EXPECT_TRUE(changes(Qt::Key_D));
        EXPECT_TRUE(changes(Qt::Key_A));
        EXPECT_TRUE(changes(Qt::Key_S));
        EXPECT_EQ(QApplication::focusWidget(), elsewhere) << "which stays where it is";
        point(timeline, false);
        EXPECT_FALSE(changes(Qt::Key_W));
    }
    point(timeline, true);
    auto* field = ops()->findChild<QLineEdit*>();
    field->setFocus();
    EXPECT_FALSE(changes(Qt::Key_W));
    EXPECT_EQ(field->text(), "w") << "it is typed";
    point(timeline, false);
}

TEST_F(KeysTest, AFigureIsExportedFromAFieldToo) {
    auto* field = ops()->findChild<QLineEdit*>();
    TakesEveryKey taker;
    field->installEventFilter(&taker);
    field->setFocus();
    bool opened = false;
    QTimer::singleShot(0, m_window.get(), [&opened] {
        auto* dialog = qobject_cast<FigureDialog*>(QApplication::activeModalWidget());
        opened = dialog != nullptr;
        if (dialog)
            dialog->reject();
    });
    key(Qt::Key_E, Qt::ControlModifier);
    EXPECT_TRUE(opened);
    field->removeEventFilter(&taker);
}

TEST_F(KeysTest, EveryActionThatTheKeySheetNamesIsInAMenu) {
    // Where the menus have it; nothing for what moves only the pointer, the focus or the selection.
    const QString views = QStringLiteral("Timeline and charts over time"), tables = QStringLiteral("Tables"),
                  comparison = QStringLiteral("Comparison of two runs"), lessons = QStringLiteral("Lessons");
    const QList<std::pair<std::pair<QString, QString>, QString>> known = {
        {{views, "Wheel, W / S"}, "View › Zoom › Zoom In"},
        {{views, "F"}, "View › Zoom › Fit the Selection"},
        {{views, "Home"}, "View › Fit the Whole Run"},
        {{views, "Alt+Up, Alt+Down, drag its label"}, "View › Rows of the Timeline › Move This Row Up"},
        {{views, "C, P, H"}, "View › Rows of the Timeline › Hide This Row"},
        {{views, "M"}, "View › Marks › Mark the Cursor or Range…"},
        {{views, "N, Shift+N"}, "View › Marks › Next"},
        {{views, "E, Delete"}, "View › Marks › Edit…"},
        {{views, "[, ]"}, "View › Chain of Causes › Cause"},
        {{comparison, "L"}, "View › Comparison › Align at the Selected Span"},
        {{comparison, "X"}, "View › Comparison › Swap the Runs"},
        {{comparison, "Ctrl+F, F3"}, "View › Find…"},
        {{comparison, "Esc"}, "View › Comparison › Back to One Run"},
        {{tables, "Ctrl+C, Ctrl+Shift+C"}, "Table › Copy"},
        {{tables, "Shift+F10, Menu"}, "Table › Group By › "},
        {{tables, "Right click on a title"}, "Table › Columns › "},
        {{tables, "Click a column's title"}, "Table › Sort By › "},
        {{"Find", "Enter, Shift+Enter, F3, Shift+F3"}, "View › Find and Filter › Find Next"},
        {{"Everywhere", "Ctrl+Page Down, Ctrl+Page Up"}, "Run › Next Run"},
        {{"Everywhere", "Drop a run file"}, "File › Open…"},
        {{lessons, "Space, Enter"}, "Help › Lessons › Show the Answer"},
        {{lessons, "Right, Page Down"}, "Help › Lessons › Next Step"},
        {{lessons, "Left, Page Up"}, "Help › Lessons › Previous Step"},
        {{lessons, "Esc"}, "Help › Lessons › Leave the Lesson"},
    };
    const QList<std::pair<QString, QString>> noAction = {
        {views, "Drag, A / D"},
        {views, "Shift + wheel"},
        {views, "Shift + drag"},
        {views, "Click"},
        {views, "Double click"},
        {views, "Left, Right"},
        {views, "Up, Down"},
        {views, "Esc"},
        {views, "Alt + wheel, Page Up, Page Down"},
        {views, "Shift+Up, Shift+Down"},
        {comparison, "Click on a block"},
        {comparison, "Click on a row, Enter"},
        {tables, "Enter, double click"},
        {tables, "Left, Right"},
        {"Everywhere", "Tab, Shift+Tab"},
    };
    opRows()->setFocus();
    QStringList titles;
    for (const Command& command : commands())
        titles << command.title;
    const QStringList ownKeys = {"Treemap and flame charts", "Allocation map and charts"};
    for (const KeySection& section : viewKeys()) {
        for (const KeyHint& hint : section.hints) {
            const std::pair named(section.title, hint.keys);
            if (noAction.contains(named) || ownKeys.contains(section.title))
                continue;
            const auto where = std::find_if(known.begin(), known.end(),
                                            [&named](const auto& entry) { return entry.first == named; });
            const std::string words = (section.title + QStringLiteral(": ") + hint.keys).toStdString();
            ASSERT_NE(where, known.end()) << words << ": is it an action? Then a menu has it";
            EXPECT_TRUE(
                std::any_of(titles.begin(), titles.end(),
                            [&where](const QString& title) { return title.startsWith(where->second); }))
                << words << " is not in the menus as " << where->second.toStdString();
        }
    }
}

TEST_F(KeysTest, WithoutARunNothingIsOfferedThatNeedsOne) {
    m_controller.closeRun(1);
    m_controller.closeRun(0);
    ASSERT_TRUE(m_controller.runs().empty());
    QStringList titles;
    for (const Command& command : commandsOf(*m_window->menuBar()))
        titles << command.title;
    EXPECT_TRUE(titles.contains("File › Open…"));
    EXPECT_TRUE(titles.contains("View › Appearance › Theme › Dark"));
    for (const char* ofARun : {"File › Export Figure…", "View › Zoom › Zoom In", "View › Summary",
                               "View › Find…", "Run › Next Run", "View › Follow the Run",
                               "View › Marks › Next", "View › Comparison › Swap the Runs"})
        EXPECT_FALSE(titles.contains(QString::fromUtf8(ofARun))) << ofARun;
}

TEST_F(KeysTest, RunsAreGoneThroughAndComparedByKeys) {
    ASSERT_EQ(m_controller.currentRun(), 1);
    opRows()->setFocus();
    key(Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(m_controller.currentRun(), 0) << "round the end";
    key(Qt::Key_Tab, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(m_controller.currentRun(), 1);
    key(Qt::Key_PageUp, Qt::ControlModifier);
    EXPECT_EQ(m_controller.currentRun(), 0);
    key(Qt::Key_PageDown, Qt::ControlModifier);
    EXPECT_EQ(m_controller.currentRun(), 1);
    auto* comparison = m_window->findChild<QWidget*>("comparison");
    key(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(comparison->isVisible());
}

TEST_F(KeysTest, LeavingAComparisonGivesTheFocusBack) {
    opRows()->setFocus();
    m_window->pages().compare(0, 1);
    QCoreApplication::processEvents();
    ASSERT_NE(QApplication::focusWidget(), opRows());
    key(Qt::Key_Escape);
    EXPECT_EQ(QApplication::focusWidget(), opRows());

    // From nowhere: to what the page is about, and to no button that the next key would press.
    workspace().setPage(Workspace::Page::kSummary);
    if (QApplication::focusWidget())
        QApplication::focusWidget()->clearFocus();
    m_window->pages().compare(0, 1);
    QCoreApplication::processEvents();
    action("View › Comparison › Back to One Run")->trigger();
    QCoreApplication::processEvents();
    EXPECT_EQ(QApplication::focusWidget(), workspace().view("summary"));
}

TEST_F(KeysTest, SamplesCanBeOpenedBesideARun) {
    QAction* sample = action("File › Samples › small-bf16-naive");
    ASSERT_NE(sample, nullptr);
    EXPECT_GT(sample->toolTip().size(), 20) << "what to look at";
    sample->trigger();
    EXPECT_TRUE(waitFor([&] { return m_controller.runs().size() == 3; }));
}

TEST_F(KeysTest, ATablesRowHasItsMenuByKeyAndInTheWindow) {
    ui::DataTable* table = opRows();
    ASSERT_TRUE(waitFor([&] { return table->shownRows() > 1; }));
    table->setFocus();
    table->setCurrentIndex(table->model()->index(1, 0));
    QStringList titles;
    QTimer::singleShot(0, m_window.get(), [&titles] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        for (const QAction* entry : menu->actions())
            titles << entry->text();
        menu->close();
    });
    key(Qt::Key_F10, Qt::ShiftModifier);
    EXPECT_TRUE(titles.contains("Find All")) << "the row's own";
    EXPECT_TRUE(titles.contains("Sort By"));

    action("Table › Sort By › Name")->trigger();
    EXPECT_EQ(table->horizontalHeader()->sortIndicatorSection(), table->horizontalHeader()->logicalIndex(0));
    EXPECT_NE(action("Table › Find All"), nullptr);
}

TEST_F(KeysTest, TabFollowsTheEyeOverATable) {
    auto* grouping = ops()->findChild<QWidget*>("opGrouping");
    auto* columns = ops()->findChild<QWidget*>("opColumns");
    QWidget* field = &ops()->findChild<ui::FilterBar*>()->field();
    const auto comesBefore = [this](QWidget* first, QWidget* second) {
        QWidget* at = first;
        do {
            at = at->nextInFocusChain();
            if (at == second)
                return true;
        } while (at != ops() && at != first);
        return false;
    };
    EXPECT_TRUE(comesBefore(grouping, field));
    EXPECT_TRUE(comesBefore(field, columns));
    EXPECT_FALSE(comesBefore(field, grouping));
}

TEST_F(KeysTest, WhateverTakesTheFocusHasANameToBeRead) {
    open({sample("small-bf16-naive")});
    ASSERT_TRUE(waitFor([&] { return !workspace().summary().findings().empty(); }));
    for (int page = 0; page < Workspace::pageNames().size(); ++page) {
        workspace().setPage(static_cast<Workspace::Page>(page));
        expectAllNamed(Workspace::pageNames()[page].title);
        for (auto* tabs : workspace().findChildren<QTabWidget*>()) {
            for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i) {
                tabs->setCurrentIndex(i);
                expectAllNamed(tabs->tabText(i));
            }
        }
    }
    m_window->pages().compare(0, 1);
    expectAllNamed("comparison");
    for (int i = static_cast<int>(m_controller.runs().size()) - 1; i >= 0; --i)
        m_controller.closeRun(i);
    expectAllNamed("start page");
}

}  // namespace warpglass::app::keys_test
