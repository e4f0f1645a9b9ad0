// What the window does with its views but figures: the command palette, the sheet of shortcuts, layouts, one
// view alone, the size of text.
#include <QDataStream>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QToolButton>

#include "app/window/command_palette.h"
#include "app/window/commands.h"
#include "app/window/focus_corner.h"
#include "app/window/launch.h"
#include "app/window/main_menus.h"
#include "app/window/recent_runs.h"
#include "app/window/run_panel_place.h"
#include "app/window/shortcut_sheet.h"
#include "app/window/window_layout.h"
#include "engine/query/findings/finding.h"
#include "tests/gui/window_tools_fixture.h"
#include "tests/support/first_of.h"
#include "tests/support/gestures.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/models/run_filter.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::window_tools_test {

TEST_F(WindowToolsTest, ThePaletteFindsACommandByAnyWordsAndDoesIt) {
    QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* query = child<QLineEdit>("commandQuery");
    auto* list = child<QListWidget>("commandList");
    ASSERT_TRUE(query && list);
    const int all = list->count();
    EXPECT_GT(all, 15);
    QTest::keyClicks(query, "summ");
    ASSERT_GE(list->count(), 1);
    EXPECT_LT(list->count(), all);
    EXPECT_TRUE(list->item(0)->text().endsWith("Summary")) << list->item(0)->text().toStdString();
    QTest::keyClick(query, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return workspace().page() == Workspace::Page::kSummary; }));
    EXPECT_TRUE(waitFor([&] { return !m_window->findChild<QLineEdit*>("commandQuery"); }));

    m_window->menus().openCommandPalette();
    query = child<QLineEdit>("commandQuery");
    QTest::keyClicks(query, "no such thing at all");
    list = child<QListWidget>("commandList");
    EXPECT_EQ(list->count(), 1);
    QTest::keyClick(query, Qt::Key_Return);  // nothing to do
    QTest::keyClick(query, Qt::Key_Escape);
    EXPECT_TRUE(waitFor([&] { return !m_window->findChild<QLineEdit*>("commandQuery"); }));
}

TEST(Commands, WordsAtTheBeginningOfWordsCountMost) {
    const auto score = [](const char* title, const char* query) {
        return commandScore(QString::fromUtf8(title), QString::fromUtf8(query));
    };
    EXPECT_GT(score("View › Theme › Dark", "dark"), score("Edit › Endarken", "dark"));
    EXPECT_GT(score("View › Theme › Dark", "dark theme"), score("View › Theme › Dark", "dark"));
    EXPECT_GT(score("File › Export Figure…", "fig"), score("File › Of Inner Gears", "fig"));
    EXPECT_TRUE(score("File › Export Figure…", "exfi")) << "letters in order";
    EXPECT_FALSE(score("File › Export Figure…", "zebra"));
    EXPECT_FALSE(score("View › Theme › Dark", "dark zebra"));
    EXPECT_EQ(score("anything", ""), 0);
}

TEST(Commands, LettersAreWordsThatBeginWithThemOrNearlyAWord) {
    const auto answers = [](const char* title, const char* query) {
        return commandScore(QString::fromUtf8(title), QString::fromUtf8(query)).has_value();
    };
    EXPECT_TRUE(answers("File › Export Figure…", "ef")) << "initials";
    EXPECT_TRUE(answers("View › Comparison › Align at the Selected Span", "algn"));
    EXPECT_FALSE(answers("File › Open Recent › small-fp32-naive", "align"))
        << "letters that are far apart are no word";
    EXPECT_FALSE(answers("View › Find Next in Another Window", "new run"));
    EXPECT_FALSE(answers("File › Export Figure…", "fief")) << "of the action's own name only";
}

