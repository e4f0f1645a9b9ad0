// Every choice that a view has on itself is a command too, and does the same; menus stay within a small
// screen; what cannot be chosen now is found, with why.
#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

#include "app/window/launch.h"
#include "app/window/main_menus.h"
#include "app/window/run_panel_place.h"
#include "app/window/sample_runs.h"
#include "tests/gui/window_tools_fixture.h"
#include "tests/support/must.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"
#include "ui/panels/op_table.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::options_test {

struct OptionsTest : WindowToolsTest {
    /// With a GPU's kernels, so that every control has something to choose.
    void openSample() {
        m_controller.openFiles({QDir(sampleFolder()).filePath("small-bf16-naive.wgrun")});
        ASSERT_TRUE(waitFor([&] { return m_controller.runs().size() == 2 && !m_controller.isBusy(); }));
        QCoreApplication::processEvents();
    }
    QStringList optionTitles() {
        QStringList titles;
        for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
            if (command.title.startsWith("View › Options › "))
                titles << command.title;
        }
        return titles;
    }
    /// What a person sees in `page` and can choose, as its command would end.
    static QStringList choicesInSight(const QWidget& page) {
        constexpr int kSteps = 12;  // a longer list is one of steps
        QStringList choices;
        for (const auto* control : page.findChildren<ui::SegmentedControl*>()) {
            for (int i = 0; control->isVisible() && i < control->count(); ++i)
                choices << QStringLiteral(" › %1 › %2")
                               .arg(control->accessibleName(), control->button(i)->text());
        }
        for (const auto* box : page.findChildren<QComboBox*>()) {
            for (int i = 0;
                 box->isVisible() && box->count() > 1 && box->count() <= kSteps && i < box->count(); ++i)
                choices << QStringLiteral(" › %1 › %2").arg(box->accessibleName(), box->itemText(i));
        }
        for (const auto* button : page.findChildren<QAbstractButton*>()) {
            if (!button->isVisible() || !button->isCheckable() ||
                qobject_cast<ui::SegmentedControl*>(button->parentWidget()))
                continue;
            const QString name =
                button->accessibleName().isEmpty() ? button->text() : button->accessibleName();
            if (!name.isEmpty())
                choices << QStringLiteral(" › %1").arg(name);
        }
        for (const auto* field : page.findChildren<QLineEdit*>()) {
            if (field->isVisible())
                choices << QStringLiteral(" › %1…").arg(field->accessibleName());
        }
        return choices;
    }
    /// How many there are.
    int expectCommands(const QWidget& page, const std::string& where) {
        QCoreApplication::processEvents();
        const QStringList titles = optionTitles(), choices = choicesInSight(page);
        for (const QString& choice : choices)
            EXPECT_TRUE(std::any_of(titles.begin(), titles.end(),
                                    [&choice](const QString& title) { return title.endsWith(choice); }))
                << where << ": no command" << choice.toStdString();
        return static_cast<int>(choices.size());
    }
    void choose(const QString& path) {
        if (QAction* option = action(QStringLiteral("View › Options › ") + path))
            option->trigger();
    }
};

TEST_F(OptionsTest, EveryChoiceInSightIsACommand) {
    openSample();
    int choices = 0;
    for (int page = 0; page < Workspace::pageNames().size(); ++page) {
        workspace().setPage(static_cast<Workspace::Page>(page));
        choices += expectCommands(workspace(), std::to_string(page));
        for (auto* tabs : workspace().findChildren<QTabWidget*>()) {
            for (int i = 0; tabs->isVisible() && i < tabs->count(); ++i) {
                tabs->setCurrentIndex(i);
                choices += expectCommands(workspace(), tabs->tabText(i).toStdString());
            }
        }
    }
    for (const Workspace::ViewName& view : Workspace::views()) {
        workspace().showView(workspace().view(view.name));
        choices += expectCommands(workspace(), view.name.toStdString());
    }
    EXPECT_GT(choices, 60);
    m_window->pages().compare(0, 1);
    EXPECT_GT(expectCommands(*child<ui::ComparisonView>("comparison"), "comparison"), 8);
}

