// The tabs of the open runs: what tells them apart, their menu, and the questions before one is closed.
#include <QApplication>
#include <QEnterEvent>
#include <QFile>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <set>

#include "app/window/banner.h"
#include "app/window/calm_strip.h"
#include "app/window/recent_runs.h"
#include "app/window/run_actions.h"
#include "app/window/run_titles.h"
#include "app/window/sample_runs.h"
#include "engine/session/save_run.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/first_of.h"
#include "tests/support/gestures.h"
#include "tests/support/synthetic_trace.h"
#include "ui/compare/comparison_view.h"
#include "ui/panels/summary_page.h"

namespace warpglass::app::run_tabs_test {

TitledRun titled(const RunConfig& config, const char* started = "2026-11-22T10:00:00Z",
                 const char* path = "a.wgrun") {
    return {QString::fromStdString(shortTitle(config)), config,
            QDateTime::fromString(QString::fromLatin1(started), Qt::ISODate), QString::fromLatin1(path)};
}

QStringList endings(const std::vector<TitledRun>& runs) {
    QStringList ends;
    for (const QString& title : titlesSideBySide(runs))
        ends << title.mid(QString::fromStdString(shortTitle(RunConfig())).size());
    return ends;
}

TEST(RunTitlesTest, ANameThatWasGivenIsNotReadAsAPattern) {
    const TitledRun one{"a %1", std::nullopt, {}, "x/a.wgrun"};
    const TitledRun other{"a %1", std::nullopt, {}, "y/a.wgrun"};
    EXPECT_EQ(titlesSideBySide({one, other}), (QStringList{"a %1", "a %1 (2)"}));
}

TEST(RunTitlesTest, TheSettingThatDiffersStandsInBothNames) {
    const RunConfig base;
    const auto with = [](auto change) {
        RunConfig config;
        change(config);
        return titled(config);
    };
    EXPECT_EQ(endings({titled(base)}), QStringList{QString()});
    EXPECT_EQ(endings({titled(base), with([](RunConfig& c) { c.steps = 20; })}),
              (QStringList{" · 3 steps", " · 20 steps"}));
    EXPECT_EQ(endings({titled(base), with([](RunConfig& c) { c.seed = 7; })}),
              (QStringList{" · seed 0", " · seed 7"}));
    EXPECT_EQ(
        endings({titled(base), with([](RunConfig& c) { c.memoryLimit = Bytes(std::int64_t(16) << 30); })}),
        (QStringList{" · no limit", " · limit 16.0 GiB"}));
    EXPECT_EQ(endings({titled(base), with([](RunConfig& c) { c.batch = 8; })}),
              (QStringList{" · batch 4", " · batch 8"}));
    EXPECT_EQ(endings({titled(base), with([](RunConfig& c) { c.mode = Mode::kForward; })}),
              (QStringList{" · step", " · forward"}));
    // Every other one: no two runs that differ anywhere have one name, and each says a setting.
    std::vector<TitledRun> all{titled(base)};
    for (const auto change : std::vector<void (*)(RunConfig&)>{
             [](RunConfig& c) { c.warmup = 5; }, [](RunConfig& c) { c.device = "cuda:0"; },
             [](RunConfig& c) { c.shape.layers = 9; }, [](RunConfig& c) { c.shape.dModel = 768; },
             [](RunConfig& c) { c.shape.dFf = 99; }, [](RunConfig& c) { c.shape.heads = 2; },
             [](RunConfig& c) { c.shape.vocabulary = 77; },
             [](RunConfig& c) { c.recorded.set(Feature::kMemory, false); }}) {
        all.push_back(with(change));
        const QStringList pair = endings({titled(base), all.back()});
        EXPECT_NE(pair[0], pair[1]);
        EXPECT_FALSE(pair[0].contains(QLatin1Char(':')) && !pair[1].contains("cuda"))
            << pair[0].toStdString() << ": by the time, not by the setting";
    }
    const QStringList titles = titlesSideBySide(all);
    EXPECT_EQ(std::set<QString>(titles.begin(), titles.end()).size(), all.size());
}

TEST(RunTitlesTest, TheSameRunTwiceHasItsTimeThenItsFileThenANumber) {
    const RunConfig config;
    const auto at = [&](const char* started, const char* path = "a.wgrun") {
        return titled(config, started, path);
    };
    const QStringList minutes = endings({at("2026-11-22T10:00:00Z"), at("2026-11-22T10:05:00Z")});
    EXPECT_EQ(minutes[0].size(), QStringLiteral(" · 10:00").size()) << minutes[0].toStdString();
    EXPECT_NE(minutes[0], minutes[1]);
    const QStringList seconds = endings({at("2026-11-22T10:00:00Z"), at("2026-11-22T10:00:09Z")});
    EXPECT_TRUE(seconds[0].endsWith(":00") && seconds[1].endsWith(":09"));
    EXPECT_EQ(endings({at("2026-11-22T10:00:00Z"), at("2026-11-22T10:00:00Z", "b.wgrun")}),
              (QStringList{" (a)", " (b)"}));
    EXPECT_EQ(endings({at("2026-11-22T10:00:00Z"), at("2026-11-22T10:00:00Z")}), (QStringList{"", " (2)"}));
}

struct RunTabsTest : WindowTest {
    RunTabsTest() { QSettings().clear(); }
    ~RunTabsTest() override { QSettings().clear(); }