TEST(RecentRunsTest, AreCalledAsTheirTabsAre) {
    QSettings().clear();
    RecentRuns recent;
    const QTemporaryDir folder;
    const QString titled = folder.filePath("20261122-tiny.wgrun");
    const QString other = folder.filePath("other.wgrun");
    recent.add(other, {});
    recent.add(titled, "tiny · cpu");
    EXPECT_EQ(recent.titleOf(titled), "tiny · cpu");
    EXPECT_EQ(recent.titleOf(other), "other");
    for (int i = 0; i < RecentRuns::kMost; ++i)
        recent.add(folder.filePath(QStringLiteral("%1.wgrun").arg(i)), "one more");
    EXPECT_EQ(recent.titleOf(titled), "20261122-tiny") << "forgotten with its file";
    recent.clear();
    EXPECT_EQ(recent.titleOf(folder.filePath("1.wgrun")), "1");
}

TEST_F(WindowToolsTest, EveryActionHasATitleOfItsOwnAndNoShortcutTwice) {
    QStringList titles, shortcuts;
    for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
        EXPECT_FALSE(titles.contains(command.title)) << command.title.toStdString();
        titles << command.title;
        EXPECT_FALSE(shortcuts.contains(command.shortcut)) << command.shortcut.toStdString();
        if (!command.shortcut.isEmpty())
            shortcuts << command.shortcut;
    }
}

TEST_F(WindowToolsTest, TheSheetHoldsEveryMenusShortcutAndNarrows) {
    QTest::keyClick(m_window.get(), Qt::Key_Question);
    auto* sheet = test::must(m_window->findChild<ShortcutSheet*>());
    auto* text = sheet->findChild<QTextBrowser*>("shortcutText");
    for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
        if (!command.shortcut.isEmpty()) {
            EXPECT_TRUE(text->toPlainText().contains(command.shortcut)) << command.shortcut.toStdString();
        }
    }
    EXPECT_TRUE(text->toPlainText().contains("zoom at the cursor"));
    QTest::keyClicks(sheet->findChild<QLineEdit*>(), "figure");
    EXPECT_FALSE(text->toPlainText().contains("zoom at the cursor"));
    EXPECT_TRUE(text->toPlainText().contains("Export Figure"));
}

TEST_F(WindowToolsTest, AQuestionMarkInAFieldIsTyped) {
    auto* field = test::must(workspace().view("ops")->findChild<QLineEdit*>());
    field->setFocus();
    QTest::keyClicks(field, "?");
    EXPECT_EQ(field->text(), "?");
    EXPECT_EQ(m_window->findChild<ShortcutSheet*>(), nullptr);
}