TEST_F(OptionsTest, ACommandDoesWhatItsControlDoesAndBringsItsViewToTheFront) {
    openSample();
    m_window->activateWindow();
    workspace().setPage(Workspace::Page::kSummary);
    choose("Allocation map › Order of the allocation map › By allocation time");
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_EQ(child<ui::SegmentedControl>("mapOrder")->current(), 1);
    EXPECT_TRUE(action("View › Options › Allocation map › Order of the allocation map › By allocation time")
                    ->isChecked());
    choose("Memory › What the stack is grouped by › Op");
    auto* page = child<QWidget>("memoryPage");
    EXPECT_EQ(page->findChild<QComboBox*>("memoryStack")->currentText(), "Op");

    auto* ops = test::must(qobject_cast<ui::OpTable*>(workspace().view("ops")));
    workspace().showView(workspace().view("find"));
    choose("Ops and kernels › What is counted › Ops");
    EXPECT_TRUE(ops->isVisible());
    EXPECT_EQ(ops->subject(), ui::OpTable::Subject::kOps);
    choose("Ops and kernels › Grouping › By module");
    EXPECT_EQ(ops->grouping(), SpanGrouping::kModule);
    auto* durations = ops->findChild<QAbstractButton*>("opHistogram");
    const bool before = durations->isChecked();
    choose(QStringLiteral("Ops and kernels › ") + durations->accessibleName());
    EXPECT_NE(durations->isChecked(), before);

    choose("Flame chart of time › What the widths show › Memory");
    EXPECT_TRUE(workspace().view("flame-memory")->isVisible());
    choose("Flame chart of time › Highlight by name…");
    EXPECT_EQ(QApplication::focusWidget(), child<QWidget>("flame")->findChild<QLineEdit*>());

    m_window->pages().compare(0, 1);
    QCoreApplication::processEvents();
    choose("Which steps are compared › Sum");
    EXPECT_EQ(child<ui::SegmentedControl>("comparedSteps")->current(), 1);
    choose("What is compared › Memory");
    EXPECT_EQ(child<ui::SegmentedControl>("comparisonTables")->current(), 4);
}

TEST_F(OptionsTest, TheStepsThatCountAreChosenFromTheMenu) {
    ui::RunFilter& filter = workspace().filter();
    const QString menu = "View › Find and Filter › ";
    QAction* whole = action(menu + QStringLiteral("Count the Whole Run"));
    QAction* measured = action(menu + QStringLiteral("Count the Measured Steps"));
    ASSERT_TRUE(whole && measured);
    for (int again = 0; again < 2; ++again) {
        whole->trigger();
        EXPECT_EQ(filter.state().steps, ui::RunFilter::Steps::kAll);
        EXPECT_TRUE(whole->isChecked());
        EXPECT_FALSE(measured->isChecked());
    }
    filter.reset();
    EXPECT_TRUE(measured->isChecked());
    EXPECT_FALSE(whole->isChecked());
}

TEST_F(OptionsTest, NoMenuIsHigherThanASmallLaptopsScreen) {
    openSample();
    const int commands = static_cast<int>(commandsOf(*m_window->menuBar(), true).size());  // fills them all
    EXPECT_GT(commands, 100);
    constexpr int kMost = 640;
    for (QAction* top : m_window->menuBar()->actions()) {
        EXPECT_LE(top->menu()->sizeHint().height(), kMost) << top->text().toStdString();
        // A table may have more columns than that.
        if (top->text() != QStringLiteral("&View"))
            continue;
        for (const auto* menu : top->menu()->findChildren<QMenu*>())
            EXPECT_LE(menu->sizeHint().height(), kMost) << menu->title().toStdString();
    }
}

