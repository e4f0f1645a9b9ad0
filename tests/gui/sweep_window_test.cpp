// A sweep in the window: opened, looked at, its cells opened and compared; one that runs, pauses and stops.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "app/window/banner.h"
#include "app/window/commands.h"
#include "app/window/compare_with.h"
#include "app/window/open_sweeps.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_file.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/fake_runner.h"
#include "tests/support/made_sweep.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/valid.h"
#include "ui/charts/data_chart.h"
#include "ui/figures/figure.h"
#include "ui/sweep/sweep_grid.h"
#include "ui/sweep/sweep_page.h"
#include "ui/theme/data_table.h"
#include "ui/theme/segmented_control.h"

namespace warpglass::app {
namespace {

/// A sweep that goes on when the test says so.
class HandRun : public SweepRun {
public:
    explicit HandRun(Sweep sweep) : m_sweep(std::make_shared<const Sweep>(std::move(sweep))) {}
    void pause() override { m_paused = true; }
    void resume() override { m_paused = false; }
    bool paused() const override { return m_paused; }
    void stop() override { m_finished = true; }
    bool finished() const override { return m_finished; }
    void wait() override {}
    std::uint64_t epoch() const override { return m_epoch; }
    std::shared_ptr<const Sweep> sweep() const override { return m_sweep; }
    std::optional<Nanoseconds> timeLeft() const override { return Nanoseconds(90'000'000'000); }
    std::string error() const override { return m_error; }
    void breakOff(std::string why) {
        m_error = std::move(why);
        m_finished = true;
    }

    void show(Sweep sweep) {
        m_sweep = std::make_shared<const Sweep>(std::move(sweep));
        ++m_epoch;
    }

private:
    std::shared_ptr<const Sweep> m_sweep;
    std::uint64_t m_epoch = 1;
    std::string m_error;
    bool m_paused = false, m_finished = false;
};

class SweepWindow : public WindowTest {
protected:
    SweepWindow() { EXPECT_TRUE(m_folder.isValid()); }

    /// With a run beside it for every cell that is said to have one.
    QString write(Sweep sweep, const char* name = "made.wgsweep") {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        const Status written = test::writeSweep(sweep, path.toStdString());
        EXPECT_TRUE(written) << (written ? "" : written.message());
        for (const SweepCell& cell : sweep.cells) {
            if (cell.runFile.empty())
                continue;
            const QString run = QStringLiteral(WARPGLASS_SAMPLE_RUNS "/small-%1-naive.wgrun")
                                    .arg(cell.index == 0 ? QStringLiteral("fp32") : QStringLiteral("bf16"));
            EXPECT_TRUE(QFile::copy(run, m_folder.filePath(QString::fromStdString(cell.runFile.string()))));
        }
        return path;
    }
    ui::SweepPage* open(const Sweep& sweep) { return openFile(write(sweep)); }
    ui::SweepPage* openFile(const QString& path) {
        m_controller.openFiles({path});
        EXPECT_TRUE(waitFor([&] { return !sweeps().isReading() && page(); }));
        QCoreApplication::processEvents();
        return page();
    }
    OpenSweeps& sweeps() { return m_window->pages().sweeps(); }
    ui::SweepPage* page() { return m_window->pages().sweepInFront(); }
    QTabBar* tabs() { return m_window->findChild<QTabBar*>(QStringLiteral("runTabs")); }
    QAction* action(const QString& title) {
        for (const Command& command : commandsOf(*m_window->menuBar(), true)) {
            if (command.title.endsWith(title))
                return command.action;
        }
        return nullptr;
    }
    /// With runs of the first two cells beside the file.
    Sweep withRuns() {
        Sweep sweep = test::madeSweep();
        sweep.plan.runFolder = ".";
        for (std::int64_t i = 0; i < 2; ++i)
            sweep.cells[static_cast<std::size_t>(i)].runFile = keptRunOf(sweep.plan, i);
        return sweep;
    }
    /// The test says how it goes on.
    HandRun& followByHand(ui::SweepPage& page) {
        auto run = std::make_unique<HandRun>(*page.sweep());
        HandRun& hand = *run;
        page.follow(std::move(run));
        return hand;
    }
    QMessageBox* question() { return m_window->findChild<QMessageBox*>(QStringLiteral("askToStop")); }
    void answer(const QString& words) {
        ASSERT_NE(question(), nullptr);
        for (QAbstractButton* choice : question()->buttons()) {
            if (QString(choice->text()).remove(QLatin1Char('&')) == words)
                return click(choice);
        }
        FAIL() << words.toStdString() << " is no answer";
    }
    /// Leaves a sample's run as the cell's.
    std::filesystem::path script() {
        const QString path = m_folder.filePath(QStringLiteral("program.sh"));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(
            "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  case \"$1\" in --output) output=\"$2\";; esac\n  shift\n"
            "done\ncp '" WARPGLASS_SAMPLE_RUNS "/small-fp32-naive.wgrun' \"$output\"\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path.toStdString();
    }
    /// Does this to the next modal dialog for which it says true; a dialog runs an event loop of its own.
    void whenAsked(std::function<bool(QWidget&)> act) {
        auto* timer = new QTimer(m_window.get());
        QObject::connect(timer, &QTimer::timeout, timer, [timer, act = std::move(act)] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (!dialog || !timer->isActive())
                return;
            timer->stop();
            if (act(*dialog))
                timer->deleteLater();
            else
                timer->start();
        });
        timer->start(20);
    }
    void pressWhenAsked(const QString& words) {
        whenAsked([this, words](QWidget& dialog) {
            auto* box = qobject_cast<QMessageBox*>(&dialog);
            if (!box)
                return false;
            m_said = box->text();
            m_offered.clear();
            QAbstractButton* pressed = nullptr;
            for (QAbstractButton* choice : box->buttons()) {
                m_offered << QString(choice->text()).remove(QLatin1Char('&'));
                if (m_offered.last() == words)
                    pressed = choice;
            }
            EXPECT_NE(pressed, nullptr) << words.toStdString();
            click(pressed ? pressed : box->escapeButton());
            return true;
        });
    }
    void nameWhenAsked(const QString& path) {
        whenAsked([path](QWidget& dialog) {
            auto* files = qobject_cast<QFileDialog*>(&dialog);
            if (!files)
                return false;
            auto* name = files->findChild<QLineEdit*>();
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
            return true;
        });
    }
    void choose(const char* name, const QString& text) {
        auto* box = page()->findChild<QComboBox*>(QString::fromLatin1(name));
        ASSERT_NE(box, nullptr) << name;
        const int index = box->findText(text);
        ASSERT_GE(index, 0) << text.toStdString();
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < index; ++i)
            QTest::keyClick(box, Qt::Key_Down);
        ASSERT_EQ(box->currentText(), text);
    }
    void clickMark(int mark, Qt::KeyboardModifiers modifiers = {}) {
        ui::DataPlot& plot = page()->chart().plot();
        QTest::mouseClick(&plot, Qt::LeftButton, modifiers, plot.markRect(mark).center().toPoint());
    }

    QTemporaryDir m_folder;
    QString m_said;  // by the last question
    QStringList m_offered;
};

TEST_F(SweepWindow, AFileOpensAsATabOfItsOwnAndCloses) {
    ui::SweepPage* shown = open(test::madeSweep());
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(m_window->windowTitle(), QStringLiteral("made — Warpglass"));
    EXPECT_EQ(tabs()->count(), 1);
    EXPECT_TRUE(tabs()->isVisible());
    EXPECT_EQ(shown->table().shownRows(), 24);
    EXPECT_EQ(shown->chart().title(),
              QStringLiteral("Step time by context length and attention variant (fp32)"));
    EXPECT_FALSE(shown->chart().sentence().isEmpty());
    // Once, however often it is opened.
    m_controller.openFiles({shown->path()});
    EXPECT_EQ(m_window->pages().sweeps().count(), 1);
    action(QStringLiteral("Close Tab"))->trigger();
    EXPECT_EQ(page(), nullptr);
    EXPECT_EQ(tabs()->count(), 0);
}

TEST_F(SweepWindow, WhatIsNoSweepIsRefusedInASentence) {
    const QString path = m_folder.filePath(QStringLiteral("broken.wgsweep"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("this is no sweep");
    file.close();
    QSignalSpy failed(&m_window->pages().sweeps(), &OpenSweeps::failed);
    m_controller.openFiles({path});
    ASSERT_TRUE(waitFor([&] { return !failed.isEmpty(); }));
    EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("broken.wgsweep")));
    EXPECT_EQ(page(), nullptr);
}

TEST_F(SweepWindow, ChoicesChangeTheChart) {
    ui::SweepPage* shown = open(test::madeSweep());
    ASSERT_NE(shown, nullptr);
    choose("sweepMeasure", QStringLiteral("Peak memory"));
    EXPECT_EQ(shown->view().measure, "peak_bytes");
    EXPECT_TRUE(shown->chart().title().startsWith(QStringLiteral("Peak memory by")));
    auto* toggles = shown->findChild<ui::SegmentedControl*>(QStringLiteral("sweepToggles"));
    click(toggles->button(2));
    EXPECT_TRUE(shown->view().predicted);
    EXPECT_GT(shown->chart().chart().series.size(), 2U);
    auto* kind = shown->findChild<ui::SegmentedControl*>(QStringLiteral("sweepKind"));
    click(kind->button(2));
    EXPECT_EQ(shown->chart().chart().kind, ChartKind::kHeatMap);
    EXPECT_FALSE(toggles->button(2)->isEnabled()) << "a heat map has no room for a prediction";
    click(kind->button(0));
    choose("sweepSeries", QStringLiteral("Precision"));
    choose("sweepBaseline", QStringLiteral("fp32"));
    EXPECT_EQ(shown->view().baseline, "fp32");
    EXPECT_TRUE(shown->chart().title().startsWith(QStringLiteral("Peak memory against fp32")));
    // The third axis is at a value of its own; its choice is another one than before.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    choose("sweepFixed", QStringLiteral("sdpa-flash"));
    EXPECT_TRUE(shown->chart().title().endsWith(QStringLiteral("(sdpa-flash)")));
    EXPECT_TRUE(shown->findChild<QComboBox*>(QStringLiteral("sweepFixed"))->hasFocus()) << "it stays";
    // Axes change places, and none is shown twice.
    choose("sweepX", QStringLiteral("Precision"));
    EXPECT_EQ(shown->view().x, "precision");
    EXPECT_EQ(shown->view().series, "context");
}

TEST_F(SweepWindow, PointsAndRowsAreOneSelectionAndOpenAndCompareRuns) {
    ui::SweepPage* shown = open(withRuns());
    ASSERT_NE(shown, nullptr);
    SweepView view = shown->view();
    view.x = "context";
    view.series = "precision";
    shown->setView(view);
    auto* openRun = button("sweepOpen");
    auto* compare = button("sweepCompare");
    EXPECT_FALSE(openRun->isEnabled());
    // Cells 0 and 1 are the two precisions of the first context.
    const auto markOf = [&](std::int64_t cell) { return shown->chart().plot().markOfSource(cell); };
    clickMark(markOf(0));
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0}));
    EXPECT_EQ(shown->table().selectedRows().size(), 1);
    EXPECT_TRUE(openRun->isEnabled());
    EXPECT_FALSE(compare->isEnabled());
    clickMark(markOf(4));
    EXPECT_FALSE(openRun->isEnabled()) << "its run was not kept";
    clickMark(markOf(0));
    clickMark(markOf(1), Qt::ControlModifier);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0, 1}));
    EXPECT_TRUE(compare->isEnabled());
    click(compare);
    ASSERT_TRUE(waitFor([&] { return m_window->pages().compares(); }));
    EXPECT_EQ(m_controller.runs().size(), 2U);
    EXPECT_EQ(tabs()->count(), 3);
    // Its tab leads back, and Enter on a point opens its run.
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(2).center());
    ASSERT_EQ(page(), shown);
    EXPECT_EQ(tabs()->currentIndex(), 2);
    clickMark(markOf(1));
    QTest::keyClick(&shown->chart().plot(), Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return m_window->pages().showsRun(); }));
    EXPECT_EQ(m_controller.shownRun()->path, shown->runOf(1));
    // Over all tabs, round the end.
    for (int i = 0; i < 3; ++i)
        m_window->pages().stepRun(1);
    EXPECT_TRUE(m_window->pages().showsRun());
}

