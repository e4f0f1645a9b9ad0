// The running of sweeps with a shell script in place of warpglass-cli: it writes a sample run's file, hangs,
// crashes or fails, as the cell's settings tell it to.
#include "engine/sweep/sweep_run.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/measures.h"
#include "engine/sweep/sweep_file.h"
#include "tests/support/files.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/sample_sweep.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/sweep/scripted_sweep.h"

namespace warpglass::test::sweep_run_test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using SweepRunTest = ScriptedSweep;

TEST_F(SweepRunTest, EachCellIsWhatBecameOfItsOwnProcess) {
    SweepPlan plan = contexts(6);
    plan.timeLimit = Nanoseconds(1'500'000'000);
    const Sweep sweep = runToEnd(plan, script(R"(case $context in
16) sample small-bf16-flash;;
32) sample large-fp32-out-of-memory; exit 1;;
48) echo "warpglass-cli: A hint." >&2; echo "warpglass-cli: The host is on fire." >&2; exit 1;;
64) kill -SEGV $$;;
80) sleep 100 & wait;;
96) exit 7;;
esac)"));
    const auto& cells = sweep.cells;
    EXPECT_EQ(cells[0].state, CellState::kOk) << cells[0].message;
    EXPECT_EQ(cells[0].message, "");
    EXPECT_GT(cells[0].figures.at("step_mean_ns"), 0);
    EXPECT_EQ(cells[1].state, CellState::kOutOfMemory);
    EXPECT_THAT(cells[1].message, HasSubstr("more were asked for"));
    EXPECT_THAT(cells[1].message, HasSubstr("had been predicted."));
    EXPECT_GT(cells[1].figures.at("request_bytes"), 0);
    EXPECT_EQ(cells[2].state, CellState::kFailed);
    EXPECT_EQ(cells[2].message, "The host is on fire.");
    EXPECT_TRUE(cells[2].figures.contains("predicted_peak_bytes"));
    EXPECT_EQ(cells[3].state, CellState::kFailed);
    EXPECT_EQ(cells[3].message, "The process crashed: Segmentation fault (signal 11).");
    EXPECT_EQ(cells[4].state, CellState::kFailed);
    EXPECT_THAT(cells[4].message, HasSubstr("longer than its time limit"));
    EXPECT_GE(cells[4].took, plan.timeLimit);
    EXPECT_EQ(cells[5].message, "The process ended with status 7 without saying why.");
    for (const SweepCell& cell : cells) {
        EXPECT_GT(cell.took.value, 0);
        EXPECT_EQ(cell.started.size(), 20u) << cell.started;
        EXPECT_EQ(cell.message.find('\n'), std::string::npos);
        EXPECT_TRUE(cell.runFile.empty());
    }
    EXPECT_THAT(sweep.information,
                ::testing::Contains(std::pair<std::string, std::string>("device.name", "NVIDIA H200")));
    // Nothing is left of the cells' own files.
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path()))
        names.push_back(entry.path().filename());
    EXPECT_THAT(names, UnorderedElementsAre("a.wgsweep", "log", "program.sh"));
}

