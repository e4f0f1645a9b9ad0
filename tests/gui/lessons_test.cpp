// Lessons in the window: every step of Warpglass's own, by keyboard alone, and what is said of a bad one.
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "app/window/commands.h"
#include "app/window/focus_mode.h"
#include "app/window/lesson_library.h"
#include "app/window/lesson_panel.h"
#include "app/window/lesson_stage.h"
#include "app/window/lessons.h"
#include "app/window/main_menus.h"
#include "app/window/window_layout.h"
#include "engine/lessons/lesson_place.h"
#include "engine/query/spans/spans_at.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/files.h"
#include "tests/support/gestures.h"
#include "tests/support/must.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/models/run_filter.h"
#include "ui/panels/op_table.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app::lessons_test {

struct LessonsTest : WindowTest {
    Lessons& lessons() { return m_window->lessons(); }
    LessonPanel& panel() { return lessons().panel(); }
    LessonPointer::Place pointed() { return lessons().stage().pointer().shown(); }
    const LessonStep& step() { return lessons().lesson()->steps[static_cast<std::size_t>(lessons().step())]; }
    /// As the person has it: the run is there, the outline too, and every figure.
    bool settles() {
        return waitFor([this] {
            // The outline follows a table that gets another size when that has painted itself.
            return pointed().widget && pointed().widget->rect().contains(pointed().rect) &&
                   lessons().figuresKnown() && panel().problem().isEmpty();
        });
    }
    std::shared_ptr<const Snapshot> runOf(const LessonRun& run) {
        const int index = m_controller.runs().ofFile(QString::fromStdString(run.path.string()));
        return index < 0 ? nullptr : m_controller.run(index).snapshot;
    }
    QString write(const char* name, const QByteArray& text) {
        const QString path = m_lessonFolder.filePath(QString::fromLatin1(name));
        test::writeContent(path.toStdString(), text.toStdString());
        return path;
    }
    QTemporaryDir m_lessonFolder;
    void press(int key) { QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key)); }

    void expectPlaceOf(const LessonStep& step) {
        const auto run = runOf(step.run);
        ASSERT_TRUE(run);
        if (step.against) {
            ASSERT_TRUE(m_window->pages().compares());
            EXPECT_EQ(m_window->pages().compared(), std::pair(run, runOf(*step.against)));
        } else {
            ASSERT_TRUE(m_window->pages().showsRun());
            EXPECT_EQ(m_controller.document().snapshot(), run);
            expectViewOf(step);
        }
        const auto range = test::must(lessonRange(*run, step));
        const TimeRange visible = m_window->pages().axis().visibleRange();
        if (!step.against || !step.range.empty()) {
            EXPECT_LE(visible.begin, range.begin);
            EXPECT_GE(visible.end, range.end);
            EXPECT_LT(visible.duration().value, range.duration().value * 11 / 10 + 1);
            m_range = range;
        }
        expectPointOf(step);
    }
    void expectViewOf(const LessonStep& step) {
        const QString word = QString::fromStdString(step.view.text);
        Workspace& workspace = m_window->workspace();
        if (word == kKernelsView) {
            EXPECT_EQ(workspace.ops().subject(), ui::OpTable::Subject::kKernels);
        } else if (word == QLatin1String("ops")) {
            EXPECT_EQ(workspace.ops().subject(), ui::OpTable::Subject::kOps);
        }
        const QWidget* view = test::must(word == kKernelsView ? &workspace.ops() : workspace.view(word));
        EXPECT_TRUE(view->isVisible()) << step.view.text;
        if (workspace.page() == Workspace::Page::kViews)
            expectPartsOf(step);
        const ui::RunFilter::State& counted = workspace.filter().state();
        EXPECT_EQ(counted.phase.has_value() || !counted.module.empty(), !step.only.empty());
        const Snapshot& run = *m_controller.document().snapshot();
        if (step.only.empty()) {
            EXPECT_EQ(counted.steps == ui::RunFilter::State::Steps::kAll,
                      test::must(lessonRange(run, step)).begin < averagedRange(run).begin);
        }
    }
    /// The panes that a step names, and that of its view; all of them without "show".
    void expectPartsOf(const LessonStep& step) {
        const auto names = [&step](const char* part) {
            return std::ranges::any_of(step.show, [part](const LessonWord& w) { return w.text == part; });
        };
        const bool all = step.show.empty();
        const bool lanes = names("timeline") || names("steps") || names("phases") || names("modules") ||
                           names("gpu") || names("host");
        const QString view = QString::fromStdString(step.view.text);
        const bool table = view != QLatin1String("timeline") && view != QLatin1String("memory");
        EXPECT_EQ(workspace().timeline()->isVisible(), all || lanes || view == QLatin1String("timeline"));
        EXPECT_EQ(workspace().view("memory")->isVisible(),
                  all || names("memory") || view == QLatin1String("memory"));
        EXPECT_EQ(workspace().tabs()->isVisible(), all || names("table") || table);
        for (const auto& [part, key] : {std::pair{"steps", "step:"}, std::pair{"modules", "module:"}}) {
            const std::vector<ui::TimelineTrack>& tracks = workspace().timeline()->rows().tracks();
            const bool has = std::ranges::any_of(
                tracks, [key = key](const ui::TimelineTrack& track) { return track.key.starts_with(key); });
            EXPECT_EQ(has, all || !lanes || names("timeline") || names(part)) << part;
        }
    }
    TimeRange m_range;  // of the step that is looked at
    void expectPointOf(const LessonStep& step) {
        const LessonPointer::Place at = pointed();
        ASSERT_TRUE(at.widget);
        EXPECT_TRUE(at.widget->isVisible());
        EXPECT_TRUE(at.widget->rect().contains(at.rect));
        EXPECT_GE(at.rect.width(), 4);
        EXPECT_GE(at.rect.height(), 4);
        if (step.point.kind == LessonPoint::Kind::kSpan) {
            const auto selected = test::must(m_window->pages().axis().selectedSpan());
            const auto row = rowOf(*m_controller.document().snapshot(), selected);
            ASSERT_TRUE(row);
            EXPECT_GE(row->start, m_range.begin.value);
            EXPECT_LT(row->start, m_range.end.value);
        }
        if (step.point.kind == LessonPoint::Kind::kPeak) {
            EXPECT_TRUE(m_controller.axis().pinnedCursor());
        }
        if (step.point.kind != LessonPoint::Kind::kRow)
            return;
        auto* table = test::must(qobject_cast<ui::DataTable*>(at.widget->parentWidget()));
        const int row = table->rowAt(at.rect.center().y());
        QString words;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            words += table->model()->index(row, column).data().toString() + QLatin1Char(' ');
        EXPECT_TRUE(words.contains(QString::fromStdString(step.point.name.text), Qt::CaseInsensitive))
            << words.toStdString();
        if (!step.against) {
            EXPECT_EQ(table->currentIndex().row(), row);
        }
    }
};