TEST_F(SweepWindow, TwoPointsAreComparedWithoutAMouse) {
    ui::SweepPage* shown = open(withRuns());
    SweepView view = shown->view();
    view.x = "precision";
    view.series = "attention";
    view.kind = ChartKind::kBars;
    shown->setView(view);
    ui::DataPlot& plot = shown->chart().plot();
    plot.setFocus();
    auto* compare = button("sweepCompare");
    // Cells 0 and 1 are the two precisions of the first context.
    QTest::keyClick(&plot, Qt::Key_Home);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0}));
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0, 1}));
    EXPECT_TRUE(compare->isEnabled());
    QTest::keyClick(&plot, Qt::Key_Space);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0})) << "and taken away again";
    QTest::keyClick(&plot, Qt::Key_Left);
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0})) << "only the keyboard has moved";
    EXPECT_EQ(plot.pointOf(plot.chosen()).source, 1);
    QTest::keyClick(&plot, Qt::Key_Space);
    EXPECT_EQ(shown->selected(), (std::vector<std::int64_t>{0, 1}));
    compare->setFocus();
    QTest::keyClick(compare, Qt::Key_Space);
    EXPECT_TRUE(waitFor([&] { return m_window->pages().compares(); }));
}

TEST_F(SweepWindow, AFigureShowsNothingOfWhatIsChosenOrHasTheKeyboard) {
    ui::SweepPage* shown = open(test::madeSweep());
    const auto figure = [&](const char* name) {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        const Status saved = ui::saveFigure({&shown->chart(), nullptr, QString()},
                                            ui::FigureSize::onPaper(160, 90, 8), 1, path);
        EXPECT_TRUE(saved) << (saved ? "" : saved.message());
        return QImage(path);
    };
    button("sweepStop")->setFocus();
    m_window->menuBar()->setFocus();
    const QImage before = figure("before.png");
    shown->chart().plot().setFocus();
    EXPECT_EQ(figure("focus.png"), before);
    QTest::keyClick(&shown->chart().plot(), Qt::Key_Home);
    ASSERT_FALSE(shown->selected().empty());
    EXPECT_EQ(figure("chosen.png"), before);
}

