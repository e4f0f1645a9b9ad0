// A new experiment in the window: asked for, started, stopped, gone on with, and closed while it runs. A
// shell script stands in for warpglass-cli.
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/window/open_experiments.h"
#include "engine/experiments/experiment.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/files.h"
#include "tests/support/has_text.h"
#include "tests/support/must.h"
#include "ui/charts/data_chart.h"
#include "ui/experiments/contents_list.h"
#include "ui/experiments/experiment_page.h"
#include "ui/experiments/experiment_status.h"
#include "ui/experiments/new_experiment_dialog.h"
#include "ui/sweep/setting_ticks.h"

namespace warpglass::app::new_experiment_test {

namespace fs = std::filesystem;

struct NewExperiment : WindowTest {
    NewExperiment() {
        EXPECT_TRUE(m_folder.isValid());
        experiments().setRunOptions({script()});
    }
    ~NewExperiment() override { openGate(); }

    fs::path root() const { return m_folder.path().toStdString(); }
    QString experimentFolder() const { return m_folder.filePath("x"); }
    OpenExperiments& experiments() { return m_window->pages().experiments(); }
    ui::ExperimentPage* page() { return m_window->pages().experimentInFront(); }

    /// Leaves a sample's run as the cell's, from the third start on not before the gate is open.
    fs::path script() {
        const fs::path path = root() / "program.sh";
        const std::string folder = root().string();
        std::ofstream(path) << "#!/bin/sh\necho x >> '" << folder << "/starts'\n"
                            << R"(while [ $# -gt 0 ]; do
  case "$1" in --output) output="$2";; esac
  shift
done
n=$(wc -l < ')" << folder << "/starts')\n"
                            << "while [ \"$n\" -gt 2 ] && [ ! -e '" << folder
                            << "/gate' ]; do sleep 0.02; done\ncp '" << WARPGLASS_SAMPLE_RUNS
                            << "/small-fp32-naive.wgrun' \"$output\"\n";
        fs::permissions(path, fs::perms::owner_all);
        return path;
    }
    void openGate() { std::ofstream(root() / "gate") << "open"; }
    std::int64_t starts() const { return std::ranges::count(test::contentOf(root() / "starts"), '\n'); }
    static ExperimentRequest asked(const char* name) { return {.experiment = *findExperiment(name)}; }
    /// Two of seven cells are done, and the third waits for the gate.
    ui::ExperimentPage* startToTheGate() {
        experiments().start(asked("benchmark"), experimentFolder());
        EXPECT_NE(page(), nullptr);
        EXPECT_TRUE(waitFor([&] { return words().startsWith("2 of 7 cells done"); }))
            << words().toStdString();
        return page();
    }
    QString words() { return page() ? page()->status().words() : QString(); }

    QTemporaryDir m_folder;
};

TEST_F(NewExperiment, RunsItsCellsAndShowsTheAnswer) {
    openGate();
    experiments().start(asked("benchmark"), experimentFolder());
    ui::ExperimentPage* shown = test::must(page());
    EXPECT_TRUE(shown->isRunning());
    EXPECT_TRUE(shown->answerText().contains("It has no answer yet."));
    EXPECT_EQ(m_window->windowTitle(), "End-to-end benchmark — Warpglass");
    ASSERT_TRUE(waitFor([&] { return shown->experiment()->hasAnswer(); })) << words().toStdString();
    EXPECT_FALSE(shown->isRunning());
    EXPECT_FALSE(shown->status().isVisible());
    EXPECT_EQ(starts(), 7);
    EXPECT_THAT(shown->answerText(), test::HasText("A step of tiny takes"));
    EXPECT_EQ(shown->chart().title(), "Time of each phase by model");
    EXPECT_EQ(page(), shown);
    for (const char* file : {"result.json", "answer.md", "request.json", "tables/times.csv", "modes.wgsweep"})
        EXPECT_TRUE(fs::exists(root() / "x" / file)) << file;
}

