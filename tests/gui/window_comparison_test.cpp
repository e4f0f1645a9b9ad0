// How a person comes to a comparison in the real window, and back from it; and files that are open already.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/window/commands.h"
#include "app/window/main_window.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/window_files.h"
#include "app/window/workspace.h"
#include "tests/gui/window_fixture.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/run_filter.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::window_comparison_test {

struct WindowComparisonTest : WindowTest {
    WindowComparisonTest() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
        QSettings().clear();
    }
    ~WindowComparisonTest() override { QSettings().clear(); }

    ui::ComparisonView* comparison() { return m_window->findChild<ui::ComparisonView*>("comparison"); }
    int tabInFront() { return m_window->findChild<QTabBar*>("runTabs")->currentIndex(); }

    QTemporaryDir m_folder;
};

TEST_F(WindowComparisonTest, LeadsBackToWhereItWasAskedForAndAsIsInFront) {
    QSettings().setValue("recentRuns", QStringList{sample("small-bf16-flash")});
    open({sample("small-fp32-naive")});
    workspace().setPage(Workspace::Page::kMemory);
    const TimeRange whole = axis().fullRange();
    axis().setVisibleRange({whole.begin, whole.begin + Nanoseconds(whole.duration().value / 3)});
    const TimeRange seen = axis().visibleRange();

    for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
        if (command.title.startsWith("View › Compare With › small-bf16-flash, recent"))
            command.action->trigger();
    }
    ASSERT_TRUE(waitFor([&] { return comparison()->isVisible(); }));
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(comparison()->sideA().snapshot, m_controller.runs()[0].snapshot);
    EXPECT_EQ(tabInFront(), 0);
    QTest::keyClick(comparison()->timelineOfA(), Qt::Key_X);
    EXPECT_EQ(comparison()->sideA().snapshot, m_controller.runs()[1].snapshot);
    EXPECT_EQ(tabInFront(), 0) << "the run that Esc leads to, however they are swapped";
    QTest::keyClick(comparison(), Qt::Key_Escape);
    EXPECT_FALSE(comparison()->isVisible());
    EXPECT_EQ(m_controller.currentRun(), 0);
    EXPECT_EQ(tabInFront(), 0);
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_EQ(axis().visibleRange(), seen);
}

TEST_F(WindowComparisonTest, ATabOfItLeadsToItsRun) {
    open({sample("small-fp32-naive"), sample("small-bf16-flash")});
    ASSERT_EQ(m_controller.currentRun(), 1);
    auto* tabs = m_window->findChild<QTabBar*>("runTabs");
    m_window->pages().compare(0, 1);
    EXPECT_EQ(tabs->currentIndex(), 1) << "the current run, whichever is A";
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    EXPECT_FALSE(comparison()->isVisible());
    EXPECT_EQ(m_controller.currentRun(), 0);
    m_window->pages().compare(1, 0);
    EXPECT_EQ(tabs->currentIndex(), 0);
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    EXPECT_FALSE(comparison()->isVisible());
    EXPECT_EQ(m_controller.currentRun(), 0);
    EXPECT_EQ(tabs->currentIndex(), 0);
}

TEST_F(WindowComparisonTest, TheTabInFrontIsTheRunThatCloseCloses) {
    open({sample("small-fp32-naive"), sample("small-bf16-flash"), sample("small-bf16-naive")});
    m_window->pages().compare(0, 2);  // as after a trial, whose run is current and B
    ASSERT_EQ(m_controller.currentRun(), 2);
    ASSERT_EQ(tabInFront(), 2);
    const QString kept = m_controller.runs()[0].title;
    action("File › Close Tab")->trigger();
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(m_controller.runs()[0].title, kept);
    EXPECT_FALSE(comparison()->isVisible());
    EXPECT_EQ(tabInFront(), m_controller.currentRun());
}

TEST_F(WindowComparisonTest, StaysWhenAnotherTabIsClosedAndEndsWithEitherOfItsRuns) {
    open({sample("small-fp32-naive"), sample("small-bf16-flash"), sample("small-bf16-naive")});
    m_window->pages().compare(1, 2);
    ASSERT_EQ(m_controller.currentRun(), 2);
    m_controller.closeRun(0);
    EXPECT_TRUE(comparison()->isVisible());
    EXPECT_EQ(m_controller.currentRun(), 1);
    EXPECT_EQ(tabInFront(), 1);
    m_controller.closeRun(0);  // A, whose tab is not in front
    EXPECT_FALSE(comparison()->isVisible());
    EXPECT_EQ(m_controller.runs().size(), 1u);
    EXPECT_EQ(tabInFront(), 0);
}

TEST_F(WindowComparisonTest, TheNextRunIsOfferedWhereThereIsOne) {
    const auto offered = [this] {
        return action("View › Comparison › Compare With the Next Run")->isEnabled();
    };
    EXPECT_FALSE(offered());
    open({sample("small-fp32-naive")});
    EXPECT_FALSE(offered());
    open({sample("small-bf16-flash")});
    EXPECT_TRUE(offered());
    m_controller.closeRun(0);
    EXPECT_FALSE(offered());
}