TEST_F(SweepWindow, TheGridFillsWhileItRunsAndCanBePausedAndStopped) {
    test::MadeSweep how;
    how.waiting = 24;
    ui::SweepPage* shown = open(test::madeSweep(how));
    ASSERT_NE(shown, nullptr);
    QSignalSpy goOn(shown, &ui::SweepPage::goOnRequested);
    QSignalSpy ended(shown, &ui::SweepPage::ended);
    auto* resume = button("sweepResume");
    EXPECT_TRUE(resume->isVisible()) << "of one that was cut off";
    click(resume);
    ASSERT_EQ(goOn.size(), 1);

    auto run = std::make_unique<HandRun>(test::madeSweep(how));
    HandRun& hand = *run;
    shown->follow(std::move(run));
    EXPECT_FALSE(resume->isVisible());
    EXPECT_EQ(shown->chart().sentence(), QStringLiteral("No cell has a figure yet."));
    how.waiting = 10;
    Sweep half = test::madeSweep(how);
    half.cells[14].state = CellState::kRunning;
    hand.show(half);
    auto* status = shown->findChild<QLabel*>(QStringLiteral("sweepStatus"));
    ASSERT_TRUE(waitFor([&] { return status->text().startsWith(QStringLiteral("14 of 24 cells done")); }));
    EXPECT_TRUE(status->text().contains(QStringLiteral("about 1"))) << status->text().toStdString();
    EXPECT_TRUE(status->text().contains(QStringLiteral("1 out of memory")));
    auto* grid = shown->findChild<ui::SweepGrid*>();
    EXPECT_TRUE(grid->isVisible());
    EXPECT_TRUE(grid->toolTipOf(14).contains(QStringLiteral("running")));
    EXPECT_EQ(shown->chart().plot().markCount(), 7) << "in fp32 naive is done, and one context of the other";
    click(button("sweepPause"));
    EXPECT_TRUE(hand.paused());
    EXPECT_TRUE(status->text().contains(QStringLiteral("paused")));
    EXPECT_EQ(button("sweepPause")->text(), QStringLiteral("Continue"));
    action(QStringLiteral("Pause or Continue Sweep"))->trigger();
    EXPECT_FALSE(hand.paused());
    click(button("sweepStop"));
    ASSERT_EQ(ended.size(), 1);
    EXPECT_TRUE(resume->isVisible());
    EXPECT_FALSE(action(QStringLiteral("Stop Sweep"))->isEnabled());
    EXPECT_TRUE(action(QStringLiteral("Resume Sweep"))->isEnabled());
}