TEST_F(WindowToolsTest, OneViewAloneAndEverythingBack) {
    auto* timeline = workspace().view("timeline");
    auto* memory = workspace().view("memory");
    child<FocusCorner>("focusCorner")->setWayOutShown(kPatience);
    timeline->setFocus();
    const QSize before = timeline->size();
    const bool status = m_window->statusBar()->isVisible();  // only with something to say
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    QCoreApplication::processEvents();
    EXPECT_TRUE(timeline->isVisible());
    EXPECT_FALSE(memory->isVisible());
    EXPECT_FALSE(m_window->runPanelPlace().isVisible());
    EXPECT_FALSE(m_window->statusBar()->isVisible());
    EXPECT_GT(timeline->height(), before.height() * 3 / 2);
    EXPECT_GE(timeline->width(), m_window->width() - 8);
    EXPECT_EQ(m_window->menuBar()->height(), 0);
    click(button("leaveFocus"));
    QCoreApplication::processEvents();
    EXPECT_TRUE(memory->isVisible());
    EXPECT_TRUE(m_window->runPanelPlace().isVisible());
    EXPECT_EQ(m_window->statusBar()->isVisible(), status);
    EXPECT_EQ(timeline->size(), before);
    EXPECT_GT(m_window->menuBar()->height(), 0);

    // The same for a table in the tabs; another page ends it.
    workspace().showView(workspace().view("phases"));
    for (auto* table : workspace().view("phases")->findChildren<QTableView*>()) {
        if (table->isVisible())
            table->setFocus();
    }
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    EXPECT_FALSE(timeline->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_TRUE(m_window->runPanelPlace().isVisible());
    EXPECT_FALSE(button("leaveFocus")->isVisible());
}

TEST_F(WindowToolsTest, EscLeavesOneViewAloneOnceItHasNothingElseToLetGo) {
    auto* timeline = workspace().timeline();
    timeline->setFocus();
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    ASSERT_FALSE(m_window->runPanelPlace().isVisible());
    axis().setPinnedCursor(axis().fullRange().begin);
    QTest::keyClick(timeline, Qt::Key_Escape);
    EXPECT_FALSE(axis().pinnedCursor());
    EXPECT_FALSE(m_window->runPanelPlace().isVisible()) << "it has let go of the cursor";
    QTest::keyClick(timeline, Qt::Key_Escape);
    EXPECT_TRUE(m_window->runPanelPlace().isVisible());
    EXPECT_FALSE(button("leaveFocus")->isVisible());

    // In a comparison, which Esc leaves too, it is the first that is left.
    m_controller.showSnapshot("b.wgrun", {test::makeSyntheticRun(), {}});
    m_window->pages().compare(0, 1);
    auto* comparison = child<ui::ComparisonView>("comparison");
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    ASSERT_FALSE(m_window->runPanelPlace().isVisible());
    QTest::keyClick(comparison, Qt::Key_Escape);
    EXPECT_TRUE(m_window->runPanelPlace().isVisible());
    EXPECT_TRUE(comparison->isVisible());
    QTest::keyClick(comparison, Qt::Key_Escape);
    EXPECT_FALSE(comparison->isVisible());
}

TEST_F(WindowToolsTest, OneViewAloneSaysWhatItCountsAndLetsItBeTakenAway) {
    ui::RunFilter& filter = workspace().filter();
    auto* counts = child<QToolButton>("focusFilter");
    workspace().view("timeline")->setFocus();
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    EXPECT_FALSE(counts->isVisible()) << "as a run is opened";
    filter.setPhase(Phase::kBackward);
    EXPECT_TRUE(counts->isVisible());
    EXPECT_TRUE(counts->accessibleName().contains("backward"));
    emit counts->menu()->aboutToShow();
    const auto entries = counts->menu()->actions();
    test::firstOf(entries, [](QAction* entry) { return entry->text() == "Remove backward"; })->trigger();
    EXPECT_EQ(filter.state().phase, std::nullopt);
    EXPECT_FALSE(counts->isVisible());
    filter.setText("mm");
    EXPECT_TRUE(counts->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    EXPECT_FALSE(counts->isVisible()) << "with everything there are the chips";
}

TEST_F(WindowToolsTest, TheWayOutOfOneViewAloneGoesButNotFromUnderTheKeyboard) {
    auto* corner = child<FocusCorner>("focusCorner");
    corner->setWayOutShown(200);
    auto* timeline = workspace().view("timeline");
    timeline->setFocus();
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    auto* leave = button("leaveFocus");
    EXPECT_TRUE(waitFor([&] { return leave->isHidden(); }));
    corner->notice({m_window->width() / 2, m_window->height() / 2});
    EXPECT_TRUE(leave->isHidden()) << "the mouse is nowhere near it";
    corner->notice({m_window->width() / 2, m_window->height() - 4});
    ASSERT_TRUE(leave->isVisible());
    leave->setFocus(Qt::TabFocusReason);
    ASSERT_TRUE(leave->hasFocus());
    EXPECT_FALSE(QTest::qWaitFor([&] { return leave->isHidden(); }, 1'000));
    timeline->setFocus();
    EXPECT_TRUE(waitFor([&] { return leave->isHidden(); }));
}

TEST_F(WindowToolsTest, WhatIsSaidOverTheMemoryPageStaysAwayFromAPartAlone) {
    workspace().setPage(Workspace::Page::kMemory);
    workspace().focusView(workspace().view("treemap"));
    auto* restriction = child<QWidget>("memoryRestriction");
    ASSERT_FALSE(restriction->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    ASSERT_FALSE(m_window->runPanelPlace().isVisible());
    ASSERT_TRUE(workspace().view("treemap")->isVisible());
    workspace().filter().setPhase(Phase::kBackward);
    ASSERT_FALSE(restriction->isHidden());
    EXPECT_FALSE(restriction->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_F11);
    EXPECT_TRUE(restriction->isVisible());
}

TEST_F(WindowToolsTest, GoingToAChartsTableSelectsNothing) {
    open({sample("small-bf16-naive")});
    auto* layers = workspace().view("layers");
    workspace().showView(layers);
    auto* table = child<ui::DataTable>("layersTable");
    ASSERT_TRUE(waitFor([&] { return table->shownRows() > 0; }));
    // The table is the larger part.
    layers->findChild<QSplitter*>()->setSizes({100, 900});
    QCoreApplication::processEvents();
    const Nanoseconds pinned = axis().fullRange().begin + Nanoseconds(1);
    axis().setPinnedCursor(pinned);
    workspace().focusView(layers);
    ASSERT_TRUE(table->hasFocus());
    EXPECT_FALSE(QTest::qWaitFor([&] { return axis().selectedSpan().has_value(); }, 300));
    EXPECT_EQ(axis().pinnedCursor(), pinned);
}

Finding makeFinding() {
    return {.rule = "made-up",
            .sentence = "These ops cost much.",
            .evidence = {.view = EvidenceView::kOps, .names = "aten::mm"}};
}

TEST_F(WindowToolsTest, WhatIsSaidNoMoreDoesNotComeBackWithEverything) {
    auto* evidence = child<QWidget>("evidenceBar");
    auto* problems = child<QWidget>("openProblems");
    m_controller.showSnapshot("b.wgrun", {test::makeSyntheticRun(), {}});
    workspace().showFinding(makeFinding());
    emit m_controller.opening().notOpened({"One is damaged.", "So is another."});
    for (const bool visible : {true, false, true}) {
        EXPECT_EQ(evidence->isVisible(), visible);
        EXPECT_EQ(problems->isVisible(), visible);
        workspace().view("timeline")->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F11);
    }
    EXPECT_FALSE(evidence->isVisible());
    emit m_controller.opening().began();
    m_controller.showRun(0);
    QCoreApplication::processEvents();
    EXPECT_TRUE(m_window->runPanelPlace().isVisible());
    EXPECT_EQ(workspace().page(), Workspace::Page::kViews);
    EXPECT_FALSE(evidence->isVisible());
    EXPECT_FALSE(problems->isVisible());
}

TEST_F(WindowToolsTest, AFindingIsTheEvidenceOnlyWhileItIsWhatCounts) {
    auto* evidence = child<QWidget>("evidenceBar");
    ui::RunFilter& filter = workspace().filter();
    const std::function<void()> changes[] = {
        [&] {
            while (filter.canGoBack() && filter.state().name == "aten::mm")
                filter.back();
        },
        [&] { filter.remove(ui::RunFilter::Condition::kName); }, [&] { filter.reset(); },
        [&] { filter.setPhase(Phase::kBackward); }};
    for (const auto& change : changes) {
        workspace().showFinding(makeFinding());
        EXPECT_TRUE(evidence->isVisible());
        filter.setText("mm");
        EXPECT_TRUE(evidence->isVisible()) << "it narrows the evidence";
        filter.setText({});
        EXPECT_TRUE(evidence->isVisible());
        change();
        EXPECT_FALSE(evidence->isVisible());
    }
    EXPECT_EQ(filter.state().name, "aten::mm") << "the filter is as it was left";
}

TEST_F(WindowToolsTest, OneBackUndoesOneShow) {
    ui::RunFilter& filter = workspace().filter();
    filter.setModule("blocks.0");
    const ui::RunFilter::State before = filter.state();
    const TimeRange run = m_controller.document().snapshot()->range();
    Finding first = makeFinding(), second = makeFinding();
    first.evidence.phase = Phase::kBackward;
    first.evidence.range = TimeRange{run.begin, run.begin + Nanoseconds(run.duration().value / 3)};
    second.evidence.names.clear();
    second.evidence.allocations = {AllocationId(1), AllocationId(2)};
    workspace().showFinding(first);
    const ui::RunFilter::State shown = filter.state();
    EXPECT_EQ(shown.range, first.evidence.range);
    EXPECT_TRUE(shown.module.empty());
    workspace().showFinding(second);
    EXPECT_FALSE(filter.state().range);
    EXPECT_TRUE(child<QWidget>("evidenceBar")->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(filter.state(), shown);
    EXPECT_EQ(axis().selectedRange(), first.evidence.range);
    EXPECT_FALSE(child<QWidget>("evidenceBar")->isVisible()) << "that was of the second";
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(filter.state(), before);
    EXPECT_FALSE(axis().selectedRange());
}

TEST_F(WindowToolsTest, LayoutsAreKeptByNameAndReset) {
    auto* tabs = workspace().tabs();
    auto* splitter = test::must(child<QSplitter>("timelineSplitter"));
    WindowLayout layout(workspace(), m_window->runPanelPlace());
    const QList<int> sizes = splitter->sizes();
    QAction* panel = action("View › Run Panel");
    ASSERT_FALSE(panel->isChecked()) << "by itself, for a finished run";
    panel->trigger();
    layout.saveAs("With the panel");
    panel->trigger();
    tabs->setCurrentIndex(2);
    test::dragDivider(*splitter, 1, -60);
    test::dragDivider(*splitter, 2, 80);
    const QList<int> changed = splitter->sizes();
    ASSERT_NE(changed, sizes);
    layout.saveAs("Tables & all");
    EXPECT_EQ(WindowLayout::names(), (QStringList{"Tables & all", "With the panel"}));

    layout.reset();
    QCoreApplication::processEvents();
    EXPECT_EQ(m_window->runPanelPlace().choice(), "auto");
    EXPECT_EQ(tabs->currentIndex(), 0);
    EXPECT_EQ(splitter->sizes(), sizes);

    action("View › Layout › With the panel")->trigger();
    EXPECT_TRUE(m_window->runPanelPlace().showsPanel());
    EXPECT_EQ(splitter->sizes()[1], sizes[1]) << "beside the panel the tables' tabs have a row of their own";

    action("View › Layout › Tables & all")->trigger();
    EXPECT_FALSE(m_window->runPanelPlace().showsPanel());
    m_window->resize(1600, 720);
    QCoreApplication::processEvents();
    EXPECT_FALSE(m_window->runPanelPlace().showsPanel()) << "hidden by hand, where there is room too";
    m_window->resize(1280, 720);
    QCoreApplication::processEvents();
    EXPECT_EQ(tabs->currentIndex(), 2);
    EXPECT_EQ(splitter->sizes(), changed);

    action("View › Layout › Delete › With the panel")->trigger();
    action("View › Layout › Delete › Tables & all")->trigger();
    EXPECT_TRUE(WindowLayout::names().isEmpty());
    EXPECT_FALSE(layout.load("Tables & all"));
    layout.apply({{"page", 77}, {"splitters", 3}, {"tabs", QVariant()}});
    EXPECT_EQ(workspace().page(), Workspace::Page::kViews) << "nonsense changes nothing";
}

TEST_F(WindowToolsTest, WhereTimesCountFromIsPartOfTheLayout) {
    WindowLayout layout(workspace(), m_window->runPanelPlace());
    QAction* fromRun = action("View › Times from the Start of the Run");
    EXPECT_FALSE(fromRun->isChecked());
    fromRun->trigger();
    EXPECT_TRUE(ui::ClockChoice::instance().countsFromRun());
    const QVariantMap chosen = layout.state();
    layout.reset();
    EXPECT_FALSE(ui::ClockChoice::instance().countsFromRun());
    EXPECT_FALSE(fromRun->isChecked());
    layout.apply(chosen);
    EXPECT_TRUE(fromRun->isChecked());
    layout.reset();
}

TEST_F(WindowToolsTest, TheComparisonsPanesArePartOfTheLayout) {
    auto* comparison = m_window->findChild<ui::ComparisonView*>("comparison");
    WindowLayout layout(workspace(), m_window->runPanelPlace(), comparison);
    const QVariantMap arranged{{"details", true}, {"low", QVariantList{200, 100, 300}}};
    comparison->applyLayout(arranged);
    const QVariantMap kept = layout.state();
    layout.reset();
    EXPECT_TRUE(comparison->layoutState().isEmpty());
    layout.apply(kept);
    EXPECT_EQ(comparison->layoutState(), arranged);
    layout.apply({{"comparison", QVariantMap{{"low", 3}}}});
    EXPECT_TRUE(comparison->layoutState().isEmpty()) << "nonsense is no choice";
}

TEST_F(WindowToolsTest, HowTheTimelinesRowsAreArrangedIsPartOfTheLayout) {
    auto* timeline = workspace().timeline();
    WindowLayout layout(workspace(), m_window->runPanelPlace());
    ui::RowArrangement arranged;
    arranged.setFolded("module:modules", true);
    arranged.setHidden("cpu-thread:main", true);
    arranged.setPinned("gpu-stream:GPU 0 stream 7", true);
    timeline->setArrangement(arranged);
    // As the settings keep it.
    QByteArray kept;
    QDataStream written(&kept, QIODevice::WriteOnly);
    written << layout.state();
    layout.reset();
    EXPECT_TRUE(timeline->arrangement().isDefault());
    QVariantMap state;
    QDataStream read(kept);
    read >> state;
    layout.apply(state);
    EXPECT_EQ(timeline->arrangement(), arranged);
    layout.apply({{"rows", 5}});
    EXPECT_TRUE(timeline->arrangement().isDefault()) << "nonsense arranges nothing";
}

TEST_F(WindowToolsTest, TheSizeOfTextIsChosenForTheNextStart) {
    const QString title = "150%";
    action(QStringLiteral("View › Appearance › Size of Text and Controls › ") + title)->trigger();
    EXPECT_TRUE(message().contains(title)) << message().toStdString();
    EXPECT_EQ(chosenSize(), 1) << "a window that leaves the settings alone";
    MainWindow remembers(m_controller, MainWindow::Remember::kLayout);
    for (const Command& command : commandsOf(*remembers.menuBar(), true)) {
        if (command.title.endsWith(title))
            command.action->trigger();
    }
    EXPECT_EQ(chosenSize(), 1.5);
    chooseSize(1);
}

TEST(ChosenSizeTest, ComesOnTopOfWhatTheEnvironmentAsksFor) {
    const QByteArray before = qgetenv("QT_SCALE_FACTOR");
    const auto taken = [](const QByteArray& asked) {
        asked.isEmpty() ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", asked);
        takeChosenSize();
        return qgetenv("QT_SCALE_FACTOR");
    };
    EXPECT_EQ(taken({}), QByteArray()) << "as the screen says";
    chooseSize(1.5);
    EXPECT_EQ(taken({}), QByteArray("1.5"));
    EXPECT_EQ(taken("2"), QByteArray("3"));
    EXPECT_EQ(taken("nonsense"), QByteArray("1.5"));
    chooseSize(70);
    EXPECT_EQ(chosenSize(), 1) << "no size that is offered";
    chooseSize(1);
    before.isEmpty() ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", before);
}

}  // namespace warpglass::app::window_tools_test