class BundledLesson : public LessonsTest, public ::testing::WithParamInterface<int> {};

TEST_P(BundledLesson, OpensThePlaceOfEveryStep) {
    const QStringList files = lessonFiles();
    ASSERT_EQ(files.size(), 6);
    lessons().open(files[GetParam()]);
    ASSERT_TRUE(lessons().isOn()) << message().toStdString();
    const int steps = static_cast<int>(lessons().lesson()->steps.size());
    EXPECT_GE(steps, 4);
    for (int i = 0; i < steps; ++i) {
        ASSERT_EQ(lessons().step(), i);
        SCOPED_TRACE(step().heading);
        ASSERT_TRUE(settles()) << panel().problem().toStdString();
        expectPlaceOf(step());
        EXPECT_FALSE(step().question.empty());
        for (const QString& said : {panel().said().text, panel().said().question, panel().said().answer}) {
            EXPECT_FALSE(said.isEmpty());
            EXPECT_FALSE(said.contains(QChar(0x2013))) << "a figure that the run does not have";
            EXPECT_FALSE(said.contains(QLatin1Char('{')));
        }
        // A person may look elsewhere, and comes back.
        m_controller.axis().fitAll();
        lessons().showAgain();
        ASSERT_TRUE(settles());
        expectPlaceOf(step());
        lessons().next();
    }
    EXPECT_FALSE(lessons().isOn());
    EXPECT_FALSE(panel().isVisible());
    EXPECT_FALSE(pointed().widget);
}
INSTANTIATE_TEST_SUITE_P(All, BundledLesson, ::testing::Range(0, 6));