TEST_F(SweepWindow, ClosingItsTabAsksWhileItRuns) {
    HandRun& hand = followByHand(*open(test::madeSweep()));
    action(QStringLiteral("Close Tab"))->trigger();
    ASSERT_NE(question(), nullptr);
    EXPECT_EQ(question()->text(), QStringLiteral("The sweep made is still going on. Stop it and close it?"));
    EXPECT_TRUE(question()->informativeText().contains(QStringLiteral("it can be resumed")));
    answer(QStringLiteral("Keep Running"));
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    ASSERT_NE(page(), nullptr);
    EXPECT_FALSE(hand.finished());
    action(QStringLiteral("Close Tab"))->trigger();
    answer(QStringLiteral("Stop and Close"));
    ASSERT_TRUE(waitFor([&] { return m_window->pages().sweeps().count() == 0; }));
    EXPECT_EQ(page(), nullptr);
}

TEST_F(SweepWindow, ClosingTheWindowAsksOnceAboutAllThatRuns) {
    HandRun& hand = followByHand(*open(test::madeSweep()));
    test::FakeRunnerOptions slow;
    slow.pausePerOp = std::chrono::microseconds(500);
    test::FakeRunner runner(slow);
    RunConfig endless = test::syntheticConfig();
    endless.steps = 100'000;
    m_controller.startRunWith(runner, test::valid(endless));
    EXPECT_FALSE(m_window->close());
    ASSERT_NE(question(), nullptr);
    EXPECT_TRUE(question()->text().startsWith(QStringLiteral("The recording ")))
        << question()->text().toStdString();
    EXPECT_TRUE(question()->text().endsWith(
        QStringLiteral(" and the sweep made are still going on. Stop them and quit?")))
        << question()->text().toStdString();
    answer(QStringLiteral("Keep Running"));
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    EXPECT_FALSE(hand.finished());
    EXPECT_TRUE(m_controller.isRunning());
    EXPECT_FALSE(m_window->close());
    answer(QStringLiteral("Stop and Quit"));
    ASSERT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
    EXPECT_FALSE(m_controller.isRunning());
    EXPECT_TRUE(m_window->pages().sweeps().running().isEmpty());
}