TEST_F(OptionsTest, ThePaletteFindsWhatCannotBeChosenNowAndSaysWhy) {
    m_controller.closeRun(0);
    m_window->menus().openCommandPalette();
    auto* query = child<QLineEdit>("commandQuery");
    auto* list = child<QListWidget>("commandList");
    const int place = query->y();
    EXPECT_TRUE(list->item(0)->flags() & Qt::ItemIsEnabled) << "what can be chosen comes first";
    QTest::keyClicks(query, "export");
    ASSERT_GE(list->count(), 1);
    EXPECT_TRUE(list->item(0)->text().contains("Export Figure"));
    EXPECT_FALSE(list->item(0)->flags() & Qt::ItemIsEnabled);
    QStringList said;
    for (int role = Qt::UserRole; role < Qt::UserRole + 8; ++role)
        said << list->item(0)->data(role).toString();
    EXPECT_TRUE(said.contains("needs a run")) << said.join(QLatin1Char('|')).toStdString();
    QTest::keyClick(query, Qt::Key_Return);  // nothing to do
    QTest::keyClicks(query, " no such thing");
    QCoreApplication::processEvents();
    EXPECT_EQ(list->count(), 1);
    EXPECT_EQ(query->y(), place) << "what is typed in does not move";
    QTest::keyClick(query, Qt::Key_Escape);
}

TEST_F(OptionsTest, APagesKeyGivesItsMainViewTheKeyboard) {
    m_window->runPanelPlace().toggle();  // folded, for a finished run
    m_window->activateWindow();
    QCoreApplication::processEvents();
    for (auto* field : m_window->runPanel().findChildren<QLineEdit*>()) {
        if (field->isVisible() && field->isEnabled())
            field->setFocus();
    }
    ASSERT_TRUE(m_window->runPanel().isAncestorOf(QApplication::focusWidget()));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_3, Qt::ControlModifier);
    EXPECT_EQ(workspace().focusedView(), "memory-map");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_2, Qt::ControlModifier);
    EXPECT_EQ(QApplication::focusWidget(), workspace().timeline());
    // Where it is the page in front already, what has the keyboard there keeps it.
    auto* rows = child<ui::DataTable>("opRows");
    ASSERT_TRUE(waitFor([&] { return rows->shownRows() > 1; }));
    action("View › Go To › Ops and kernels")->trigger();
    EXPECT_EQ(QApplication::focusWidget(), rows);
    EXPECT_TRUE(rows->currentIndex().isValid());
    QTest::keyClick(rows, Qt::Key_2, Qt::ControlModifier);
    EXPECT_EQ(QApplication::focusWidget(), rows);
}

TEST_F(OptionsTest, TheRunPanelComesBackWithOnePressHoweverItWasHidden) {
    QAction* panel = test::must(action("View › Run Panel"));
    RunPanelPlace& place = m_window->runPanelPlace();
    const auto* lead = child<QLabel>("startLead");
    const std::vector<std::pair<const char*, std::function<void()>>> ways = {
        {"for a finished run", [&] { place.setChoice("auto"); }},
        {"by a layout", [&] { place.setChoice("hidden"); }},
        {"by its button", [&] { click(button("foldRunPanel")); }},
        {"by one view alone", [&] { place.hide(); }},
    };
    for (const auto& [way, hide] : ways) {
        SCOPED_TRACE(way);
        hide();
        EXPECT_FALSE(m_window->runPanel().isVisible());
        EXPECT_FALSE(panel->isChecked());
        EXPECT_TRUE(lead->text().contains("Ctrl+B")) << lead->text().toStdString();
        panel->trigger();
        EXPECT_TRUE(m_window->runPanel().isVisible());
        EXPECT_TRUE(panel->isChecked());
        EXPECT_FALSE(lead->text().contains("Ctrl+B"));
    }
    click(button("foldRunPanel"));
    click(button("runRail"));
    EXPECT_TRUE(m_window->runPanel().isVisible());
}

TEST_F(OptionsTest, ResetLayoutTakesTheSizeBack) {
    MainWindow remembers(m_controller, MainWindow::Remember::kLayout);
    chooseSize(1.5);
    for (const Command& command : commandsOf(*remembers.menuBar(), true)) {
        if (command.title == QStringLiteral("View › Layout › Reset Layout"))
            command.action->trigger();
    }
    EXPECT_EQ(chosenSize(), 1);
    chooseSize(1);
}

}  // namespace warpglass::app::options_test
