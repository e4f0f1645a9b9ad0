// What the window says, and where: how a run failed, once; what long work is going on, with Cancel; sentences
// that can be copied.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>

#include "app/window/banner.h"
#include "app/window/focus_mode.h"
#include "app/window/run_panel_place.h"
#include "app/window/sample_runs.h"
#include "app/window/work_bar.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/held_workers.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/valid.h"

namespace warpglass::app::messages_test {

constexpr char kWhy[] = "the device fell off the table";

struct MessagesTest : WindowTest {
    /// Which of the labels that can be seen hold the words, by what they stand in.
    QStringList placesOf(const QString& words) {
        QStringList places;
        for (const QLabel* label : m_window->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().contains(words, Qt::CaseInsensitive))
                places << label->parentWidget()->objectName();
        }
        return places;
    }
    QString lastResult() { return m_window->findChild<QLabel*>("lastResult")->text(); }
    /// Until it ends.
    void run(const test::FakeRunnerOptions& options, const std::function<void()>& meanwhile = {}) {
        test::FakeRunner runner(options);
        m_controller.recording().startWith(runner, test::valid(test::syntheticConfig(4)));
        ASSERT_TRUE(m_controller.isRunning());
        if (meanwhile)
            meanwhile();
        ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning(); }));
        QCoreApplication::processEvents();
    }
};

TEST_F(MessagesTest, WhyARunFailedStandsOverItsViewsAndNowhereElse) {
    run({.failAtStep = 2, .failMessage = kWhy});
    ASSERT_EQ(m_controller.runs().size(), 1u);
    EXPECT_EQ(placesOf(QLatin1String(kWhy)), QStringList{"banner"});
    EXPECT_EQ(lastResult(), "Failed.");
    EXPECT_FALSE(message().contains(QLatin1String(kWhy), Qt::CaseInsensitive)) << message().toStdString();
}

TEST_F(MessagesTest, ARunThatFailsOutOfSightIsNamedAndSaysWhyInItsTab) {
    m_controller.showSnapshot("/runs/a.wgrun", {test::makeSyntheticRun(), {}});
    test::FakeRunnerOptions options{
        .pausePerOp = std::chrono::microseconds(300), .failAtStep = 3, .failMessage = kWhy};
    run(options, [this] { m_controller.showRun(0); });
    ASSERT_EQ(m_controller.runs().size(), 2u);
    EXPECT_EQ(placesOf(QLatin1String(kWhy)), QStringList());
    EXPECT_EQ(message(), QStringLiteral("The run %1 has failed.").arg(m_controller.runs()[1].title));
    m_controller.showRun(1);
    EXPECT_EQ(placesOf(QLatin1String(kWhy)), QStringList{"banner"});
    EXPECT_EQ(message(), QString());
}

TEST_F(MessagesTest, ARunOfWhichNothingWasRecordedSaysWhyUntilItsSettingsChange) {
    test::FakeRunnerOptions options{.refuse = kWhy};
    run(options);
    ASSERT_TRUE(m_controller.runs().empty());
    EXPECT_EQ(placesOf(QLatin1String(kWhy)), QStringList{"openProblems"});
    EXPECT_EQ(lastResult(), "Failed.");
    EXPECT_EQ(message(), QString());
    emit m_controller.opening().began();
    EXPECT_TRUE(child<Banner>("openProblems")->isVisible()) << "it is not of files";
    emit m_window->runPanel().configEdited();
    EXPECT_FALSE(child<Banner>("openProblems")->isVisible());

    run(options);
    EXPECT_TRUE(child<Banner>("openProblems")->isVisible());
    run({});
    EXPECT_FALSE(child<Banner>("openProblems")->isVisible()) << "that one ended well";
}

TEST_F(MessagesTest, AProblemIsSaidWhileOneViewIsAloneToo) {
    m_controller.showSnapshot("/runs/a.wgrun", {test::makeSyntheticRun(), {}});
    m_window->focusMode().set(true);
    ASSERT_FALSE(m_window->runPanelPlace().isVisible());
    EXPECT_FALSE(m_window->statusBar()->isVisible());
    emit m_controller.failed("It could not be saved.");
    EXPECT_TRUE(m_window->statusBar()->isVisible());
}

TEST_F(MessagesTest, OpeningShowsHowFarItIsAndCanBeCanceled) {
    const QDir samples(sampleFolder());
    const QStringList files{samples.filePath("small-bf16-naive.wgrun"),
                            samples.filePath("small-fp32-naive.wgrun")};
    test::HeldWorkers held;  // so long nothing is opened
    m_controller.openFiles(files);
    EXPECT_TRUE(m_controller.opening().isOpening());
    auto* work = child<WorkBar>("work");
    EXPECT_FALSE(work->isVisible()) << "it may be over at once";
    EXPECT_TRUE(waitFor([&] { return work->isVisible(); }));
    EXPECT_TRUE(m_window->statusBar()->isVisible());
    EXPECT_TRUE(work->findChild<QLabel*>()->text().contains("small-bf16-naive.wgrun, 1 of 2"));
    click(button("workCancel"));
    EXPECT_FALSE(work->isVisible());
    EXPECT_FALSE(m_controller.opening().isOpening());
    EXPECT_EQ(message(), "Opening was canceled.");
    held.release();
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    EXPECT_TRUE(m_controller.runs().empty());

    // Also of what a worker has opened already; and what is asked for afterwards comes.
    m_controller.openFiles(files);
    m_controller.opening().cancel();
    m_controller.openFiles({files[1]});
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    ASSERT_EQ(m_controller.runs().size(), 1u);
    EXPECT_EQ(m_controller.runs()[0].path, files[1]);
    EXPECT_FALSE(work->isNoticed());
}