TEST_F(SweepWindow, WhyItBrokeOffAndWhatIsDamagedStayWithIt) {
    auto* banner = m_window->findChild<Banner*>(QStringLiteral("banner"));
    m_controller.showSnapshot(QStringLiteral("/runs/a.wgrun"),
                              {test::makeSyntheticRun(), {"The run is damaged."}});
    EXPECT_EQ(banner->sentences(), QStringList(QStringLiteral("The run is damaged.")));
    test::MadeSweep how;
    how.waiting = 4;
    ui::SweepPage* shown = open(test::madeSweep(how));
    EXPECT_FALSE(banner->isVisible()) << "of a run that is not in front";
    HandRun& hand = followByHand(*shown);
    Sweep damaged = test::madeSweep(how);
    damaged.warnings = {"The result of a cell is damaged: it waits again."};
    hand.show(damaged);
    ASSERT_TRUE(waitFor([&] { return banner->isVisible(); }));
    EXPECT_EQ(banner->sentences(),
              QStringList(QStringLiteral("The result of a cell is damaged: it waits again.")));
    hand.breakOff("The program warpglass-cli is not there.");
    ASSERT_TRUE(waitFor([&] { return banner->sentences().size() == 2; }));
    EXPECT_EQ(banner->sentences().front(), QStringLiteral("The program warpglass-cli is not there."));
    // It comes back with the sweep, and goes once it goes on.
    m_window->pages().stepRun(1);
    EXPECT_EQ(banner->sentences(), QStringList(QStringLiteral("The run is damaged.")));
    m_window->pages().stepRun(1);
    EXPECT_EQ(banner->sentences().size(), 2);
    followByHand(*shown);
    EXPECT_EQ(banner->sentences().size(), 1);
}