    QTabBar& bar() { return *m_window->findChild<QTabBar*>("runTabs"); }
    RunActions& actions() { return *m_window->findChild<RunActions*>(); }
    /// The next modal question, as soon as it is there.
    void answerNext(const QString& words) {
        QTimer::singleShot(0, m_window.get(), [words] {
            press(qobject_cast<QMessageBox*>(QApplication::activeModalWidget()), words);
        });
    }
    /// As the application tells a widget that the pointer is over it or one of its children.
    static void enter(QWidget& widget) {
        QEnterEvent event(QPointF(9, 9), QPointF(9, 9), QPointF(9, 9));
        QApplication::sendEvent(&widget, &event);
    }
    void show(const char* name, std::int64_t steps = 3) {
        const RunConfig config = test::syntheticConfig(steps);
        m_controller.showSnapshot(QString::fromLatin1(name), {test::makeSyntheticRun({config}), {}});
    }
    /// One that waits for an answer to each of its ops.
    test::FakeRunnerOptions slow() { return {.pausePerOp = std::chrono::microseconds(500)}; }
    RunConfig longRun() { return test::syntheticConfig(100'000); }
    /// In the user's folder of runs.
    QString recordedFile(const char* name) {
        QDir().mkpath(RunRecording::folder());
        const QString path = QDir(RunRecording::folder()).filePath(QString::fromLatin1(name));
        EXPECT_TRUE(saveRun(*test::makeSyntheticRun(), path.toStdString()));
        return path;
    }
};

TEST_F(RunTabsTest, TabsMenusAndTheComparisonNameWhatDiffers) {
    show("/runs/a.wgrun");
    const QString alone = m_controller.runs()[0].title;
    show("/runs/b.wgrun", 5);
    EXPECT_EQ(bar().tabText(0), alone + QStringLiteral(" · 3 steps"));
    EXPECT_EQ(bar().tabText(1), alone + QStringLiteral(" · 5 steps"));
    m_window->pages().compare(0, 1);
    auto* comparison = m_window->findChild<ui::ComparisonView*>();
    EXPECT_EQ(comparison->sideA().title, alone + QStringLiteral(" · 3 steps"));
    EXPECT_EQ(comparison->sideB().title, alone + QStringLiteral(" · 5 steps"));
    m_controller.closeRun(1);
    EXPECT_EQ(bar().tabText(0), alone);
    EXPECT_TRUE(m_window->windowTitle().startsWith(alone + QStringLiteral(" — ")));

    RecentRuns recent;
    RunInfo three, five;
    for (auto& [info, steps] : {std::pair<RunInfo*, const char*>{&three, "3"}, {&five, "5"}}) {
        for (const auto& [key, value] : toPairs(test::syntheticConfig()))
            info->set(key, value);
        info->set("config.steps", steps);
    }
    recent.add("/runs/a.wgrun", alone, three);
    recent.add("/runs/b.wgrun", alone, five);
    EXPECT_EQ(recent.titleOf("/runs/a.wgrun"), alone + QStringLiteral(" · 3 steps"));
    EXPECT_EQ(recent.titleOf("/runs/b.wgrun"), alone + QStringLiteral(" · 5 steps"));
}

TEST_F(RunTabsTest, ClosingTheRecordingAsksAndKeepsOrStopsIt) {
    test::FakeRunner runner(slow());
    start(runner, longRun());
    emit bar().tabCloseRequested(0);
    answer("Keep Recording");
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    EXPECT_TRUE(m_controller.isRunning());
    ASSERT_EQ(m_controller.runs().size(), 1u);

    QTest::mouseClick(&bar(), Qt::MiddleButton, {}, bar().tabRect(0).center());
    answer("Stop and Close");
    ASSERT_TRUE(waitFor([&] { return m_controller.runs().empty(); }));
    EXPECT_FALSE(m_controller.isRunning());
    EXPECT_EQ(QDir(RunRecording::folder()).entryList({"*.wgrun"}).size(), 1) << "what was recorded is kept";
}

TEST_F(RunTabsTest, CloseOthersClosesWhatItMayAndAsksAboutTheRecording) {
    show("/runs/a.wgrun");
    show("/runs/b.wgrun", 4);
    test::FakeRunner runner(slow());
    start(runner, longRun());
    QMenu menu;
    actions().fillMenu(menu, 1);
    const auto entries = menu.actions();
    test::firstOf(entries, [](QAction* entry) { return entry->text() == "Close &Others"; })->trigger();
    ASSERT_EQ(m_controller.runs().size(), 2u) << "a has gone; b and the recording are there";
    EXPECT_EQ(m_controller.runs()[0].path, "/runs/b.wgrun");
    answer("Stop and Close");
    ASSERT_TRUE(waitFor([&] { return m_controller.runs().size() == 1; }));
    EXPECT_EQ(m_controller.runs()[0].path, "/runs/b.wgrun");
}

TEST_F(RunTabsTest, ARunThatEndsWhileItIsAskedAboutStaysOpen) {
    test::FakeRunner runner({.pausePerOp = std::chrono::microseconds(300)});
    start(runner, test::syntheticConfig(4));
    emit bar().tabCloseRequested(0);
    ASSERT_TRUE(waitFor([&] { return !m_controller.isRunning() && !question(); }));
    EXPECT_EQ(m_controller.runs().size(), 1u);
}

TEST_F(RunTabsTest, ARunIsRenamedAndKeepsItsNameWithItsFile) {
    const QString path = recordedFile("one.wgrun");
    open({path});
    const QString own = m_controller.runs()[0].title;
    QTimer::singleShot(0, m_window.get(), [] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        dialog->setTextValue("  before & after ");
        dialog->accept();
    });
    actions().rename(0);
    EXPECT_EQ(m_controller.runs()[0].title, "before & after");
    EXPECT_EQ(bar().tabText(0), "before && after");
    EXPECT_TRUE(m_window->windowTitle().startsWith("before & after"));
    const auto heading = [this] { return m_window->findChild<QLabel*>("summaryTitle")->text(); };
    ASSERT_TRUE(waitFor([&] { return heading() == QStringLiteral("before & after"); }));
    EXPECT_TRUE(bar().tabToolTip(0).startsWith("before & after\n"));
    m_controller.closeRun(0);
    open({path});
    EXPECT_EQ(m_controller.runs()[0].title, "before & after");
    m_controller.renameRun(0, {});
    EXPECT_EQ(m_controller.runs()[0].title, own);
    EXPECT_NE(heading(), "before & after");
}

TEST_F(RunTabsTest, ALongTitleLosesItsMiddlePartsAndItsToolTipHasItWhole) {
    const QString path = recordedFile("one.wgrun");
    open({path});
    const QString title =
        "small · bf16 mixed · sdpa-flash · 512 · forward + backward · one "
        "CUDA graph · batch 4 · record ops,memory";
    m_window->resize(1280, 720);
    m_controller.renameRun(0, title);
    for (int i = 0; i < 6; ++i)
        show(("/runs/" + std::to_string(i) + ".wgrun").c_str());
    QCoreApplication::processEvents();
    const QString shown = bar().tabText(0);
    EXPECT_TRUE(shown.startsWith("small · … · ")) << shown.toStdString();
    EXPECT_TRUE(shown.endsWith(" · record ops,memory")) << shown.toStdString();
    EXPECT_TRUE(bar().tabToolTip(0).startsWith(title + QLatin1Char('\n')));
}

TEST_F(RunTabsTest, EntriesThatCannotActSayWhyBesideTheirTitleAndToKeys) {
    open({sample("small-fp32-naive")});
    QMenu menu;
    actions().fillMenu(menu, 0);
    QAction* remove = menu.actions().last();
    ASSERT_FALSE(remove->isEnabled());
    const QString why = actions().whyNotRemoved(0);
    EXPECT_TRUE(remove->text().endsWith(QLatin1Char('\t') + why)) << remove->text().toStdString();
    EXPECT_EQ(remove->statusTip(), QStringLiteral("Delete…: ") + why);
    menu.popup({});
    QTest::keyClick(&menu, Qt::Key_Up);
    EXPECT_EQ(menu.activeAction(), remove) << "keys reach it";
    menu.close();
}

TEST_F(RunTabsTest, TheMenusSayInTheStatusBarWhyAnEntryCannotBeChosen) {
    m_window->resize(1280, 720);
    int explained = 0;
    for (QMenu* menu : m_window->menuBar()->findChildren<QMenu*>()) {
        emit menu->aboutToShow();
        for (const QAction* action : menu->actions()) {
            if (action->isSeparator() || action->menu() || action->isEnabled() ||
                action->property("note").toBool())
                continue;
            EXPECT_TRUE(action->statusTip().contains(": ")) << action->text().toStdString();
            ++explained;
        }
    }
    EXPECT_GT(explained, 20);
}

TEST_F(RunTabsTest, EachRunKeepsWhereItsSummaryIsScrolledTo) {
    m_window->resize(1000, 560);
    open({sample("small-bf16-naive")});
    auto* page = m_window->findChild<ui::SummaryPage*>();
    QScrollBar* bar = page->verticalScrollBar();
    ASSERT_TRUE(waitFor([&] { return bar->maximum() > 60; }));
    bar->setValue(57);
    open({sample("small-fp32-naive")});
    ASSERT_TRUE(waitFor([&] { return page->overview().has_value() && bar->maximum() > 60; }));
    EXPECT_EQ(bar->value(), 0) << "a run is first seen from its beginning";
    m_controller.showRun(0);
    ASSERT_TRUE(waitFor([&] { return bar->value() == 57; }));
}

TEST_F(RunTabsTest, OnlyTheUsersOwnRunsAreDeletedAndOnlyAfterAQuestion) {
    const QString own = recordedFile("own.wgrun");
    QTemporaryDir elsewhere;
    const QString other = elsewhere.filePath("other.wgrun");
    ASSERT_TRUE(QFile::copy(own, other));
    const QString bundled = sample("small-fp32-naive");
    ASSERT_TRUE(QFile::exists(bundled));
    open({bundled});
    EXPECT_NE(actions().whyNotRemoved(0), QString());
    actions().remove(0);
    EXPECT_TRUE(QFile::exists(bundled));
    m_controller.closeRun(0);
    open({other});
    EXPECT_NE(actions().whyNotRemoved(0), QString()) << "it is not in the folder of runs";
    m_controller.closeRun(0);
    show("");
    EXPECT_NE(actions().whyNotRemoved(0), QString()) << "it is in no file";
    m_controller.closeRun(0);

    open({own});
    ASSERT_EQ(actions().whyNotRemoved(0), QString());
    answerNext("Cancel");
    actions().remove(0);
    EXPECT_TRUE(QFile::exists(own));
    ASSERT_EQ(m_controller.runs().size(), 1u);
    // Where there is no trash it is asked once more.
    QTimer again;
    QObject::connect(&again, &QTimer::timeout, m_window.get(), [] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
            press(box, "Delete");
    });
    again.start(10);
    actions().remove(0);
    again.stop();
    EXPECT_FALSE(QFile::exists(own));
    EXPECT_TRUE(m_controller.runs().empty());
}

TEST_F(RunTabsTest, ARecordingIsNotDeleted) {
    test::FakeRunner runner(slow());
    start(runner, longRun());
    EXPECT_NE(actions().whyNotRemoved(0), QString());
    stopRecording();
    EXPECT_EQ(actions().whyNotRemoved(0), QString());
}

TEST_F(RunTabsTest, MessagesThatComeAndGoMoveNothingUnderThePointer) {
    show("/runs/a.wgrun");
    QWidget& views = workspace();
    QCoreApplication::processEvents();
    const auto place = [&] { return QRect(views.mapTo(m_window.get(), QPoint()), views.size()); };
    const QRect before = place();
    const int bar = m_window->statusBar()->height();
    enter(*views.parentWidget());
    emit m_controller.failed("It could not be saved.");
    emit m_controller.opening().notOpened({"The file x.wgrun is not a run."});
    QCoreApplication::processEvents();
    auto* problems = m_window->findChild<Banner*>("openProblems");
    EXPECT_TRUE(problems->isVisible()) << "one file, too, is spoken of over the views";
    EXPECT_EQ(place(), before);
    // When the pointer has left, nothing lies under the message.
    test::leave(*views.parentWidget());
    ASSERT_TRUE(waitFor([&] { return place() != before; }));
    EXPECT_GE(place().top(), problems->mapTo(m_window.get(), QPoint(0, problems->height())).y());
    const QRect under = place();
    enter(*views.parentWidget());
    problems->setSentences({});
    QCoreApplication::processEvents();
    EXPECT_EQ(place(), under);
    m_controller.showRun(0);  // it is shown anew
    EXPECT_EQ(m_window->statusBar()->height(), bar);
}

TEST_F(RunTabsTest, TheFirstWindowFitsItsScreenWithItsFrame) {
    MainWindow window(m_controller, MainWindow::Remember::kNothing);
    const QSize room = window.screen()->availableSize();
    EXPECT_LT(window.height(), room.height());
    EXPECT_LE(window.width(), room.width());
    EXPECT_LE(window.minimumSizeHint().height(), 720 - 48) << "of a laptop";
    EXPECT_LE(window.minimumSizeHint().width(), 1280 - 16);
}

}  // namespace warpglass::app::run_tabs_test
