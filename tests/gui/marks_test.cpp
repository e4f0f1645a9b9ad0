// Marks through the window: where and how a person makes them. Their files: marks_file_test.cpp.
#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTest>
#include <QTimer>

#include "app/window/focus_mode.h"
#include "engine/io/run_file.h"
#include "engine/io/run_marks.h"
#include "tests/gui/marks_fixture.h"
#include "tests/support/must.h"
#include "tests/support/span_of.h"
#include "tests/support/synthetic_trace.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/memory_plot.h"
#include "ui/models/run_filter.h"

namespace warpglass::app::marks_test {

TEST_F(MarksInTheWindow, ANoteBeingWrittenStaysInItsRunWhenAnotherIsShown) {
    const auto a = openMade("a.wgrun"), b = openMade("b.wgrun");
    beginNote(Nanoseconds(4'000), {});
    m_controller.showRun(0);
    EXPECT_FALSE(editorIsOpen()) << "nothing was written";
    m_controller.showRun(1);
    EXPECT_TRUE(m_controller.marks().marks().empty());

    beginNote(Nanoseconds(5'000), "of b");
    m_controller.showRun(0);
    EXPECT_FALSE(editorIsOpen());
    EXPECT_TRUE(m_controller.marks().marks().empty());
    EXPECT_TRUE(readMarks(a)->empty());
    const std::vector<RunMark> ofB{{Nanoseconds(5'000), "of b"}};
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(b), ofB);

    beginNote(Nanoseconds(6'000), "of a");
    m_controller.closeRun(0);
    EXPECT_FALSE(editorIsOpen());
    EXPECT_EQ(m_controller.marks().marks(), ofB);
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(a), (std::vector<RunMark>{{Nanoseconds(6'000), "of a"}}));
    EXPECT_EQ(*readMarks(b), ofB);
}

TEST_F(MarksInTheWindow, KeysWorkInATableAndNotInAField) {
    const auto path = openMade("run.wgrun");
    activate();
    auto* table = m_window->findChild<QWidget*>("opRows");
    auto* field = workspace().view("ops")->findChild<QLineEdit*>("filterText");
    field->setFocus();
    QTest::keyClicks(field, "m[]");
    EXPECT_EQ(field->text(), "m[]");
    EXPECT_FALSE(editorIsOpen());
    field->clear();
    table->setFocus();
    axis().setPinnedCursor(Nanoseconds(7'000));
    QTest::keyClick(table, Qt::Key_M);
    EXPECT_TRUE(editorIsOpen());
}

TEST_F(MarksInTheWindow, OfASelectedRangeIsAtItsBeginningAndNamesIt) {
    const auto path = openMade("run.wgrun");
    axis().setSelectedRange(TimeRange{Nanoseconds(2'000'000), Nanoseconds(5'000'000)});
    workspace().addMark();
    write("slow");
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    const RunMark& mark = m_controller.marks().marks()[0];
    EXPECT_EQ(mark.time, Nanoseconds(2'000'000));
    EXPECT_EQ(QString::fromStdString(mark.text).remove(QChar(0x202F)).remove(QLatin1Char(' ')),
              "3.00msuntil5.000ms:slow");
}

TEST_F(MarksInTheWindow, AreAtASpanThatIsSelectedAfterARange) {
    const auto path = openMade("run.wgrun");
    const TimeRange range{Nanoseconds(2'000'000), Nanoseconds(5'000'000)};
    axis().setSelectedRange(range);
    const Snapshot& run = *m_controller.document().snapshot();
    workspace().filter().pick(test::spanOf(run, TrackKind::kCpuThread));
    axis().setPinnedCursor(Nanoseconds(4'500'000));
    ASSERT_EQ(axis().selectedRange(), range);
    const auto askedFor = [this] {
        workspace().addMark();
        auto* editor = qobject_cast<QLineEdit*>(m_window->focusWidget());
        const QString text = editor ? editor->text() : QString();
        if (editor)
            QTest::keyClick(editor, Qt::Key_Return);
        return text;
    };
    EXPECT_EQ(askedFor(), QString());
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    EXPECT_EQ(m_controller.marks().marks()[0].time, Nanoseconds(4'500'000));
    axis().setSelectedRange(TimeRange{Nanoseconds(3'000'000), Nanoseconds(5'000'000)});
    EXPECT_NE(askedFor(), QString()) << "the range is the later one now";
    EXPECT_EQ(m_controller.marks().marks()[0].time, Nanoseconds(3'000'000));
}

TEST_F(MarksInTheWindow, AreLeftAloneByTheMenuDuringAComparison) {
    const auto a = openMade("a.wgrun"), b = openMade("b.wgrun");
    const Nanoseconds marked(5'000), other(9'000);
    m_controller.marks().add(marked, "of b");
    const auto trigger = [this](const QString& entry) {
        action(QStringLiteral("View › Marks › ") + entry)->trigger();
    };
    const QString next = "Next", remove = "Delete";
    m_window->pages().compare(0, 1);
    axis().setPinnedCursor(other);
    trigger("Previous");
    EXPECT_EQ(axis().pinnedCursor(), other);
    axis().setPinnedCursor(marked);
    trigger("Edit…");
    EXPECT_FALSE(editorIsOpen());
    trigger(remove);
    EXPECT_EQ(m_controller.marks().marks().size(), 1u);
    m_controller.showRun(1);
    axis().setPinnedCursor(std::nullopt);
    trigger(next);
    EXPECT_EQ(axis().pinnedCursor(), marked);
    trigger(remove);
    EXPECT_TRUE(m_controller.marks().marks().empty());
}

TEST_F(MarksInTheWindow, ThatAreDeletedAreSaidSoAndCanBeHadBack) {
    const auto path = openMade("run.wgrun");
    note(Nanoseconds(5'000'000), "here");
    const std::vector<RunMark> noted = m_controller.marks().marks();
    ASSERT_EQ(noted.size(), 1u);
    auto* notice = m_window->findChild<QWidget*>("markNotice");
    auto* undo = m_window->findChild<QPushButton*>("undoDelete");
    ASSERT_TRUE(notice && undo);
    EXPECT_FALSE(notice->isVisible());
    QWidget* timeline = workspace().timeline();
    const auto remove = [&] {
        axis().setPinnedCursor(Nanoseconds(5'000'000));
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_Delete);
        EXPECT_TRUE(m_controller.marks().marks().empty());
    };
    remove();
    ASSERT_TRUE(undo->isVisible());
    QCoreApplication::processEvents();
    const QRect bar = m_window->statusBar()->rect();
    const QRect button(undo->mapTo(m_window->statusBar(), QPoint()), undo->size());
    EXPECT_TRUE(bar.contains(button)) << "all of it can be seen";
    EXPECT_GE(button.height(), undo->fontMetrics().height());
    EXPECT_EQ(m_window->findChild<QLabel*>("deletedMark")->text(), "The mark “here” was deleted.");
    ASSERT_TRUE(stored());
    EXPECT_TRUE(readMarks(path)->empty());
    QTest::mouseClick(undo, Qt::LeftButton);
    EXPECT_EQ(m_controller.marks().marks(), noted);
    EXPECT_FALSE(notice->isVisible());
    EXPECT_EQ(m_window->focusWidget(), timeline);
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(path), noted);

    // With one view alone, too, for a while; and not once another run is shown.
    m_window->focusMode().set(true);
    remove();
    EXPECT_TRUE(undo->isVisible());
    auto* fresh = test::must(notice->findChild<QTimer*>("freshNotice"));
    ASSERT_TRUE(fresh->isActive());
    fresh->start(0);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !undo->isVisible(); }, kPatience));
    m_window->focusMode().set(false);
    m_window->resize(1280, 900);
    EXPECT_TRUE(QTest::qWaitFor([&] { return undo->isVisible(); }, kPatience))
        << "where there is room for it";
    m_controller.showSnapshot(QString(), OpenedRun{test::makeSyntheticRun(), {}, {}});
    EXPECT_FALSE(notice->isVisible());
    m_controller.showRun(0);
    EXPECT_TRUE(m_controller.marks().marks().empty());
}

TEST_F(MarksInTheWindow, ADeletedOneIsOfferedNoMoreThanItIsSeen) {
    const auto a = openMade("a.wgrun"), b = openMade("b.wgrun");
    const QString text = "a <b>bold</b> note";
    m_controller.marks().add(Nanoseconds(5'000), text);
    m_controller.marks().remove(0);
    auto* notice = m_window->findChild<QWidget*>("markNotice");
    EXPECT_EQ(m_window->findChild<QLabel*>("deletedMark")->toolTip(), text.toHtmlEscaped());
    QAction* undo = action("View › Marks › Undo Delete");
    QAction* back = action("View › Comparison › Back to One Run");
    EXPECT_TRUE(undo->isEnabled() && notice->isVisible());
    m_window->pages().compare(1, 0);
    EXPECT_FALSE(undo->isEnabled());
    EXPECT_FALSE(notice->isVisible());
    back->trigger();
    ASSERT_TRUE(workspace().isVisible());
    EXPECT_TRUE(undo->isEnabled() && notice->isVisible());
    undo->trigger();
    EXPECT_EQ(m_controller.marks().marks().size(), 1u);
    EXPECT_FALSE(undo->isEnabled() || notice->isVisible());
}

TEST_F(MarksInTheWindow, AreWrittenWhereThePersonIs) {
    const auto path = openMade("run.wgrun");
    activate();
    const auto editorIn = [this](const QWidget& view) {
        auto* editor = qobject_cast<QLineEdit*>(m_window->focusWidget());
        return editor && view.isAncestorOf(editor) ? editor : nullptr;
    };
    // On the memory page, with the focus in its map.
    workspace().setPage(Workspace::Page::kMemory);
    auto& page = workspace().memoryPage();
    page.map().setFocus();
    QWidget* const before = m_window->focusWidget();
    axis().setPinnedCursor(Nanoseconds(4'000'000));
    QTest::keyClick(before, Qt::Key_M);
    EXPECT_EQ(workspace().page(), Workspace::Page::kMemory);
    EXPECT_TRUE(page.chart().plot().rect().contains(test::must(editorIn(page.chart().plot()))->geometry()));
    write("here it grows");
    ASSERT_EQ(m_controller.marks().marks(),
              (std::vector<RunMark>{{Nanoseconds(4'000'000), "here it grows"}}));
    EXPECT_EQ(m_window->focusWidget(), before) << "and back to where one was";
    EXPECT_EQ(page.chart().plot().marks().flags().size(), 1u);
    // Its keys are those of the timeline.
    auto& plot = page.chart().plot();
    plot.setFocus();
    QTest::keyClick(&plot, Qt::Key_E);
    EXPECT_EQ(test::must(editorIn(plot))->text(), "here it grows");
    write("changed");
    EXPECT_EQ(m_controller.marks().marks()[0].text, "changed");
    axis().setPinnedCursor(std::nullopt);
    QTest::keyClick(&plot, Qt::Key_N);
    EXPECT_EQ(axis().pinnedCursor(), Nanoseconds(4'000'000));
    QTest::keyClick(&plot, Qt::Key_Delete, Qt::ControlModifier);
    EXPECT_EQ(m_controller.marks().marks().size(), 1u);
    QTest::keyClick(&plot, Qt::Key_Delete);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    // Under the timeline likewise, and not on a page that shows none.
    workspace().setPage(Workspace::Page::kViews);
    auto* chart = qobject_cast<ui::MemoryChart*>(workspace().view("memory"));
    chart->plot().setFocus();
    QTest::keyClick(&chart->plot(), Qt::Key_M);
    ASSERT_NE(editorIn(chart->plot()), nullptr);
    QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    for (const auto elsewhere : {Workspace::Page::kSummary, Workspace::Page::kCharts}) {
        workspace().setPage(elsewhere);
        QTest::keyClick(m_window.get(), Qt::Key_M);
        EXPECT_EQ(workspace().page(), elsewhere);
        EXPECT_FALSE(editorIsOpen());
        EXPECT_TRUE(message().startsWith("A mark is made where")) << message().toStdString();
    }
    EXPECT_TRUE(m_controller.marks().marks().empty());
}

TEST_F(MarksInTheWindow, ThatAreNewAreSaidSoAlsoWhereAClickBesideTheFieldMadeThem) {
    const auto path = openMade("run.wgrun");
    activate();
    beginNote(Nanoseconds(5'000'000), "typed");
    m_window->findChild<QWidget*>("opRows")->setFocus();
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    EXPECT_EQ(message(), "The mark “typed” was made.");
    // What is said of its end stands alone.
    m_controller.marks().remove(0);
    EXPECT_EQ(message(), QString());
    m_controller.marks().restore();
    EXPECT_EQ(message(), QString());
}

TEST_F(MarksInTheWindow, AreHadBackByTheKeyThatUndoesAZoomUntilThereIsOneToUndo) {
    const auto path = openMade("run.wgrun");
    activate();
    const TimeRange whole = axis().visibleRange();
    axis().zoomAt(whole.begin, 0.5);
    const TimeRange closer = axis().visibleRange();
    ASSERT_NE(closer, whole);
    QWidget* table = m_window->findChild<QWidget*>("opRows");
    m_controller.marks().add(whole.begin, "here");
    for (QWidget* at : {table, static_cast<QWidget*>(workspace().timeline())}) {
        at->setFocus();
        m_controller.marks().remove(0);
        QTest::keyClick(at, Qt::Key_Z, Qt::ControlModifier);
        EXPECT_EQ(m_controller.marks().marks().size(), 1u);
        EXPECT_EQ(axis().visibleRange(), closer);
    }
    // Both in turn, the later one first.
    m_controller.marks().remove(0);
    axis().setVisibleRange({closer.begin, closer.begin + Nanoseconds(closer.duration().value / 4)});
    ASSERT_NE(axis().visibleRange(), closer);
    QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(axis().visibleRange(), closer);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(axis().visibleRange(), whole);
}

TEST_F(MarksInTheWindow, AreInTheMemoryChartsToo) {
    const auto path = openMade("run.wgrun");
    m_controller.marks().add(Nanoseconds(4'000'000), "here");
    auto* chart = qobject_cast<ui::MemoryChart*>(workspace().view("memory"));
    ASSERT_EQ(chart->plot().marks().flags().size(), 1u);
    const QRect box = chart->plot().marks().flags()[0].box;
    EXPECT_NEAR(box.left(), chart->plot().xOf(Nanoseconds(4'000'000)), 1.0);
    EXPECT_EQ(chart->plot().marks().markAt(box.center()), 0u);
    EXPECT_FALSE(chart->plot().marks().markAt(box.center() - QPoint(0, 40)).has_value());
    QTest::mouseClick(&chart->plot(), Qt::LeftButton, {}, box.center());
    EXPECT_EQ(axis().pinnedCursor(), Nanoseconds(4'000'000)) << "the mark's own moment";
}

}  // namespace warpglass::app::marks_test