TEST_F(SweepWindow, ARunThatBeginsEndsOrClosesBehindItStaysThere) {
    m_controller.showSnapshot(QStringLiteral("/runs/a.wgrun"), {test::makeSyntheticRun(), {}});
    ui::SweepPage* shown = open(test::madeSweep());
    test::FakeRunnerOptions options;
    options.pausePerOp = std::chrono::microseconds(300);
    test::FakeRunner runner(options);
    RunConfig config = test::syntheticConfig();
    config.steps = 4;
    m_controller.startRunWith(runner, test::valid(config));
    EXPECT_TRUE(m_window->pages().showsRun()) << "it was asked for";
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(2).center());
    ASSERT_EQ(page(), shown);
    ASSERT_TRUE(waitFor([&] {
        EXPECT_EQ(page(), shown);
        return !m_controller.isRunning();
    }));
    EXPECT_EQ(page(), shown);
    ASSERT_EQ(m_controller.runs().size(), 2U);
    QTest::mouseClick(tabs(), Qt::MiddleButton, {}, tabs()->tabRect(1).center());
    ASSERT_TRUE(waitFor([&] { return m_controller.runs().size() == 1; }));
    EXPECT_EQ(page(), shown);
    EXPECT_EQ(tabs()->currentIndex(), 1);
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(0).center());
    EXPECT_TRUE(m_window->pages().showsRun());
    EXPECT_EQ(m_window->windowTitle(), m_controller.shownRun()->title + QStringLiteral(" — Warpglass"));
}

TEST_F(SweepWindow, MenusOfferNothingOnARunThatIsBehindIt) {
    const QStringList ofRun{QStringLiteral("Save As…"), QStringLiteral("Zoom In"),
                            QStringLiteral("Find…"),    QStringLiteral("Compare With the Next Run"),
                            QStringLiteral("Reset"),    QStringLiteral("This View Alone")};
    m_controller.showSnapshot(QStringLiteral("/runs/a.wgrun"), {test::makeSyntheticRun(), {}});
    m_controller.showSnapshot(QStringLiteral("/runs/b.wgrun"), {test::makeSyntheticRun(), {}});
    for (const QString& title : ofRun)
        EXPECT_TRUE(action(title)->isEnabled()) << title.toStdString();
    ASSERT_NE(open(test::madeSweep()), nullptr);
    for (const QString& title : ofRun)
        EXPECT_FALSE(action(title)->isEnabled()) << title.toStdString();
    for (const QString& title : {QStringLiteral("Previous Run"), QStringLiteral("Close Tab"),
                                 QStringLiteral("Summary"), QStringLiteral("Export Figure…")})
        EXPECT_TRUE(action(title)->isEnabled()) << title.toStdString();
    QMenu menu;
    m_window->findChild<CompareWith*>()->fillMenu(menu);
    ASSERT_EQ(menu.actions().size(), 1);
    EXPECT_EQ(menu.actions().front()->text(), QStringLiteral("Bring a run to the front first"));
    // Without any run the tabs can be stepped through as well.
    m_controller.closeRun(1);
    m_controller.closeRun(0);
    EXPECT_NE(page(), nullptr);
    EXPECT_TRUE(action(QStringLiteral("Previous Run"))->isEnabled());
}

