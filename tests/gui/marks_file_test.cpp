// Marks through the window: kept in the file, there again when it is opened.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "app/window/mark_saver.h"
#include "engine/io/run_file.h"
#include "engine/io/run_marks.h"
#include "engine/session/save_run.h"
#include "tests/gui/marks_fixture.h"
#include "tests/support/files.h"
#include "tests/support/has_text.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::app::marks_file_test {

TEST_F(MarksInTheWindow, AreInTheFileAtOnceAndBackWhenItIsOpened) {
    const auto path = openMade("run.wgrun");
    note(Nanoseconds(1'000'000), "here");
    const std::vector<RunMark> expected{{Nanoseconds(1'000'000), "here"}};
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(path), expected);
    m_controller.closeRun(0);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    open(path);
    EXPECT_EQ(m_controller.marks().marks(), expected);
    axis().fitAll();  // the note is in the warm-up
    EXPECT_EQ(workspace().timeline()->marks().flags().size(), 1u);
}

TEST_F(MarksInTheWindow, BelongToTheirRunAndGoAlongWithASave) {
    const auto a = openMade("a.wgrun"), b = openMade("b.wgrun"), copy = m_folder / "copy.wgrun";
    note(Nanoseconds(5'000), "of b");
    m_controller.showRun(0);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    m_controller.showRun(1);
    ASSERT_EQ(m_controller.marks().marks().size(), 1u);
    QSignalSpy saved(&m_controller, &SessionController::fileSaved);
    m_controller.saving().save(1, QString::fromStdString(copy.string()));
    ASSERT_TRUE(saved.wait(kPatience));
    EXPECT_EQ(*readMarks(copy), m_controller.marks().marks());
    EXPECT_TRUE(readMarks(a)->empty());
}

TEST_F(MarksInTheWindow, MadeDuringASaveAreInTheSavedFileToo) {
    const auto path = m_folder / "saved.wgrun";
    m_controller.showSnapshot(QString(), OpenedRun{test::makeSyntheticRun(), {}, {}});
    ASSERT_TRUE(m_controller.runs().isUnsaved(0));
    m_controller.marks().add(Nanoseconds(3'000), "before");
    QSignalSpy saved(&m_controller, &SessionController::fileSaved);
    m_controller.saving().save(0, QString::fromStdString(path.string()));
    m_controller.marks().add(Nanoseconds(5'000), "meanwhile");
    ASSERT_TRUE(saved.wait(kPatience));
    EXPECT_EQ(m_controller.marks().marks().size(), 2u);
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(path), m_controller.marks().marks());
}

TEST_F(MarksInTheWindow, ThatCannotBeSavedAreSaidSoOnceAndStay) {
    const auto path = openMade("gone.wgrun");
    std::filesystem::remove(path);
    QSignalSpy failed(&m_controller, &SessionController::failed);
    note(Nanoseconds(5'000), "kept");
    ASSERT_TRUE(stored());
    ASSERT_EQ(failed.count(), 1);
    note(Nanoseconds(6'000), "kept too");
    ASSERT_TRUE(stored());
    EXPECT_EQ(failed.count(), 1) << "said once";
    EXPECT_TRUE(failed[0][0].toString().contains("gone.wgrun"));
    EXPECT_EQ(m_controller.marks().marks().size(), 2u);
    EXPECT_TRUE(m_controller.runs().isUnsaved(0)) << "the window asks before they are lost";
    QSignalSpy saved(&m_controller, &SessionController::fileSaved);
    m_controller.saving().save(0, QString::fromStdString((m_folder / "copy.wgrun").string()));
    ASSERT_TRUE(saved.wait(kPatience));
    EXPECT_FALSE(m_controller.runs().isUnsaved(0));
}

TEST_F(MarksInTheWindow, ThatCannotBeSavedAreSaidSoAlsoWhenTheirRunWasClosedMeanwhile) {
    const auto path = openMade("gone.wgrun");
    std::filesystem::remove(path);
    QSignalSpy failed(&m_controller, &SessionController::failed);
    m_controller.marks().add(Nanoseconds(5'000), "lost");
    m_controller.closeRun(0);
    ASSERT_TRUE(stored());
    ASSERT_EQ(failed.count(), 1);
    EXPECT_THAT(failed[0][0].toString(), test::BeginsWith("The marks of gone.wgrun were not saved: "));
}

TEST_F(MarksInTheWindow, OfAFileThatIsOpenTwiceAreOneList) {
    const auto path = openMade("run.wgrun");
    open(m_folder / "." / "run.wgrun");
    m_controller.marks().add(Nanoseconds(2'000), "in the second");
    m_controller.showRun(0);
    m_controller.marks().add(Nanoseconds(1'000), "in the first");
    ASSERT_TRUE(stored());
    const std::vector<RunMark> both{{Nanoseconds(1'000), "in the first"},
                                    {Nanoseconds(2'000), "in the second"}};
    EXPECT_EQ(*readMarks(path), both);
    m_controller.showRun(1);
    EXPECT_EQ(m_controller.marks().marks(), both);
}

TEST_F(MarksInTheWindow, OfManyEditsTheLastIsInTheFile) {
    const auto path = openMade("run.wgrun");
    for (int i = 0; i < 200; ++i)
        m_controller.marks().add(Nanoseconds(1'000), QString::number(i));
    ASSERT_TRUE(stored());
    EXPECT_EQ(*readMarks(path), (std::vector<RunMark>{{Nanoseconds(1'000), "199"}}));
}

TEST_F(MarksInTheWindow, TheWindowWaitsForTheirSaveBeforeItCloses) {
    const auto path = openMade("run.wgrun");
    m_controller.marks().add(Nanoseconds(1'000), "last words");
    ASSERT_TRUE(m_controller.isBusy());
    m_window->close();
    EXPECT_TRUE(m_window->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !m_window->isVisible(); }, kPatience));
    EXPECT_EQ(readMarks(path)->size(), 1u);
}

TEST_F(MarksInTheWindow, OfASampleGoIntoACopyAndTheSampleStays) {
    const std::string sample = WindowTest::sample("small-bf16-flash").toStdString();
    const std::string before = test::contentOf(sample);
    open(sample);
    QSignalSpy copied(&m_controller.markKeeping(), &MarkKeeping::sampleCopied);
    m_controller.marks().add(Nanoseconds(1'000), "one");
    m_controller.marks().add(Nanoseconds(2'000), "two");
    ASSERT_TRUE(stored());
    ASSERT_EQ(copied.count(), 1) << "one copy for all marks";
    const QString copy = copied[0][0].toString();
    EXPECT_EQ(QFileInfo(copy).absolutePath(), QFileInfo(RunRecording::folder()).absoluteFilePath());
    EXPECT_EQ(m_controller.runs()[0].path, copy);
    EXPECT_EQ(readMarks(copy.toStdString())->size(), 2u);
    EXPECT_TRUE(message().contains(copy));
    m_controller.marks().add(Nanoseconds(3'000), "three");
    ASSERT_TRUE(stored());
    EXPECT_EQ(copied.count(), 1);
    EXPECT_EQ(readMarks(copy.toStdString())->size(), 3u);
    EXPECT_EQ(test::contentOf(sample), before);
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
    EXPECT_EQ(QDir(path("copies")).entryList(QDir::Files), QStringList{"run.wgrun"});
    EXPECT_EQ(*readMarks(folder / "copies" / "run.wgrun"), last);
}

TEST_F(MarksInTheWindow, OfASampleThatIsOpenedAgainAreOneClickAway) {
    const std::string sample = WindowTest::sample("small-bf16-flash").toStdString();
    QDir(RunRecording::folder()).removeRecursively();
    auto* notice = m_window->findChild<QWidget*>("markedCopyNotice");
    auto* button = m_window->findChild<QPushButton*>("openMarkedCopy");
    open(sample);
    EXPECT_FALSE(notice->isVisible()) << "there is no copy yet";
    m_controller.marks().add(Nanoseconds(1'000), "one");
    ASSERT_TRUE(stored());
    EXPECT_FALSE(notice->isVisible()) << "this is the copy";
    const QString copy = m_controller.runs()[0].path;
    m_controller.closeRun(0);

    open(sample);
    EXPECT_TRUE(m_controller.marks().marks().empty());
    ASSERT_TRUE(notice->isVisible());
    EXPECT_TRUE(notice->findChild<QLabel*>()->text().contains(QDir::toNativeSeparators(copy)));
    m_controller.closeRun(0);  // the last, while its notice is shown
    EXPECT_TRUE(m_controller.runs().empty());
    EXPECT_FALSE(notice->isVisible());

    open(sample);
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
    open(sample);
    ASSERT_EQ(m_controller.runs().size(), 2u);
    QTest::keyClick(button, Qt::Key_Space);
    EXPECT_EQ(m_controller.runs().size(), 1u);
    EXPECT_EQ(m_controller.marks().marks().size(), 1u);
    // A copy whose marks are gone, or another run of the name, is none.
    m_controller.marks().remove(0);
    ASSERT_TRUE(stored());
    m_controller.closeRun(0);
    open(sample);
    EXPECT_FALSE(notice->isVisible());
    ASSERT_TRUE(saveRun(*test::makeSyntheticRun(), copy.toStdString()));
    ASSERT_TRUE(writeMarks(copy.toStdString(), {{Nanoseconds(5), "of another run"}}));
    m_controller.closeRun(0);
    open(sample);
    EXPECT_FALSE(notice->isVisible());
    QFile::remove(copy);
}

TEST_F(MarksInTheWindow, ThatAreInNoFileAreKeptWhenTheCopyOfASampleIsShown) {
    const std::string sample = WindowTest::sample("small-bf16-flash").toStdString();
    const QString folder = RunRecording::folder();
    QDir(folder).removeRecursively();
    open(sample);
    m_controller.marks().add(Nanoseconds(1'000), "in the copy");
    ASSERT_TRUE(stored());
    open(sample);
    ASSERT_FALSE(m_controller.runs()[1].markedCopy.isEmpty());
    // A file in the folder's place: no further copy can be made.
    ASSERT_TRUE(QDir(folder).removeRecursively());
    QFile inTheWay(folder);
    ASSERT_TRUE(inTheWay.open(QIODevice::WriteOnly));
    m_controller.marks().add(Nanoseconds(2'000), "in the window only");
    ASSERT_TRUE(stored());
    ASSERT_TRUE(m_controller.runs().isUnsaved(1));
    m_controller.openMarkedCopy(1);
    EXPECT_EQ(m_controller.currentRun(), 0);
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(m_controller.runs()[1].marks,
              (std::vector<RunMark>{{Nanoseconds(2'000), "in the window only"}}));
    inTheWay.remove();
}

}  // namespace warpglass::app::marks_file_test
