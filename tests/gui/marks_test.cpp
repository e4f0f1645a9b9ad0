// Marks through the window: made at the timeline, kept in the file, there again when it is opened.
#include <gtest/gtest.h>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "app/window/main_window.h"
#include "app/window/mark_saver.h"
#include "app/window/sample_runs.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "engine/io/run_file.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "ui/charts/memory_chart.h"
#include "ui/charts/memory_plot.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/memory_page.h"
#include "ui/models/run_filter.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {
namespace {

constexpr int kPatience = 60'000;  // ms; only a broken program comes near it

class MarksInTheWindow : public ::testing::Test {
protected:
    MarksInTheWindow() : m_window(m_controller, MainWindow::Remember::kNothing) {
        m_window.resize(1280, 720);
        m_window.show();
    }
    void open(const std::filesystem::path& path) {
        const QString name = QString::fromStdString(path.string());
        QSignalSpy opened(&m_controller, &SessionController::fileOpened);
        m_controller.openFiles({name});
        ASSERT_TRUE(opened.wait(kPatience));
        m_window.workspace().setPage(Workspace::Page::kViews);
    }
    /// Leaves the editor open.
    void beginNote(Nanoseconds time, const QString& text) {
        auto* timeline = m_window.workspace().timeline();
        m_controller.axis().setCursor(time);
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_M);
        auto* editor = qobject_cast<QLineEdit*>(m_window.focusWidget());
        ASSERT_NE(editor, nullptr) << "the note is asked for";
        QTest::keyClicks(editor, text);
    }
    void note(Nanoseconds time, const QString& text) {
        beginNote(time, text);
        if (HasFatalFailure())
            return;
        QTest::keyClick(m_window.focusWidget(), Qt::Key_Return);
    }
    /// They are written off the window's thread.
    bool stored() {
        return QTest::qWaitFor([this] { return !m_controller.isBusy(); }, kPatience);
    }
    bool editorIsOpen() {
        for (auto* editor : m_window.findChildren<QLineEdit*>(QStringLiteral("markEditor"))) {
            if (!editor->isHidden())
                return true;
        }
        return false;
    }

    SessionController m_controller;
    MainWindow m_window;
    test::TemporaryFolder m_folder;
};

TEST_F(MarksInTheWindow, AreInTheFileAtOnceAndBackWhenItIsOpened) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    note(Nanoseconds(1'000'000), QStringLiteral("here"));
    const std::vector<RunMark> expected{{Nanoseconds(1'000'000), "here"}};
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(path), expected);
    m_controller.closeRun(0);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    open(path);
    EXPECT_EQ(m_controller.marks().marks(), expected);
    m_controller.axis().fitAll();  // the note is in the warm-up
    EXPECT_EQ(m_window.workspace().timeline()->flags().size(), 1u);
}