TEST_F(SweepWindow, OneThatAnotherProcessRunsIsFollowedInItsFile) {
    const QString path = m_folder.filePath(QStringLiteral("elsewhere.wgsweep"));
    const Sweep made = test::madeSweep();
    auto file = SweepFile::create(path.toStdString(), made.plan);
    ASSERT_TRUE(file) << file.message();
    ASSERT_TRUE((*file)->finishCell(made.cells[0]));
    ASSERT_TRUE((*file)->beginCell(1, "2026-01-31T15:45:00Z"));
    ui::SweepPage* shown = openFile(path);
    ASSERT_NE(shown, nullptr);
    auto* status = shown->findChild<QLabel*>(QStringLiteral("sweepStatus"));
    EXPECT_EQ(status->text(), QStringLiteral("1 of 24 cells done · it is running elsewhere"));
    EXPECT_EQ(shown->sweep()->cells[1].state, CellState::kRunning);
    EXPECT_FALSE(button("sweepResume")->isVisible());
    EXPECT_FALSE(button("sweepStop")->isVisible());
    EXPECT_FALSE(action(QStringLiteral("Resume Sweep"))->isEnabled());
    ASSERT_TRUE((*file)->finishCell(made.cells[1]));
    ASSERT_TRUE(waitFor([&] { return status->text().startsWith(QStringLiteral("2 of 24 cells done")); }));
    // It was stopped there: it can be gone on with here.
    QSignalSpy ended(shown, &ui::SweepPage::ended);
    file->reset();
    ASSERT_TRUE(waitFor([&] { return !ended.isEmpty(); }));
    EXPECT_TRUE(button("sweepResume")->isVisible());
    EXPECT_TRUE(action(QStringLiteral("Resume Sweep"))->isEnabled());
    EXPECT_EQ(status->text(), QStringLiteral("2 of 24 cells done · the others have not been run"));
    // Another process may have taken it up in the meantime.
    auto again = SweepFile::resume(path.toStdString());
    ASSERT_TRUE(again) << again.message();
    click(button("sweepResume"));
    ASSERT_TRUE(waitFor([&] { return shown->isRunningElsewhere(); }));
    EXPECT_FALSE(shown->isRunning());
    EXPECT_FALSE(button("sweepResume")->isVisible());
    // A file that is away for a while is looked for until it is back.
    ASSERT_TRUE(QFile::rename(path, path + QStringLiteral(".away")));
    ASSERT_TRUE(
        waitFor([&] { return status->text().endsWith(QStringLiteral("cannot be read at the moment")); }));
    EXPECT_FALSE(shown->problems().isEmpty());
    ASSERT_TRUE(QFile::rename(path + QStringLiteral(".away"), path));
    ASSERT_TRUE(waitFor([&] { return status->text().endsWith(QStringLiteral("it is running elsewhere")); }));
    EXPECT_TRUE(shown->problems().isEmpty());
}

TEST_F(SweepWindow, AFollowedOneThatIsReplacedByASmallerOneLosesItsSelection) {
    ui::SweepPage* shown = open(test::madeSweep());
    shown->table().selectRow(static_cast<int>(shown->sweep()->cells.size()) - 1);
    ASSERT_EQ(shown->selected().size(), 1U);
    Sweep smaller = test::madeSweep();
    smaller.plan.axes.front().values.resize(1);
    smaller.cells = cellsOf(smaller.plan);
    shown->setSweep(std::make_shared<const Sweep>(smaller));
    EXPECT_TRUE(shown->selected().empty());
    EXPECT_FALSE(button("sweepOpen")->isEnabled());
}