TEST_F(LessonsTest, IsWalkedByKeyboardAlone) {
    m_window->activateWindow();
    m_window->menus().openCommandPalette();
    auto* palette = test::must(m_window->findChild<QLineEdit*>("commandQuery"));
    QTest::keyClicks(palette, "What a training step is");
    QTest::keyClick(palette, Qt::Key_Return);
    ASSERT_TRUE(waitFor([this] { return lessons().isOn(); }));
    ASSERT_TRUE(settles());
    m_window->activateWindow();  // as a desktop does when the palette has closed
    ASSERT_TRUE(waitFor([this] { return panel().hasFocus(); }));

    auto* answer = panel().findChild<QLabel*>("lessonAnswer");
    EXPECT_FALSE(answer->isVisible());
    press(Qt::Key_Space);
    EXPECT_TRUE(answer->isVisible());
    press(Qt::Key_Space);
    EXPECT_EQ(lessons().step(), 1);
    EXPECT_FALSE(answer->isVisible()) << "each question is asked before it is answered";
    ASSERT_TRUE(settles());
    press(Qt::Key_Left);
    EXPECT_EQ(lessons().step(), 0);
    EXPECT_TRUE(answer->isVisible()) << "what has been answered stays answered";
    press(Qt::Key_Left);
    EXPECT_EQ(lessons().step(), 0);
    ASSERT_TRUE(settles());
    press(Qt::Key_PageDown);
    press(Qt::Key_Return);
    press(Qt::Key_Return);
    EXPECT_EQ(lessons().step(), 2);
    ASSERT_TRUE(settles());

    // From a view, by the keys that work anywhere.
    m_window->pages().goToView("timeline");
    EXPECT_FALSE(panel().hasFocus());
    press(Qt::Key_F8);
    EXPECT_EQ(lessons().step(), 3);
    ASSERT_TRUE(settles());
    press(Qt::Key_F7);
    EXPECT_EQ(lessons().step(), 2);
    ASSERT_TRUE(settles());
    EXPECT_TRUE(panel().hasFocus());
    // From a button of the panel.
    panel().findChild<QWidget*>("lessonNext")->setFocus();
    press(Qt::Key_Right);
    EXPECT_EQ(lessons().step(), 3);
    ASSERT_TRUE(settles());
    press(Qt::Key_Escape);
    EXPECT_FALSE(lessons().isOn());
    EXPECT_FALSE(panel().isVisible());
    EXPECT_TRUE(m_window->pages().showsRun()) << "what the lesson has opened stays open";
}

TEST_F(LessonsTest, StartsFromTheStartPage) {
    auto* box = m_window->findChild<QWidget*>("lessons");
    ASSERT_TRUE(box && box->isVisible());
    const QList<QAbstractButton*> rows = box->findChildren<QAbstractButton*>();
    ASSERT_EQ(rows.size(), lessonFiles().size());
    click(rows[3]);
    ASSERT_TRUE(lessons().isOn());
    EXPECT_EQ(QString::fromStdString(lessons().lesson()->file), lessonFiles()[3]);
    EXPECT_TRUE(settles());
}

TEST_F(LessonsTest, PointsAtARowByAKernelsRecordedName) {
    lessons().open(write("kernel.md",
                         "---\nlesson: A\nsummary: B.\n---\n## Step\n- run: small-bf16-fused\n"
                         "- view: kernels\n- point: row adamwKernel\n\nText.\n"));
    ASSERT_TRUE(settles()) << panel().problem().toStdString();
    const auto* table = test::must(qobject_cast<ui::DataTable*>(pointed().widget->parentWidget()));
    EXPECT_EQ(table->currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("fused adamw fp32"));
}

TEST_F(LessonsTest, WhatAStepPutsOutOfTheWayComesBackAsTheUserHadIt) {
    open({sample("small-bf16-naive")});
    m_window->pages().goToView("timeline");
    auto* panes = test::must(m_window->findChild<QSplitter*>("timelineSplitter"));
    ui::TimelineView& timeline = *workspace().timeline();
    ui::RowArrangement own = timeline.arrangement();
    own.setHidden(timeline.rows().keys().back(), true);
    timeline.setArrangement(own);
    test::dragDivider(*panes, 2, -30);
    QCoreApplication::processEvents();
    const QList<int> sizes = panes->sizes();
    WindowLayout layout(workspace(), m_window->runPanelPlace());
    const std::vector<ui::TimelineTrack> tracks = timeline.rows().tracks();
    const auto expectAllBack = [&](const char* when) {
        QCoreApplication::processEvents();
        EXPECT_EQ(panes->sizes(), sizes) << when;
        EXPECT_EQ(timeline.arrangement(), own) << when;
        EXPECT_EQ(timeline.rows().tracks().size(), tracks.size()) << when;
        EXPECT_TRUE(workspace().view("memory")->isVisible() && workspace().tabs()->isVisible()) << when;
    };
    const QByteArray step = "- view: timeline\n- range: step *\n- point: span step 0\n";
    lessons().open(write("show.md", "---\nlesson: A\nsummary: B.\n---\n## One\n- run: small-bf16-naive\n" +
                                        step + "- show: steps\n\nText.\n## Two\n" + step + "\nText.\n"));
    const auto expectSteps = [&] {
        ASSERT_TRUE(settles()) << panel().problem().toStdString();
        EXPECT_EQ(timeline.rows().tracks().size(), 1u);
        EXPECT_FALSE(workspace().view("memory")->isVisible() || workspace().tabs()->isVisible());
        EXPECT_TRUE(waitFor([&] { return timeline.height() > 500; })) << "the timeline has the room";
    };
    expectSteps();
    EXPECT_GT(timeline.viewport().hiddenTracks(), 2u) << "which the line under the rows says";
    layout.apply(layout.state());  // as after a figure has been exported
    expectSteps();
    layout.saveAs("Mine");
    EXPECT_TRUE(waitFor([&] { return panes->sizes() == sizes; }));
    expectAllBack("a layout is the user's own");
    WindowLayout::remove("Mine");
    lessons().showAgain();
    expectSteps();
    lessons().next();
    ASSERT_TRUE(settles());
    lessons().back();
    expectSteps();
    m_window->pages().goToView("ops");
    EXPECT_TRUE(workspace().tabs()->isVisible()) << "the user has asked for it";
    lessons().showAgain();
    expectSteps();
    m_window->focusMode().set(true);
    lessons().showAgain();
    expectSteps();
    m_window->focusMode().set(true);
    lessons().leave();
    EXPECT_FALSE(m_window->focusMode().active());
    QCoreApplication::processEvents();
    EXPECT_TRUE(waitFor([&] { return panes->sizes() == sizes; }));
    expectAllBack("after it");

    lessons().open(write("page.md",
                         "---\nlesson: A\nsummary: B.\n---\n## One\n- run: small-bf16-naive\n"
                         "- view: treemap\n- show: memory\n\nText.\n"));
    EXPECT_TRUE(waitFor([this] { return !panel().problem().isEmpty(); }));
    EXPECT_TRUE(panel().problem().contains(QLatin1String("page.md, line 8: \"show\" names parts of")));
    lessons().leave();
}