TEST_F(NewExperiment, IsStoppedAndGoneOnWith) {
    ui::ExperimentPage* shown = startToTheGate();
    auto* stop = button("experimentStop");
    auto* resume = button("experimentResume");
    EXPECT_TRUE(stop->isVisible());
    EXPECT_FALSE(resume->isVisible());
    // Between two cells none is named.
    EXPECT_TRUE(waitFor([&] { return words().contains("(modes)"); })) << words().toStdString();
    EXPECT_TRUE(shown->chart().isVisible()) << "of the sweep that runs";
    EXPECT_TRUE(action("Stop Experiment")->isEnabled());
    EXPECT_FALSE(action("Resume Experiment")->isEnabled());
    click(stop);
    ASSERT_TRUE(waitFor([&] { return !shown->isRunning() && !experiments().isReading(); }));
    EXPECT_THAT(words(), test::HasText("2 of 7 cells are done"));
    EXPECT_TRUE(resume->isVisible());
    EXPECT_FALSE(action("Stop Experiment")->isEnabled());
    EXPECT_FALSE(fs::exists(root() / "x/result.json"));
    const std::int64_t before = starts();
    openGate();
    action("Resume Experiment")->trigger();
    ASSERT_TRUE(waitFor([&] { return shown->experiment()->hasAnswer(); })) << words().toStdString();
    EXPECT_EQ(starts(), before + 5) << "what was done is not run again";
    EXPECT_FALSE(action("Resume Experiment")->isEnabled());
}

TEST_F(NewExperiment, AFolderThatAStopHasLeftIsOpenedAndGoneOnWith) {
    ui::ExperimentPage* shown = startToTheGate();
    click(button("experimentStop"));
    ASSERT_TRUE(waitFor([&] { return !shown->isRunning() && !experiments().isReading(); }));
    experiments().close(0);
    EXPECT_EQ(page(), nullptr);
    m_controller.openFiles({experimentFolder()});
    ASSERT_TRUE(waitFor([&] { return page() != nullptr; }));
    EXPECT_EQ(words(), "Not finished: 2 of 7 cells are done.");
    EXPECT_EQ(page()->contents().entryCount(), 1) << "the sweep that there is";
    openGate();
    click(button("experimentResume"));
    ASSERT_TRUE(waitFor([&] { return page()->experiment()->hasAnswer(); })) << words().toStdString();
}

TEST_F(NewExperiment, AnErrorIsOneSentenceAndCanBeGoneOnFrom) {
    experiments().setRunOptions({root() / "none.sh"});
    experiments().start(asked("benchmark"), experimentFolder());
    ui::ExperimentPage* shown = test::must(page());
    QSignalSpy ended(shown, &ui::ExperimentPage::ended);
    ASSERT_TRUE(waitFor([&] { return !ended.isEmpty() && !experiments().isReading(); }));
    EXPECT_THAT(ended[0][0].toString(), test::HasText("is not there"));
    EXPECT_TRUE(button("experimentResume")->isVisible());
}

TEST_F(NewExperiment, ClosingItsTabAsksWhileItRuns) {
    startToTheGate();
    action("Close Tab")->trigger();
    answer("Keep Running");
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    ASSERT_NE(page(), nullptr);
    EXPECT_TRUE(page()->isRunning());
    action("Close Tab")->trigger();
    answer("Stop and Close");
    ASSERT_TRUE(waitFor([&] { return experiments().count() == 0; }));
    EXPECT_EQ(page(), nullptr);
}

TEST_F(NewExperiment, ClosingTheWindowAsksWhileItRunsAndThenCloses) {
    startToTheGate();
    EXPECT_FALSE(m_window->close());
    answer("Keep Running");
    ASSERT_TRUE(waitFor([&] { return !question(); }));
    EXPECT_TRUE(page()->isRunning());
    EXPECT_FALSE(m_window->close());
    answer("Stop and Quit");
    ASSERT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
    EXPECT_TRUE(experiments().running().isEmpty());
}

TEST_F(NewExperiment, OneThatEndsBehindAnotherTabStaysThere) {
    startToTheGate();
    m_controller.openFiles({QStringLiteral(WARPGLASS_SAMPLE_RUNS "/small-bf16-naive.wgrun")});
    ASSERT_TRUE(waitFor([&] { return m_window->pages().showsRun(); }));
    openGate();
    ASSERT_TRUE(waitFor([&] {
        return experiments().running().isEmpty() && !experiments().isReading() &&
               experiments().page(0).experiment()->hasAnswer();
    }));
    EXPECT_TRUE(m_window->pages().showsRun());
}