TEST_F(SweepWindow, ANewOneInAFileThatIsThereGoesOnWithItOrTakesAnotherName) {
    sweeps().setRunOptions({script()});
    SweepPlan plan;
    plan.base = tinyRun(2);
    plan.axes = {{"context", {"16", "32"}}, {"precision", {"fp32", "bf16"}}};
    const QString path = m_folder.filePath(QStringLiteral("there.wgsweep"));
    {
        auto file = SweepFile::create(path.toStdString(), plan);
        ASSERT_TRUE(file) << file.message();
        SweepCell done = (*file)->sweep().cells[0];
        done.state = CellState::kOk;
        ASSERT_TRUE((*file)->finishCell(done));
    }
    // Another plan: only another name is offered, and nothing is lost.
    SweepPlan other = plan;
    other.repeats = 2;
    pressWhenAsked(QStringLiteral("Cancel"));
    sweeps().start(other, path);
    ASSERT_TRUE(waitFor([&] { return !m_said.isEmpty(); }));
    EXPECT_EQ(m_said,
              QStringLiteral("there.wgsweep holds a sweep with another plan: 1 of its 4 cells are done."));
    EXPECT_FALSE(m_offered.contains(QStringLiteral("Go On With It")));
    EXPECT_EQ(sweeps().count(), 0);
    const auto kept = openSweep(path.toStdString());
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->count(CellState::kOk), 1U);
    // The same plan.
    pressWhenAsked(QStringLiteral("Go On With It"));
    sweeps().start(plan, path);
    ASSERT_TRUE(waitFor([&] { return sweeps().count() == 1; }));
    EXPECT_EQ(m_said, QStringLiteral("there.wgsweep holds this very sweep: 1 of its 4 cells are done."));
    ASSERT_TRUE(waitFor([&] { return page() && page()->sweep()->count(CellState::kWaiting) == 0; }));
    // What is no sweep, under another name.
    QFile text(m_folder.filePath(QStringLiteral("text.wgsweep")));
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write("kept");
    text.close();
    pressWhenAsked(QStringLiteral("Another Name…"));
    nameWhenAsked(m_folder.filePath(QStringLiteral("new")));
    sweeps().start(plan, text.fileName());
    ASSERT_TRUE(waitFor([&] { return sweeps().count() == 2; }));
    EXPECT_TRUE(m_said.contains(QStringLiteral("there is a file of this name"))) << m_said.toStdString();
    EXPECT_EQ(QFileInfo(page()->path()).fileName(), QStringLiteral("new.wgsweep"));
    ASSERT_TRUE(text.open(QIODevice::ReadOnly));
    EXPECT_EQ(text.readAll(), QByteArray("kept"));
}

TEST_F(SweepWindow, WhatWasSkippedCanBeTakenUpAgainWhenAllElseIsDone) {
    Sweep sweep = test::madeSweep();
    ASSERT_NE(open(sweep), nullptr);
    EXPECT_FALSE(action(QStringLiteral("Resume Sweep"))->isEnabled());
    sweep.cells[3] = sweep.cells[3].waitingAgain();
    sweep.cells[3].state = CellState::kSkipped;
    sweep.cells[3].message = "This machine has no device \"cuda:0\".";
    m_controller.openFiles({write(sweep, "skipped.wgsweep")});
    ASSERT_TRUE(waitFor([&] { return sweeps().count() == 2; }));
    ui::SweepPage* shown = page();
    ASSERT_EQ(shown->sweep()->count(CellState::kSkipped), 1u);
    QSignalSpy goOn(shown, &ui::SweepPage::goOnRequested);
    EXPECT_FALSE(button("sweepResume")->isVisible()) << "it is done for most";
    ASSERT_TRUE(action(QStringLiteral("Resume Sweep"))->isEnabled());
    shown->goOn();
    EXPECT_EQ(goOn.size(), 1);
}

TEST_F(SweepWindow, AListThatIsOpenStaysAsItIsWhileCellsFinish) {
    test::MadeSweep how;
    how.waiting = 24;
    ui::SweepPage* shown = open(test::madeSweep(how));
    HandRun& hand = followByHand(*shown);
    auto* measures = shown->findChild<QComboBox*>(QStringLiteral("sweepMeasure"));
    ASSERT_EQ(measures->count(), 1);
    measures->showPopup();
    how.waiting = 4;
    hand.show(test::madeSweep(how));
    ASSERT_TRUE(waitFor([&] { return shown->sweep()->count(CellState::kWaiting) == 4; }));
    EXPECT_EQ(measures->count(), 1);
    EXPECT_TRUE(measures->view()->isVisible());
    measures->hidePopup();
    how.waiting = 2;
    hand.show(test::madeSweep(how));
    ASSERT_TRUE(waitFor([&] { return measures->count() > 1; }));
}

}  // namespace
}  // namespace warpglass::app