TEST_F(WindowComparisonTest, TheFilterOfTheRunBehindItStaysAsItIs) {
    using Steps = ui::RunFilter::Steps;
    open({sample("small-fp32-naive"), sample("small-bf16-flash")});
    ui::RunFilter& filter = workspace().filter();
    const Steps before = filter.state().steps;
    ASSERT_NE(before, Steps::kAll);
    filter.setSteps(Steps::kAll);
    const auto goBack = [this] { action("View › Find and Filter › Filter Back")->trigger(); };
    const QStringList ofTheFilter = {"Filter Back", "Filter Forward", "Clear the Filter",
                                     "Count the Measured Steps"};
    const auto expectOffered = [&](bool offered) {
        for (const QString& title : ofTheFilter)
            EXPECT_EQ(action(QStringLiteral("View › Find and Filter › ") + title)->isEnabled(), offered)
                << title.toStdString();
    };
    expectOffered(true);
    m_window->pages().compare(1, 0);
    expectOffered(false);
    for (const QString& title : ofTheFilter)
        action(QStringLiteral("View › Find and Filter › ") + title)->trigger();
    EXPECT_EQ(filter.state().steps, Steps::kAll);
    action("View › Comparison › Back to One Run")->trigger();
    expectOffered(true);
    goBack();
    EXPECT_EQ(filter.state().steps, before);
}

TEST_F(WindowComparisonTest, IsOfTheRunsThatTheOpenMenuNamesThoughOthersHaveGone) {
    open({sample("small-fp32-naive"), sample("small-bf16-flash"), sample("small-bf16-naive")});
    m_controller.showRun(1);
    const auto front = m_controller.runs()[1].snapshot, other = m_controller.runs()[2].snapshot;
    auto* menu = m_window->findChild<QMenu*>("compareMenu");
    emit menu->aboutToShow();
    ASSERT_EQ(menu->actions()[1]->text(), m_controller.runs()[2].title);
    QAction* gone = menu->actions()[0];
    m_controller.closeRun(0);
    gone->trigger();
    EXPECT_FALSE(comparison()->isVisible());
    menu->actions()[1]->trigger();
    ASSERT_TRUE(comparison()->isVisible());
    EXPECT_EQ(comparison()->sideA().snapshot, front);
    EXPECT_EQ(comparison()->sideB().snapshot, other);
}

TEST_F(WindowComparisonTest, IsOfTheFilesThatWereDroppedWhateverElseIsOpened) {
    const QStringList dropped = {sample("small-bf16-flash"), sample("small-bf16-naive")};
    open({sample("small-fp32-naive")});
    drop(dropped);
    emit m_controller.fileOpened(sample("small-fp32-naive"));  // asked for before, it comes first
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    ASSERT_TRUE(comparison()->isVisible());
    EXPECT_EQ(comparison()->sideA().snapshot,
              m_controller.run(m_controller.runs().ofFile(dropped[0])).snapshot);
    EXPECT_EQ(comparison()->sideB().snapshot,
              m_controller.run(m_controller.runs().ofFile(dropped[1])).snapshot);
}

TEST_F(WindowComparisonTest, AFileThatIsOpenIsGoneTo) {
    const QString first = sample("small-fp32-naive"), second = sample("small-bf16-flash");
    open({first, second});
    open({QStringLiteral("%1/./small-fp32-naive.wgrun").arg(sampleFolder())});
    EXPECT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(m_controller.currentRun(), 0);
    // Where it is in front already, as it is looked at; a comparison is left.
    const TimeRange whole = axis().fullRange();
    axis().setVisibleRange({whole.begin, whole.begin + Nanoseconds(whole.duration().value / 3)});
    const TimeRange seen = axis().visibleRange();
    m_window->pages().compare(0, 1);
    open({first});
    EXPECT_FALSE(comparison()->isVisible());
    EXPECT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(axis().visibleRange(), seen);
    // Another run in a file of that name is another run.
    const QString path = m_folder.filePath("one.wgrun");
    ASSERT_TRUE(QFile::copy(first, path));
    open({path});
    ASSERT_EQ(m_controller.runs().size(), 3u);
    ASSERT_TRUE(QFile::remove(path));
    ASSERT_TRUE(QFile::copy(second, path));
    open({path});
    EXPECT_EQ(m_controller.runs().size(), 4u);
    EXPECT_EQ(m_controller.currentRun(), 3);
}

TEST_F(WindowComparisonTest, FilesAreLookedForWhereTheLastWas) {
    const QString path = m_folder.filePath("one.wgrun");
    ASSERT_TRUE(QFile::copy(sample("small-bf16-flash"), path));
    open({path});
    open({sample("small-fp32-naive")});  // a sample is no place of one's own
    QString folder;
    QTimer poll;
    poll.callOnTimeout([&folder] {
        auto* asked = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (const auto* files = qobject_cast<QFileDialog*>(asked))
            folder = files->directory().absolutePath();
        if (asked)
            asked->reject();
    });
    poll.start(5);
    m_window->files().open();
    EXPECT_EQ(QFileInfo(folder).canonicalFilePath(), QFileInfo(m_folder.path()).canonicalFilePath());
}

TEST_F(WindowComparisonTest, AResetLayoutStaysOnThePage) {
    open({sample("small-bf16-flash")});
    workspace().setPage(Workspace::Page::kMemory);
    action("View › Layout › Reset Layout")->trigger();
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
}

TEST_F(WindowComparisonTest, TheSheetOfKeysIsFoundByWhatItIsCalledElsewhere) {
    for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
        const bool isSheet = command.title == QStringLiteral("Help › Keys and Mouse");
        for (const char* words : {"keyboard shortcuts", "shortcut", "sheet"})
            EXPECT_TRUE(!isSheet || commandScore(command, QLatin1String(words))) << words;
        EXPECT_FALSE(isSheet && commandScore(command, "zebra"));
        EXPECT_EQ(isSheet, commandScore(command, "keyboard shortcuts").has_value())
            << command.title.toStdString();
    }
}

}  // namespace warpglass::app::window_comparison_test