TEST_F(MessagesTest, WhatCouldNotBeOpenedIsSaidThoughTheRestIsCanceled) {
    const QString absent = "/nowhere/absent.wgrun";
    const QString sample = QDir(sampleFolder()).filePath("small-bf16-naive.wgrun");
    QObject::connect(&m_controller.opening(), &RunOpening::progress, &m_controller,
                     [this](const QString&, int done, int) {
                         if (done == 1)
                             m_controller.opening().cancel();
                     });
    m_controller.openFiles({absent, sample, sample});
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    EXPECT_TRUE(m_controller.runs().empty());
    EXPECT_EQ(message(), "Opening was canceled.");
    auto* problems = child<QWidget>("openProblems");
    EXPECT_TRUE(problems->isVisible());
    EXPECT_TRUE(problems->findChild<QLabel*>()->text().contains(absent));
    m_controller.openFiles({sample});
    ASSERT_TRUE(waitFor([&] { return !m_controller.isBusy(); }));
    EXPECT_EQ(m_controller.runs().size(), 1u);
    EXPECT_FALSE(problems->isVisible()) << "said once";
}

TEST_F(MessagesTest, ASaveThatFailedIsOverThoughOtherWorkGoesOn) {
    m_controller.showSnapshot("/runs/a.wgrun", {test::makeSyntheticRun(), {}});
    int ended = 0;
    bool busyThen = false;
    QObject::connect(&m_controller.saving(), &RunSaving::ended, &m_controller, [&] {
        ++ended;
        busyThen = m_controller.isBusy();
    });
    auto* work = child<WorkBar>("work");
    emit m_controller.saving().progress(0.25);
    ASSERT_TRUE(waitFor([&] { return work->isNoticed(); }));
    m_controller.saving().save(0, "/nowhere/a.wgrun");
    ASSERT_TRUE(waitFor([&] { return ended == 1; }));
    EXPECT_TRUE(busyThen) << "not once all work has ended";
    EXPECT_FALSE(work->isNoticed());
}

TEST_F(MessagesTest, AWindowThatIsClosedWaitsForNoFileToOpen) {
    test::HeldWorkers held;
    m_controller.openFiles({QDir(sampleFolder()).filePath("small-bf16-naive.wgrun")});
    m_window->close();
    EXPECT_FALSE(m_controller.opening().isOpening());
    held.release();
    EXPECT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
    EXPECT_TRUE(m_controller.runs().empty());
}

TEST(WorkBarTest, ShowsTheLastOfSeveralAndNothingThatIsOverAtOnce) {
    using Kind = WorkBar::Kind;
    WorkBar bar;
    const auto* text = bar.findChild<QLabel*>("workText");
    const auto* progress = bar.findChild<QProgressBar*>("workProgress");
    bar.report(Kind::kSaving, "Saving", 0.25);
    bar.finish(Kind::kSaving);
    QTest::qWait(2 * WorkBar::kNoticed);
    EXPECT_FALSE(bar.isNoticed());
    EXPECT_TRUE(bar.isHidden());

    bar.report(Kind::kSaving, "Saving", 0.25);
    ASSERT_TRUE(waitFor([&] { return bar.isNoticed(); }));
    EXPECT_EQ(text->text(), "Saving");
    EXPECT_EQ(progress->value(), 25);
    bar.report(Kind::kOpening, "Opening", -1);
    bar.report(Kind::kSaving, "Saving", 0.5);
    EXPECT_EQ(text->text(), "Opening");
    EXPECT_EQ(progress->maximum(), 0) << "no one knows how far it is";
    QList<Kind> canceled;
    QObject::connect(&bar, &WorkBar::canceled, [&canceled](Kind kind) { canceled << kind; });
    QTest::mouseClick(bar.findChild<QPushButton*>("workCancel"), Qt::LeftButton);
    EXPECT_EQ(canceled, QList<Kind>{Kind::kOpening});
    bar.finish(Kind::kOpening);
    EXPECT_EQ(text->text(), "Saving");
    EXPECT_EQ(progress->value(), 50);
    EXPECT_FALSE(bar.isHidden());
    bar.finish(Kind::kSaving);
    EXPECT_TRUE(bar.isHidden());
}

TEST(BannerTest, WhatItShowsWholeCanBeCopiedAndTheRestIsInItsDetails) {
    Banner banner;
    const QString sentence = "The run was cut off: its last step is not in the file.";
    banner.resize(900, 60);
    banner.setSentences({sentence});
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&banner, kPatience));
    auto* label = banner.findChild<QLabel*>();
    auto* details = banner.findChild<QPushButton*>("bannerDetails");
    EXPECT_TRUE(details->isHidden());
    QTest::mouseDClick(label, Qt::LeftButton, {}, QPoint(6, label->height() / 2));
    EXPECT_EQ(label->selectedText(), "The");
    label->setSelection(0, static_cast<int>(sentence.size()));
    QTest::keyClick(label, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), sentence);

    banner.setSentences({sentence.repeated(30)});
    EXPECT_FALSE(details->isHidden());
    EXPECT_EQ(label->textInteractionFlags(), Qt::NoTextInteraction);
    EXPECT_LE(label->height(), 2 * label->fontMetrics().lineSpacing());
    banner.setSentences({sentence});
    EXPECT_TRUE(details->isHidden());
    EXPECT_TRUE(label->textInteractionFlags() & Qt::TextSelectableByMouse);
}

}  // namespace warpglass::app::messages_test