TEST_F(LessonsTest, SaysInOneSentenceWhatIsWrongWithAFile) {
    const QByteArray head = "---\nlesson: A\nsummary: B.\n---\n## Step\n";
    for (const auto& [text, said] :
         {std::pair<QByteArray, const char*>{"lesson: A\n", "x.md, line 1: A lesson begins"},
          {head + "- run: small-bf16-naive\n- view: nowhere\n\nText.\n",
           "x.md, line 7: There is no view \"nowhere\"."},
          {head + "- run: nothing\n- view: memory\n\nText.\n",
           "x.md, line 6: There is no sample \"nothing\"."},
          {QByteArray(10 << 20, '#'), "x.md: It has 10.0"}}) {
        lessons().open(write("x.md", text));
        EXPECT_TRUE(message().contains(QLatin1String(said))) << qPrintable(message());
    }
    lessons().open(m_lessonFolder.filePath("none.md"));
    EXPECT_TRUE(message().contains(QLatin1String("none.md: There is no such file.")));
    EXPECT_FALSE(lessons().isOn());

    // What only the run can tell is said in the panel, and the rest of the step is shown.
    for (const auto& [keys, said] :
         {std::pair{"timeline\n- range: step 99",
                    "x.md, line 8: No range of small-bf16-naive is called \"step 99\"."},
          {"timeline\n- range: step 1 > setup",
           "line 8: No range called \"setup\" begins in the range before it."},
          {"kernels\n- only: blocks.99", "line 8: small-bf16-naive has neither a phase nor a module"},
          {"timeline\n- point: span nothing",
           "line 8: Nothing in that range of small-bf16-naive has \"nothing\""},
          {"kernels\n- point: row nothing", "line 8: There is no \"nothing\" in the view"}}) {
        lessons().open(write("x.md", head + "- run: small-bf16-naive\n- view: " + keys + "\n\nText.\n"));
        EXPECT_TRUE(lessons().isOn()) << qPrintable(message());
        EXPECT_TRUE(waitFor([this] { return !panel().problem().isEmpty(); }));
        EXPECT_EQ(m_controller.runs().size(), 1u);
        EXPECT_TRUE(panel().problem().contains(QLatin1String(said))) << qPrintable(panel().problem());
    }
    // A file that is no run.
    write("own.wgrun", "no run");
    lessons().open(write("y.md", head + "- run: own.wgrun\n- view: memory\n\nText.\n"));
    EXPECT_TRUE(waitFor([this] { return panel().problem().contains(QLatin1String("could not be opened")); }));
    EXPECT_TRUE(panel().problem().contains(QLatin1String("y.md, line 6: The run ")));
}

/// While a lesson is on, its runs can be closed and other lessons begun, in any order.
TEST_F(LessonsTest, SurvivesWhateverIsDoneMeanwhile) {
    const QStringList files = lessonFiles();
    lessons().open(files[3]);
    lessons().next();
    lessons().next();
    lessons().open(files[5]);
    ASSERT_TRUE(settles());
    m_controller.closeRun(m_controller.currentRun());
    QCoreApplication::processEvents();
    lessons().showAgain();
    ASSERT_TRUE(settles());
    lessons().next();
    lessons().leave();
    QTest::qWait(100);
    EXPECT_FALSE(pointed().widget);
    lessons().open(files[0]);
    ASSERT_TRUE(settles());
    expectPlaceOf(step());
}

}  // namespace warpglass::app::lessons_test