TEST_F(SweepRunTest, AProcessThatDoesNotEndWhenToldIsKilled) {
    SweepPlan plan = contexts(1);
    plan.timeLimit = Nanoseconds(200'000'000);
    const Sweep sweep = runToEnd(plan, script("trap '' TERM; while true; do sleep 0.1; done"));
    EXPECT_EQ(sweep.cells[0].state, CellState::kFailed);
    EXPECT_EQ(sweep.cells[0].message.find("It took longer than its time limit"), 0u);
    EXPECT_GE(sweep.cells[0].took.value, 5'000'000'000) << "it had time to complete its file";
}

TEST_F(SweepRunTest, EveryCellIsToldEverySettingInTheOrderOfThePlan) {
    SweepPlan plan = contexts(3, 2);
    plan.order = CellOrder::kShuffled;
    plan.base.batch = 3;
    plan.base.seed = 77;
    runToEnd(plan, script("sample small-bf16-flash"));
    const std::vector<std::string> lines = log();
    const std::vector<SweepCell> cells = cellsOf(plan);
    ASSERT_EQ(lines.size(), 6u);
    std::size_t at = 0;
    for (const std::int64_t index : runOrder(plan)) {
        const RunConfig config = configOf(plan, cells[static_cast<std::size_t>(index)]);
        EXPECT_THAT(lines[at], testing::StartsWith("run --format json --yes --output "));
        for (const Setting& setting : settings()) {
            const std::string said = "--" + std::string(setting.key) + " " + setting.text(config) + " ";
            EXPECT_EQ((lines[at] + " ").find(said) != std::string::npos, setting.applies(config)) << said;
        }
        ++at;
    }
}

TEST_F(SweepRunTest, ACellOfAnotherWorkloadHasItsOwnSettingsAfterAResumeToo) {
    SweepPlan plan = contexts(1);
    plan.axes = {*sweepAxis("workload", "transformer,attention")};
    plan.base.headDim = 32;
    plan.base.causal = Causal::kYes;
    ASSERT_TRUE(SweepFile::create(folder / "a.wgsweep", plan));
    resume({script("sample small-bf16-flash")});
    ASSERT_EQ(log().size(), 2u);
    EXPECT_THAT(log()[0], ::testing::Not(HasSubstr("--head-dim")));
    EXPECT_THAT(log()[1], testing::AllOf(HasSubstr("--workload attention "), HasSubstr("--head-dim 32 "),
                                         HasSubstr("--causal yes ")));
}

TEST_F(SweepRunTest, ACellThatLeavesNoRunHasNoFiguresOfAnOlderOne) {
    // As a kill leaves it, with what lies beside it.
    const fs::path left = folder / "a.wgsweep.cell.wgrun";
    fs::copy_file(fs::path(WARPGLASS_SAMPLE_RUNS) / "small-bf16-flash.wgrun", left);
    std::ofstream(left.string() + "-journal") << "a journal";
    const Sweep sweep = runToEnd(contexts(1), script(R"(ls "$output"* >&2; exit 1)"));
    EXPECT_EQ(sweep.cells[0].state, CellState::kFailed);
    EXPECT_THAT(sweep.cells[0].message, HasSubstr("No such file")) << "its process found one";
    EXPECT_FALSE(sweep.cells[0].figures.contains("step_mean_ns"));
    EXPECT_THAT(sweep.information, IsEmpty());
}

TEST_F(SweepRunTest, KeepsTheRunFilesWhereThatIsAsked) {
    SweepPlan plan = contexts(2);
    plan.runFolder = "kept/here";
    const Sweep sweep = runToEnd(plan, script("[ $context = 16 ] && sample small-bf16-flash"));
    EXPECT_EQ(sweep.cells[0].runFile, "kept/here/0.wgrun");
    EXPECT_TRUE(fs::exists(folder.path() / sweep.cells[0].runFile));
    EXPECT_EQ(sweep.cells[1].runFile, "") << "it left none";
}

TEST_F(SweepRunTest, EndsBeforeItReplacesARunThatCameIntoItsFolderMeanwhile) {
    SweepPlan plan = contexts(3);
    plan.runFolder = "kept";
    const fs::path foreign = folder / "kept/1.wgrun";
    const fs::path program = script("sample small-bf16-flash; echo other > '" + foreign.string() + "'");
    const auto run = start(plan, program);
    run->wait();
    EXPECT_EQ(run->error(), "cannot write " + foreign.string() +
                                ": another run has been saved there since the sweep began");
    EXPECT_EQ(run->sweep()->count(CellState::kWaiting), 2u);
    EXPECT_EQ(contentOf(foreign), "other\n");
}

TEST_F(SweepRunTest, ReplacesTheKeptRunOfACellThatWasCutOff) {
    SweepPlan plan = contexts(1);
    plan.runFolder = "kept";
    {
        auto file = must(SweepFile::create(folder / "a.wgsweep", plan));
        ASSERT_TRUE(file->beginCell(0, "2026-02-01T00:00:00Z"));
    }
    fs::create_directory(folder / "kept");
    std::ofstream(folder / "kept/0.wgrun") << "half a run";
    const auto run = resume({script("sample small-bf16-flash")});
    EXPECT_EQ(run->error(), "");
    EXPECT_EQ(run->sweep()->cells[0].state, CellState::kOk) << run->sweep()->cells[0].message;
}

TEST_F(SweepRunTest, SkipsWhatCannotBeRunOrWillNotFitWithoutAProcess) {
    SweepPlan plan = contexts(1);
    // 36 heads do not divide a width of 256; 10 TB of activations fit nowhere.
    plan.axes = {*sweepAxis("heads", "4,36"), *sweepAxis("batch", "1,65536"),
                 *sweepAxis("context", "64,32768")};
    const SweepForecast before = forecast(plan);
    EXPECT_EQ(before.cells, 8);
    EXPECT_EQ(before.cannotRun, 4);
    EXPECT_GE(before.tooLarge, 1);
    const Sweep sweep = runToEnd(plan, script("sample small-bf16-flash"));
    std::size_t skipped = 0;
    for (const SweepCell& cell : sweep.cells) {
        const bool isDoubted = !before.doubts[static_cast<std::size_t>(cell.index)].empty();
        EXPECT_EQ(cell.state == CellState::kSkipped, isDoubted) << cell.message;
        EXPECT_EQ(cell.message, before.doubts[static_cast<std::size_t>(cell.index)]);
        EXPECT_EQ(cell.took.value == 0, isDoubted);
        skipped += isDoubted ? 1 : 0;
    }
    EXPECT_EQ(static_cast<std::int64_t>(skipped), before.cannotRun + before.tooLarge);
    EXPECT_EQ(log().size(), 8 - skipped);
    EXPECT_TRUE(sweep.cells[3].figures.contains("predicted_peak_bytes")) << "of one that does not fit";
}

TEST_F(SweepRunTest, TriesWhatWillNotFitWhereThatIsAsked) {
    SweepPlan plan{.axes = {*sweepAxis("batch", "65536")}};
    plan.base.context = 32768;
    plan.tooLarge = TooLarge::kTry;
    EXPECT_EQ(forecast(plan).tooLarge, 1);
    EXPECT_EQ(runToEnd(plan, script("sample small-bf16-flash")).cells[0].state, CellState::kOk);
}

/// A sweep whose cells came to this, without a process.
void writeResults(const fs::path& path, const SweepPlan& plan, const std::vector<CellState>& states) {
    auto file = must(SweepFile::create(path, plan));
    for (std::size_t i = 0; i < states.size(); ++i) {
        SweepCell cell = file->sweep().cells[i];
        cell.state = states[i];
        cell.message = cell.state == CellState::kOk ? "" : "It was so before.";
        cell.took = Nanoseconds(5);
        cell.figures["run_ns"] = 1;
        ASSERT_TRUE(file->finishCell(cell));
    }
}

TEST_F(SweepRunTest, WhatWasSkippedIsWeighedAgainWithEveryStart) {
    SweepPlan plan = contexts(1);
    plan.axes = {*sweepAxis("heads", "4,36"), *sweepAxis("context", "16,32")};  // 36 do not divide the width
    writeResults(folder / "a.wgsweep", plan, {CellState::kSkipped, CellState::kOk, CellState::kSkipped});
    const auto run = resume({script("sample small-bf16-flash")});
    EXPECT_EQ(run->error(), "");
    const auto read = must(openSweep(folder / "a.wgsweep"));
    EXPECT_EQ(read.cells[0].state, CellState::kOk) << "why it was skipped is gone";
    EXPECT_EQ(read.cells[0].message, "");
    EXPECT_TRUE(read.cells[0].figures.contains("step_mean_ns"));
    EXPECT_EQ(read.cells[1].figures.at("run_ns"), 1) << "it has a result";
    for (const std::size_t cell : {2u, 3u}) {
        EXPECT_EQ(read.cells[cell].state, CellState::kSkipped);
        EXPECT_THAT(read.cells[cell].message, HasSubstr("36 heads")) << "the reason of today";
    }
    EXPECT_EQ(log().size(), 1u);
}

TEST_F(SweepRunTest, WhatFailedOrRanOutOfMemoryRunsAgainWhereThatIsAsked) {
    const std::vector<CellState> before = {CellState::kFailed, CellState::kOutOfMemory, CellState::kOk};
    const fs::path program = script("sample small-bf16-flash");
    std::size_t started = 0;
    for (const std::set<CellState>& retry :
         {std::set<CellState>{}, {CellState::kFailed}, {CellState::kFailed, CellState::kOutOfMemory}}) {
        fs::remove(folder / "a.wgsweep");
        writeResults(folder / "a.wgsweep", contexts(3), before);
        const auto run = resume({program, retry});
        const auto read = must(openSweep(folder / "a.wgsweep"));
        for (std::size_t i = 0; i < before.size(); ++i) {
            const bool again = retry.contains(before[i]);
            EXPECT_EQ(read.cells[i].state, again ? CellState::kOk : before[i]);
            EXPECT_EQ(read.cells[i].figures.contains("step_mean_ns"), again);
            EXPECT_EQ(run->sweep()->cells[i].state, read.cells[i].state);
        }
        started += retry.size();
        EXPECT_EQ(log().size(), started);
    }
}

TEST_F(SweepRunTest, AStopLeavesTheResultsOfCellsThatWereNotRunAgain) {
    writeResults(folder / "a.wgsweep", contexts(2), {CellState::kFailed, CellState::kFailed});
    auto file = must(SweepFile::resume(folder / "a.wgsweep"));
    const auto run = SweepRun::start(std::move(file), {script("sleep 100"), {CellState::kFailed}});
    EXPECT_EQ(run->sweep()->count(CellState::kFailed), 0u) << "they are to run";
    ASSERT_TRUE(comesTrue([&] { return log().size() == 1; }));
    run->stop();
    run->wait();
    const auto read = must(openSweep(folder / "a.wgsweep"));
    for (const auto& sweep : {*run->sweep(), read}) {
        EXPECT_EQ(sweep.cells[0].state, CellState::kWaiting);
        EXPECT_EQ(sweep.cells[1].state, CellState::kFailed);
        EXPECT_EQ(sweep.cells[1].message, "It was so before.");
    }
}

TEST_F(SweepRunTest, StopsAtOnceAndTheCellWaitsAgain) {
    auto run = start(contexts(3), script("[ $context = 16 ] && sample small-bf16-flash || sleep 100"));
    ASSERT_TRUE(comesTrue([&] { return log().size() == 2; }));
    EXPECT_EQ(run->sweep()->cells[1].state, CellState::kRunning);
    const auto begun = std::chrono::steady_clock::now();
    run->stop();
    run->wait();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 60s);
    EXPECT_EQ(run->error(), "");
    EXPECT_EQ(run->sweep()->cells[1].state, CellState::kWaiting);
    // It is written no more, though the run is still there.
    auto file = must(SweepFile::resume(folder / "a.wgsweep"));
    EXPECT_EQ(file->sweep().cells[0].state, CellState::kOk);
    EXPECT_EQ(file->sweep().count(CellState::kWaiting), 2u);
    // And goes on from there.
    run = SweepRun::start(std::move(file), {script("sample small-bf16-flash")});
    run->wait();
    EXPECT_EQ(run->sweep()->count(CellState::kOk), 3u);
    EXPECT_EQ(log().size(), 4u) << "the first cell ran once";
}

