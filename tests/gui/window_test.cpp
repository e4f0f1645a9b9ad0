// The real window, driven by mouse and keyboard as a person would, on the offscreen platform: how it begins
// and what leads where.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QLineEdit>
#include <QMenuBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include "app/window/main_window.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "ui/models/run_filter.h"
#include "ui/panels/find_panel.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::window_test {

TEST_F(WindowTest, AnyNumberOfRunsLeavesTheMenuAndTheWidthAlone) {
    const auto run = test::makeSyntheticRun();
    for (int i = 0; i < 12; ++i)
        m_controller.showSnapshot(QStringLiteral("/runs/%1.wgrun").arg(i), {run, {}});
    QApplication::processEvents();
    EXPECT_EQ(m_window->width(), 1280);
    EXPECT_LE(m_window->minimumSizeHint().width(), 1280);
    for (QAction* menu : m_window->menuBar()->actions())
        EXPECT_GT(m_window->menuBar()->actionGeometry(menu).width(), 0) << menu->text().toStdString();
}

TEST_F(WindowTest, StartsEmptyWithTheStartPage) {
    auto* start = test::must(m_window->findChild<QWidget*>("startPage"));
    EXPECT_TRUE(start->isVisible());
    EXPECT_EQ(m_controller.currentRun(), -1);
}

TEST_F(WindowTest, ASampleRunOpensFromTheStartPageByMouseAndKeyboard) {
    const std::vector<SampleRun> samples = sampleRunsIn(sampleFolder());
    ASSERT_GE(samples.size(), 7u);
    const auto rowOf = [&](const QString& name) -> QAbstractButton* {
        for (QAbstractButton* row :
             m_window->findChild<QWidget*>("sampleRuns")->findChildren<QAbstractButton*>()) {
            if (row->accessibleName().startsWith(name + QLatin1Char(':')))
                return row;
        }
        return nullptr;
    };
    QAbstractButton* failed = test::must(rowOf("large-fp32-out-of-memory"));
    EXPECT_TRUE(failed->accessibleName().contains("Out of memory as a result"));
    click(failed);
    ASSERT_TRUE(waitFor([&] { return m_controller.currentRun() == 0; }));
    // Its failure is told: the sentence, and what had filled the memory.
    const QStringList& told = m_controller.document().warnings();
    ASSERT_EQ(told.size(), 2);
    EXPECT_TRUE(told[0].startsWith("The run needs more memory than"));
    EXPECT_TRUE(told[1].startsWith("Live at the failure, ")) << told[1].toStdString();
    EXPECT_FALSE(m_window->findChild<QWidget*>("banner")->isHidden());
    EXPECT_FALSE(m_controller.document().isIncomplete());

    m_controller.closeRun(0);
    QAbstractButton* flash = test::must(rowOf("small-bf16-flash"));
    button("startOpen")->setFocus(Qt::TabFocusReason);
    for (int i = 0; i < 40 && QApplication::focusWidget() != flash; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    ASSERT_EQ(QApplication::focusWidget(), flash) << "Tab reaches every sample";
    QTest::keyClick(flash, Qt::Key_Space);
    ASSERT_TRUE(waitFor([&] { return m_controller.currentRun() == 0; }));
    EXPECT_TRUE(m_controller.runs()[0].path.endsWith("small-bf16-flash.wgrun"));
    EXPECT_TRUE(m_controller.document().warnings().isEmpty());
}

TEST_F(WindowTest, FrameTimesAreSwitchedByAKeyAndNotRemembered) {
    auto* action = test::must(m_window->findChild<QAction*>("frameTimes"));
    EXPECT_FALSE(action->isChecked());
    EXPECT_FALSE(workspace().timeline()->showsFrameTimes());
    QTest::keyClick(m_window.get(), Qt::Key_F12);
    EXPECT_TRUE(workspace().timeline()->showsFrameTimes());
    EXPECT_TRUE(action->isChecked());
    MainWindow another(m_controller, MainWindow::Remember::kLayout);
    EXPECT_FALSE(another.workspace().timeline()->showsFrameTimes());
    QTest::keyClick(m_window.get(), Qt::Key_F12);
    EXPECT_FALSE(workspace().timeline()->showsFrameTimes());
}

TEST_F(WindowTest, FindAndTheFilterAreReachedByKeys) {
    open({sample("small-bf16-naive")});
    m_window->activateWindow();
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    EXPECT_EQ(workspace().page(), Workspace::Page::kViews);
    EXPECT_EQ(workspace().tabs()->currentWidget(), workspace().view("find"));
    auto* field = m_window->findChild<QLineEdit*>("findField");
    QTest::keyClicks(field, "softmax");
    ui::FindPanel& find = workspace().findPanel();
    ASSERT_TRUE(waitFor([&] { return find.model().rowCount() > 0; })) << find.summary().toStdString();
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    ASSERT_TRUE(axis().selectedSpan());
    const auto first = axis().selectedSpan();
    QTest::keyClick(m_window.get(), Qt::Key_F3);
    EXPECT_NE(axis().selectedSpan(), first);
    QTest::keyClick(m_window.get(), Qt::Key_F3, Qt::ShiftModifier);
    EXPECT_EQ(axis().selectedSpan(), first);

    workspace().filter().setModule("blocks.3.attn");
    workspace().filter().setPhase(Phase::kBackward);
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(workspace().filter().state().phase, std::nullopt);
    EXPECT_EQ(workspace().filter().state().module, "blocks.3.attn");
    QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(workspace().filter().state().module.empty());
    QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(workspace().filter().state().module, "blocks.3.attn");
}

}  // namespace warpglass::app::window_test