TEST_F(NewExperiment, WhatIsAskedForAndWhatItComesTo) {
    const DeviceInfo cpu{"cpu", "Made CPU", Bytes(64ll << 30), Bytes(64ll << 30), 4};
    ui::NewExperimentDialog dialog({cpu}, m_folder.path(), m_window.get());
    dialog.show();
    auto* list = dialog.findChild<QListWidget*>();
    auto* start = dialog.findChild<QPushButton*>("experimentStart");
    ASSERT_EQ(list->count(), static_cast<int>(warpglass::experiments().size()));
    EXPECT_THAT(dialog.forecastText(), test::BeginsWith("7 runs, each in a process of its own"));
    EXPECT_TRUE(dialog.forecastText().contains("On the CPU it runs at sizes"));
    EXPECT_TRUE(start->isEnabled());
    auto untouched = test::must(dialog.request());
    EXPECT_TRUE(untouched.options.given.empty()) << "its own choice";
    EXPECT_TRUE(dialog.folder().startsWith(m_folder.filePath("benchmark-")));

    dialog.ticksOf("model")->setValues({"tiny", "small"});
    dialog.ticksOf("context")->setValues({"32"});
    dialog.showForecast();
    auto changed = test::must(dialog.request());
    ASSERT_EQ(changed.options.given.size(), 2U);
    EXPECT_THAT(dialog.forecastText(), test::BeginsWith("10 runs"));
    EXPECT_FALSE(dialog.forecastText().contains("On the CPU it runs at sizes"));
    dialog.ticksOf("context")->setValues({"sixty"});
    dialog.showForecast();
    EXPECT_FALSE(dialog.request());
    EXPECT_FALSE(start->isEnabled());
    dialog.ticksOf("context")->setValues({});
    EXPECT_EQ(dialog.request().message(), "The context length needs a value.");

    // By the keyboard to the one that only computes, and to the one that needs a GPU.
    list->setFocus();
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(list, Qt::Key_Down);
    EXPECT_THAT(dialog.forecastText(), test::BeginsWith("It runs no model"));
    EXPECT_TRUE(start->isEnabled());
    QTest::keyClick(list, Qt::Key_End);
    EXPECT_TRUE(dialog.forecastText().startsWith("It needs a GPU"));

    // A folder that holds results of something else is refused, one without results is not.
    ASSERT_TRUE(fs::create_directories(root() / "y"));
    ASSERT_TRUE(writeRequest(asked("memory"), root() / "y"));
    auto* folder = dialog.findChild<QLineEdit*>("experimentFolder");
    folder->setText(m_folder.filePath("y"));
    dialog.showForecast();
    EXPECT_TRUE(start->isEnabled());
    EXPECT_TRUE(dialog.forecastText().contains("which this one replaces"));
    std::ofstream(root() / "y/result.json") << "{}";
    dialog.showForecast();
    EXPECT_FALSE(start->isEnabled());
    dialog.setExperiment("memory");
    folder->setText(m_folder.filePath("y"));
    dialog.showForecast();
    EXPECT_TRUE(start->isEnabled());
    EXPECT_TRUE(dialog.forecastText().contains("is not run again"));
    folder->setText(QString());
    dialog.showForecast();
    EXPECT_FALSE(start->isEnabled());
}

TEST_F(NewExperiment, EveryExperimentCanBeAskedForOnEachDevice) {
    const DeviceInfo cpu{"cpu", "Made CPU", Bytes(64ll << 30), Bytes(64ll << 30), 4};
    const DeviceInfo gpu{"cuda:0", "Made GPU", Bytes(80ll << 30), Bytes(80ll << 30), 0};
    ui::NewExperimentDialog dialog({cpu, gpu}, m_folder.path(), m_window.get());
    auto* device = dialog.findChild<QComboBox*>("experimentDevice");
    EXPECT_EQ(device->currentData().toString(), "cuda:0") << "a GPU, where there is one";
    for (const Experiment& one : warpglass::experiments()) {
        dialog.setExperiment(std::string(one.name));
        for (int i = 0; i < device->count(); ++i) {
            device->setCurrentIndex(i);
            const auto request = dialog.request();
            ASSERT_TRUE(request) << one.name << ": " << request.message();
            EXPECT_EQ(request->experiment->name, one.name);
            EXPECT_TRUE(request->options.given.empty()) << one.name;
            EXPECT_FALSE(dialog.forecastText().isEmpty()) << one.name;
        }
    }
}

}  // namespace warpglass::app::new_experiment_test