TEST_F(SweepRunTest, PausesAfterTheCellThatRuns) {
    const auto run = start(contexts(3), script("sample small-bf16-flash; [ $context = 16 ] || exit 0\n"
                                               "while [ ! -e '" +
                                               (folder / "go").string() + "' ]; do sleep 0.01; done"));
    ASSERT_TRUE(comesTrue([&] { return log().size() == 1; }));
    run->pause();
    EXPECT_TRUE(run->paused());
    std::ofstream(folder / "go") << "go";
    ASSERT_TRUE(comesTrue([&] { return run->sweep()->cells[0].isDone(); }));
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(log().size(), 1u);
    EXPECT_FALSE(run->finished());
    run->resume();
    run->wait();
    EXPECT_EQ(run->sweep()->count(CellState::kOk), 3u);
    EXPECT_EQ(run->timeLeft(), Nanoseconds(0));
}

TEST_F(SweepRunTest, TellsTheTimeLeftOnceACellIsDone) {
    const auto run = start(contexts(3), script("sample small-bf16-flash; [ $context = 16 ] || sleep 100"));
    ASSERT_TRUE(comesTrue([&] { return run->sweep()->cells[0].isDone(); }));
    ASSERT_TRUE(comesTrue([&] { return run->timeLeft().has_value(); }));
    EXPECT_GT(run->timeLeft()->value, 0);
}