TEST_F(MarksInTheWindow, BelongToTheirRunAndGoAlongWithASave) {
    const auto a = m_folder / "a.wgrun", b = m_folder / "b.wgrun", copy = m_folder / "copy.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), a));
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), b));
    open(a);
    open(b);
    note(Nanoseconds(5'000), QStringLiteral("of b"));
    m_controller.showRun(0);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    m_controller.showRun(1);
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    QSignalSpy saved(&m_controller, &SessionController::fileSaved);
    m_controller.saveRunAs(1, QString::fromStdString(copy.string()));
    ASSERT_TRUE(saved.wait(kPatience));
    EXPECT_EQ(*readMarks(copy), m_controller.marks().marks());
    EXPECT_TRUE(readMarks(a)->empty());
}

TEST_F(MarksInTheWindow, ANoteBeingWrittenStaysInItsRunWhenAnotherIsShown) {
    const auto a = m_folder / "a.wgrun", b = m_folder / "b.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), a));
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), b));
    open(a);
    open(b);
    beginNote(Nanoseconds(4'000), {});
    m_controller.showRun(0);
    EXPECT_FALSE(editorIsOpen()) << "nothing was written";
    m_controller.showRun(1);
    EXPECT_TRUE(m_controller.marks().marks().empty());

    beginNote(Nanoseconds(5'000), QStringLiteral("of b"));
    m_controller.showRun(0);
    EXPECT_FALSE(editorIsOpen());
    EXPECT_TRUE(m_controller.marks().marks().empty());
    EXPECT_TRUE(readMarks(a)->empty());
    const std::vector<RunMark> ofB{{Nanoseconds(5'000), "of b"}};
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(b), ofB);

    beginNote(Nanoseconds(6'000), QStringLiteral("of a"));
    m_controller.closeRun(0);
    EXPECT_FALSE(editorIsOpen());
    EXPECT_EQ(m_controller.marks().marks(), ofB);
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(a), (std::vector<RunMark>{{Nanoseconds(6'000), "of a"}}));
    EXPECT_EQ(*readMarks(b), ofB);
}

TEST_F(MarksInTheWindow, MadeDuringASaveAreInTheSavedFileToo) {
    const auto path = m_folder / "saved.wgrun";
    m_controller.showSnapshot(QString(), OpenedRun{test::makeSyntheticRun(), {}, {}});
    ASSERT_TRUE(m_controller.isUnsaved(0));
    m_controller.marks().add(Nanoseconds(3'000), QStringLiteral("before"));
    QSignalSpy saved(&m_controller, &SessionController::fileSaved);
    m_controller.saveRunAs(0, QString::fromStdString(path.string()));
    m_controller.marks().add(Nanoseconds(5'000), QStringLiteral("meanwhile"));
    ASSERT_TRUE(saved.wait(kPatience));
    EXPECT_EQ(m_controller.marks().marks().size(), 2u);
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(path), m_controller.marks().marks());
}

TEST_F(MarksInTheWindow, ThatCannotBeSavedAreSaidSoOnceAndStay) {
    const auto path = m_folder / "gone.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    std::filesystem::remove(path);
    QSignalSpy failed(&m_controller, &SessionController::failed);
    note(Nanoseconds(5'000), QStringLiteral("kept"));
    ASSERT_TRUE(stored());
    ASSERT_EQ(failed.count(), 1);
    note(Nanoseconds(6'000), QStringLiteral("kept too"));
    ASSERT_TRUE(stored());
    EXPECT_EQ(failed.count(), 1) << "said once";
    EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("gone.wgrun")));
    EXPECT_EQ(m_controller.marks().marks().size(), 2u);
    EXPECT_TRUE(m_controller.isUnsaved(0)) << "the window asks before they are lost";
    QSignalSpy saved(&m_controller, &SessionController::fileSaved);
    m_controller.saveRunAs(0, QString::fromStdString((m_folder / "copy.wgrun").string()));
    ASSERT_TRUE(saved.wait(kPatience));
    EXPECT_FALSE(m_controller.isUnsaved(0));
}

TEST_F(MarksInTheWindow, ThatCannotBeSavedAreSaidSoAlsoWhenTheirRunWasClosedMeanwhile) {
    const auto path = m_folder / "gone.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    std::filesystem::remove(path);
    QSignalSpy failed(&m_controller, &SessionController::failed);
    m_controller.marks().add(Nanoseconds(5'000), QStringLiteral("lost"));
    m_controller.closeRun(0);
    ASSERT_TRUE(stored());
    ASSERT_EQ(failed.count(), 1);
    EXPECT_TRUE(
        failed[0][0].toString().startsWith(QStringLiteral("The marks of gone.wgrun were not saved: ")))
        << failed[0][0].toString().toStdString();
}

TEST_F(MarksInTheWindow, OfAFileThatIsOpenTwiceAreOneList) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    open(m_folder / "." / "run.wgrun");
    m_controller.marks().add(Nanoseconds(2'000), QStringLiteral("in the second"));
    m_controller.showRun(0);
    m_controller.marks().add(Nanoseconds(1'000), QStringLiteral("in the first"));
    ASSERT_TRUE(stored());
    const std::vector<RunMark> both{{Nanoseconds(1'000), "in the first"},
                                    {Nanoseconds(2'000), "in the second"}};
    EXPECT_EQ(*readMarks(path), both);
    m_controller.showRun(1);
    EXPECT_EQ(m_controller.marks().marks(), both);
}

TEST_F(MarksInTheWindow, OfManyEditsTheLastIsInTheFile) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    for (int i = 0; i < 200; ++i)
        m_controller.marks().add(Nanoseconds(1'000), QString::number(i));
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(path), (std::vector<RunMark>{{Nanoseconds(1'000), "199"}}));
}

TEST_F(MarksInTheWindow, TheWindowWaitsForTheirSaveBeforeItCloses) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    m_controller.marks().add(Nanoseconds(1'000), QStringLiteral("last words"));
    ASSERT_TRUE(m_controller.isBusy());
    m_window.close();
    EXPECT_TRUE(m_window.isVisible());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_window.isVisible(); }, kPatience));
    EXPECT_EQ(readMarks(path)->size(), 1u);
}

TEST_F(MarksInTheWindow, OfASampleGoIntoACopyAndTheSampleStays) {
    const QString sample = QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-flash.wgrun"));
    const auto contents = [](const QString& path) {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    const QByteArray before = contents(sample);
    open(sample.toStdString());
    QSignalSpy copied(&m_controller, &SessionController::sampleCopied);
    m_controller.marks().add(Nanoseconds(1'000), QStringLiteral("one"));
    m_controller.marks().add(Nanoseconds(2'000), QStringLiteral("two"));
    ASSERT_TRUE(stored());
    ASSERT_EQ(copied.count(), 1) << "one copy for all marks";
    const QString copy = copied[0][0].toString();
    EXPECT_EQ(QFileInfo(copy).absolutePath(),
              QFileInfo(SessionController::recordingFolder()).absoluteFilePath());
    EXPECT_EQ(m_controller.runs()[0].path, copy);
    EXPECT_EQ(readMarks(copy.toStdString())->size(), 2u);
    m_controller.marks().add(Nanoseconds(3'000), QStringLiteral("three"));
    ASSERT_TRUE(stored());
    EXPECT_EQ(copied.count(), 1);
    EXPECT_EQ(readMarks(copy.toStdString())->size(), 3u);
    EXPECT_EQ(contents(sample), before);
    EXPECT_TRUE(m_window.findChild<QLabel*>(QStringLiteral("message"))->text().contains(copy));
    QFile::remove(copy);
}

TEST(MarkSaverAtItsEnd, PutsWhatStillWaitsIntoTheOneCopy) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "samples");
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), folder / "samples" / "run.wgrun"));
    const auto path = [&](const char* name) { return QString::fromStdString((folder / name).string()); };
    const std::vector<RunMark> last{{Nanoseconds(2'000), "last"}};
    {
        MarkSaver saver(path("samples"), path("copies"));
        saver.save(path("samples/run.wgrun"), {{Nanoseconds(1'000), "first"}});
        saver.save(path("samples/run.wgrun"), last);
    }
    EXPECT_EQ(QDir(path("copies")).entryList(QDir::Files), QStringList{QStringLiteral("run.wgrun")});
    EXPECT_EQ(*readMarks(folder / "copies" / "run.wgrun"), last);
}

TEST_F(MarksInTheWindow, KeysWorkInATableAndNotInAField) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    m_window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window, kPatience));
    auto* table = m_window.findChild<QWidget*>(QStringLiteral("opRows"));
    auto* field =
        m_window.workspace().view(QStringLiteral("ops"))->findChild<QLineEdit*>(QStringLiteral("filterText"));
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("m[]"));
    EXPECT_EQ(field->text(), QStringLiteral("m[]"));
    EXPECT_FALSE(editorIsOpen());
    field->clear();
    table->setFocus();
    m_controller.axis().setPinnedCursor(Nanoseconds(7'000));
    QTest::keyClick(table, Qt::Key_M);
    EXPECT_TRUE(editorIsOpen());
}

TEST_F(MarksInTheWindow, OfASelectedRangeIsAtItsBeginningAndNamesIt) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    m_controller.axis().setSelectedRange(TimeRange{Nanoseconds(2'000'000), Nanoseconds(5'000'000)});
    m_window.workspace().addMark();
    auto* editor = qobject_cast<QLineEdit*>(m_window.focusWidget());
    ASSERT_NE(editor, nullptr);
    QTest::keyClicks(editor, QStringLiteral("slow"));
    QTest::keyClick(editor, Qt::Key_Return);
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    const RunMark& mark = m_controller.marks().marks()[0];
    EXPECT_EQ(mark.time, Nanoseconds(2'000'000));
    EXPECT_EQ(QString::fromStdString(mark.text).remove(QChar(0x202F)).remove(QLatin1Char(' ')),
              QStringLiteral("3.00msuntil5.000ms:slow"));
}

TEST_F(MarksInTheWindow, AreAtASpanThatIsSelectedAfterARange) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    ui::TimeAxis& axis = m_controller.axis();
    const TimeRange range{Nanoseconds(2'000'000), Nanoseconds(5'000'000)};
    axis.setSelectedRange(range);
    const Snapshot& run = *m_controller.document().snapshot();
    const SpanLane ops = run.lanesOf(run.tracksOfKind(TrackKind::kCpuThread).front()).front();
    m_window.workspace().filter().pick({ops.id(), 0});
    axis.setPinnedCursor(Nanoseconds(4'500'000));
    ASSERT_EQ(axis.selectedRange(), range);
    const auto askedFor = [this] {
        m_window.workspace().addMark();
        auto* editor = qobject_cast<QLineEdit*>(m_window.focusWidget());
        const QString text = editor ? editor->text() : QString();
        if (editor)
            QTest::keyClick(editor, Qt::Key_Return);
        return text;
    };
    EXPECT_EQ(askedFor(), QString());
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    EXPECT_EQ(m_controller.marks().marks()[0].time, Nanoseconds(4'500'000));
    axis.setSelectedRange(TimeRange{Nanoseconds(3'000'000), Nanoseconds(5'000'000)});
    EXPECT_NE(askedFor(), QString()) << "the range is the later one now";
    EXPECT_EQ(m_controller.marks().marks()[0].time, Nanoseconds(3'000'000));
}

TEST_F(MarksInTheWindow, AreLeftAloneByTheMenuDuringAComparison) {
    const auto a = m_folder / "a.wgrun", b = m_folder / "b.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), a));
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), b));
    open(a);
    open(b);
    const Nanoseconds marked(5'000), other(9'000);
    m_controller.marks().add(marked, QStringLiteral("of b"));
    const auto trigger = [this](const QString& text) {
        for (auto* action : m_window.findChildren<QAction*>()) {
            if (action->text() == text)
                return action->trigger();
        }
        ADD_FAILURE() << text.toStdString();
    };
    const QString next = QStringLiteral("&Next\tN"), remove = QStringLiteral("&Delete\tDel");
    m_window.compareRuns(0, 1);
    m_controller.axis().setPinnedCursor(other);
    trigger(QStringLiteral("&Previous\tShift+N"));
    EXPECT_EQ(m_controller.axis().pinnedCursor(), other);
    m_controller.axis().setPinnedCursor(marked);
    trigger(QStringLiteral("&Edit…\tE"));
    EXPECT_FALSE(editorIsOpen());
    trigger(remove);
    EXPECT_EQ(m_controller.marks().marks().size(), 1u);
    m_controller.showRun(1);
    m_controller.axis().setPinnedCursor(std::nullopt);
    trigger(next);
    EXPECT_EQ(m_controller.axis().pinnedCursor(), marked);
    trigger(remove);
    EXPECT_TRUE(m_controller.marks().marks().empty());
}

TEST_F(MarksInTheWindow, AreWrittenWhereThePersonIs) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    m_window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window));
    const auto editorIn = [this](const QWidget& view) {
        auto* editor = qobject_cast<QLineEdit*>(m_window.focusWidget());
        return editor && view.isAncestorOf(editor) ? editor : nullptr;
    };
    // On the memory page, with the focus in its map.
    m_window.workspace().setPage(Workspace::Page::kMemory);
    auto& page = m_window.workspace().memoryPage();
    page.map().setFocus();
    QWidget* const before = m_window.focusWidget();
    m_controller.axis().setPinnedCursor(Nanoseconds(4'000'000));
    QTest::keyClick(before, Qt::Key_M);
    EXPECT_EQ(m_window.workspace().page(), Workspace::Page::kMemory);
    QLineEdit* editor = editorIn(page.chart().plot());
    ASSERT_NE(editor, nullptr);
    EXPECT_TRUE(page.chart().plot().rect().contains(editor->geometry()));
    QTest::keyClicks(editor, QStringLiteral("here it grows"));
    QTest::keyClick(editor, Qt::Key_Return);
    ASSERT_EQ(m_controller.marks().marks(),
              (std::vector<RunMark>{{Nanoseconds(4'000'000), "here it grows"}}));
    EXPECT_EQ(m_window.focusWidget(), before) << "and back to where one was";
    EXPECT_EQ(page.chart().plot().marks().flags().size(), 1u);
    // Its keys are those of the timeline.
    auto& plot = page.chart().plot();
    plot.setFocus();
    QTest::keyClick(&plot, Qt::Key_E);
    editor = editorIn(plot);
    ASSERT_NE(editor, nullptr);
    EXPECT_EQ(editor->text(), QStringLiteral("here it grows"));
    QTest::keyClicks(editor, QStringLiteral("changed"));
    QTest::keyClick(editor, Qt::Key_Return);
    EXPECT_EQ(m_controller.marks().marks()[0].text, "changed");
    m_controller.axis().setPinnedCursor(std::nullopt);
    QTest::keyClick(&plot, Qt::Key_N);
    EXPECT_EQ(m_controller.axis().pinnedCursor(), Nanoseconds(4'000'000));
    QTest::keyClick(&plot, Qt::Key_Delete, Qt::ControlModifier);
    EXPECT_EQ(m_controller.marks().marks().size(), 1u);
    QTest::keyClick(&plot, Qt::Key_Delete);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    // Under the timeline likewise, and from a page without a time axis in the timeline.
    m_window.workspace().setPage(Workspace::Page::kViews);
    auto* chart = qobject_cast<ui::MemoryChart*>(m_window.workspace().view(QStringLiteral("memory")));
    chart->plot().setFocus();
    QTest::keyClick(&chart->plot(), Qt::Key_M);
    ASSERT_NE(editorIn(chart->plot()), nullptr);
    QTest::keyClick(m_window.focusWidget(), Qt::Key_Escape);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    m_window.workspace().setPage(Workspace::Page::kCharts);
    m_window.workspace().addMark();
    EXPECT_NE(editorIn(*m_window.workspace().timeline()), nullptr);
}

TEST_F(MarksInTheWindow, OfASampleThatIsOpenedAgainAreOneClickAway) {
    const QString sample = QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-flash.wgrun"));
    QDir(SessionController::recordingFolder()).removeRecursively();
    auto* notice = m_window.findChild<QWidget*>(QStringLiteral("markedCopyNotice"));
    auto* button = m_window.findChild<QPushButton*>(QStringLiteral("openMarkedCopy"));
    open(sample.toStdString());
    EXPECT_FALSE(notice->isVisible()) << "there is no copy yet";
    m_controller.marks().add(Nanoseconds(1'000), QStringLiteral("one"));
    ASSERT_TRUE(stored());
    EXPECT_FALSE(notice->isVisible()) << "this is the copy";
    const QString copy = m_controller.runs()[0].path;
    m_controller.closeRun(0);

    open(sample.toStdString());
    EXPECT_TRUE(m_controller.marks().marks().empty());
    ASSERT_TRUE(notice->isVisible());
    EXPECT_TRUE(notice->findChild<QLabel*>()->text().contains(QDir::toNativeSeparators(copy)));
    m_controller.closeRun(0);  // the last, while its notice is shown
    EXPECT_TRUE(m_controller.runs().empty());
    EXPECT_FALSE(notice->isVisible());

    open(sample.toStdString());
    ASSERT_TRUE(notice->isVisible());
    QTest::keyClick(button, Qt::Key_Space);
    EXPECT_FALSE(notice->isVisible()) << "it is asked for once";
    m_controller.openMarkedCopy(0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_controller.marks().marks().empty(); }, kPatience));
    ASSERT_TRUE(stored());
    ASSERT_EQ(m_controller.runs().size(), 1u);
    EXPECT_EQ(m_controller.runs()[0].path, copy);
    EXPECT_FALSE(notice->isVisible());
    // It is open already: shown, not opened twice.
    open(sample.toStdString());
    ASSERT_EQ(m_controller.runs().size(), 2u);
    QTest::keyClick(button, Qt::Key_Space);
    EXPECT_EQ(m_controller.runs().size(), 1u);
    EXPECT_EQ(m_controller.marks().marks().size(), 1u);
    // A copy whose marks are gone, or another run of the name, is none.
    m_controller.marks().remove(0);
    ASSERT_TRUE(stored());
    m_controller.closeRun(0);
    open(sample.toStdString());
    EXPECT_FALSE(notice->isVisible());
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), copy.toStdString()));
    ASSERT_TRUE(writeMarks(copy.toStdString(), {{Nanoseconds(5), "of another run"}}));
    m_controller.closeRun(0);
    open(sample.toStdString());
    EXPECT_FALSE(notice->isVisible());
    QFile::remove(copy);
}

TEST_F(MarksInTheWindow, ThatAreInNoFileAreKeptWhenTheCopyOfASampleIsShown) {
    const QString sample = QDir(sampleFolder()).filePath(QStringLiteral("small-bf16-flash.wgrun"));
    const QString folder = SessionController::recordingFolder();
    QDir(folder).removeRecursively();
    open(sample.toStdString());
    m_controller.marks().add(Nanoseconds(1'000), QStringLiteral("in the copy"));
    ASSERT_TRUE(stored());
    open(sample.toStdString());
    ASSERT_FALSE(m_controller.runs()[1].markedCopy.isEmpty());
    // A file in the folder's place: no further copy can be made.
    ASSERT_TRUE(QDir(folder).removeRecursively());
    QFile inTheWay(folder);
    ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
    m_controller.marks().add(Nanoseconds(2'000), QStringLiteral("in the window only"));
    ASSERT_TRUE(stored());
    ASSERT_TRUE(m_controller.isUnsaved(1));
    m_controller.openMarkedCopy(1);
    EXPECT_EQ(m_controller.currentRun(), 0);
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(m_controller.runs()[1].marks,
              (std::vector<RunMark>{{Nanoseconds(2'000), "in the window only"}}));
    inTheWay.remove();
}

TEST_F(MarksInTheWindow, AreInTheMemoryChartsToo) {
    const auto path = m_folder / "run.wgrun";
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), path));
    open(path);
    m_controller.marks().add(Nanoseconds(4'000'000), QStringLiteral("here"));
    auto* chart = qobject_cast<ui::MemoryChart*>(m_window.workspace().view(QStringLiteral("memory")));
    ASSERT_EQ(chart->plot().marks().flags().size(), 1u);
    const QRect box = chart->plot().marks().flags()[0].box;
    EXPECT_NEAR(box.left(), chart->plot().xOf(Nanoseconds(4'000'000)), 1.0);
    EXPECT_EQ(chart->plot().marks().markAt(box.center()), 0u);
    EXPECT_FALSE(chart->plot().marks().markAt(box.center() - QPoint(0, 40)).has_value());
    QTest::mouseClick(&chart->plot(), Qt::LeftButton, {}, box.center());
    EXPECT_EQ(m_controller.axis().pinnedCursor(), Nanoseconds(4'000'000)) << "the mark's own moment";
}

}  // namespace
}  // namespace warpglass::app