TEST_F(SweepRunTest, AFullDiskStopsItAndItsCellWaitsAgain) {
    const auto program = script(R"(
case "$context" in
  32) sample small-bf16-flash; echo "warpglass-cli: $output: no space is left on the disk." >&2; exit 1;;
  *) sample small-bf16-flash;;
esac)");
    SweepPlan plan = contexts(3);
    const auto run = start(plan, program);
    run->wait();
    EXPECT_THAT(run->error(), HasSubstr("no space is left on the disk"));
    const auto hasState = [](CellState state) { return ::testing::Field(&SweepCell::state, state); };
    EXPECT_THAT(
        must(openSweep(folder / "a.wgsweep")).cells,
        ElementsAre(hasState(CellState::kOk), hasState(CellState::kWaiting), hasState(CellState::kWaiting)));
}

TEST_F(SweepRunTest, SaysWhatIsMissingInsteadOfFailingEveryCell) {
    auto run = start(contexts(2), folder / "no-such-program");
    run->wait();
    EXPECT_THAT(run->error(), HasSubstr("no-such-program is not there"));
    EXPECT_EQ(run->sweep()->count(CellState::kWaiting), 2u);
    std::ofstream(folder / "text") << "not a program";
    fs::permissions(folder / "text", fs::perms::owner_all);
    run.reset();
    run = resume({folder / "text"});
    EXPECT_THAT(run->error(), HasSubstr("The cells cannot be run"));
    EXPECT_EQ(run->sweep()->count(CellState::kWaiting), 2u);
}

TEST_F(SweepRunTest, ACellDiesWithTheProcessThatRunsTheSweep) {
    const fs::path pidFile = folder / "pid";
    const fs::path program = script("echo $$ > '" + pidFile.string() + "'; exec sleep 100");
    const pid_t sweeping = ::fork();
    ASSERT_GE(sweeping, 0);
    if (sweeping == 0) {
        auto file = SweepFile::create(folder / "a.wgsweep", contexts(2));
        const auto run = SweepRun::start(std::move(*file), {program});
        run->wait();
        ::_exit(0);
    }
    pid_t cell = 0;
    ASSERT_TRUE(comesTrue([&] { return bool(std::ifstream(pidFile) >> cell); }));
    EXPECT_EQ(::kill(cell, 0), 0);
    ::kill(sweeping, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(sweeping, &status, 0), sweeping);
    // Nobody may wait for it here, so it may stay as a process that has ended.
    EXPECT_TRUE(comesTrue([&] {
        std::ifstream stat("/proc/" + std::to_string(cell) + "/stat");
        std::string text;
        std::getline(stat, text);
        return text.empty() || text.find(") Z") != std::string::npos;
    }));
    const auto read = must(openSweep(folder / "a.wgsweep"));
    EXPECT_EQ(read.count(CellState::kWaiting), 2u) << "the one that ran waits again";
}

TEST(SweepForecast, IsOfEveryCellAndItsLargestPeak) {
    SweepPlan plan = smallPlan(4, 3);
    const SweepForecast all = forecast(plan);
    EXPECT_EQ(all.cells, 24);
    EXPECT_EQ(all.doubts.size(), 24u);
    EXPECT_THAT(all.doubts, ::testing::Each(IsEmpty()));
    double largest = 0;
    for (const SweepCell& cell : cellsOf(plan))
        largest = std::max(largest, predictedMeasures(configOf(plan, cell)).at("predicted_peak_bytes"));
    EXPECT_EQ(static_cast<double>(all.largestPeak.value), largest);
    plan.base.device = "cuda:999";
    const SweepForecast none = forecast(plan);
    EXPECT_EQ(none.cannotRun, 24);
    EXPECT_THAT(none.doubts[0], HasSubstr("cuda:999"));
    EXPECT_THAT(busyGpu(plan), IsEmpty());
}

}  // namespace warpglass::test::sweep_run_test
