// `sweep` and `sweep-info` from their words to the file, with a runner that needs no LibTorch.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "engine/sweep/grid.h"
#include "engine/sweep/measures.h"
#include "engine/sweep/sweep_file.h"
#include "tests/cli/program.h"
#include "tests/support/must.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::sweep_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct CliSweep : testing::Test {
    Arguments sweepOf(const Arguments& more) const {
        return with({"sweep", "--batch", "1", "--layers", "1", "--steps", "2", "--output", m_path}, more);
    }
    Sweep opened() const { return must(openSweep(m_path)); }

    TemporaryFolder m_folder;
    std::string m_path = (m_folder / "a.wgsweep").string();
};

TEST_F(CliSweep, RunsEveryCellOfTheGridAndPrintsThem) {
    const Outcome outcome =
        runSoundly(sweepOf(words("--mode step,forward --context 16,32 --repeats 2 --format json")), fake());
    EXPECT_THAT(outcome.err, HasSubstr("8 cells"));
    const json summary = rowsOf(json::parse(outcome.out), "sweep")[0];
    EXPECT_EQ(summary["cells"], 8);
    EXPECT_EQ(summary["ok"], 8);
    const json cells = rowsOf(json::parse(outcome.out), "cells");
    ASSERT_EQ(cells.size(), 8u);
    const Sweep sweep = opened();
    ASSERT_EQ(sweep.plan.axes.size(), 2u);
    EXPECT_EQ(sweep.plan.axes[0].key, "mode") << "as they were given, not as the settings are listed";
    EXPECT_EQ(sweep.plan.axes[1].key, "context");
    EXPECT_EQ(sweep.plan.base.model, kCustomModel) << "one layer is none of the presets";
    for (std::size_t i = 0; i < 8; ++i) {
        const SweepCell& cell = sweep.cells[i];
        EXPECT_EQ(cells[i]["cell"], i);
        EXPECT_EQ(cells[i]["mode"], i < 4 ? "step" : "forward");
        EXPECT_EQ(cells[i]["context"], i / 2 % 2 == 0 ? 16 : 32);
        EXPECT_EQ(cells[i]["repeat"], i % 2);
        EXPECT_EQ(cells[i]["state"], "ok");
        EXPECT_TRUE(cells[i]["message"].is_null());
        EXPECT_EQ(cells[i]["took_ns"], cell.took.value);
        EXPECT_EQ(cells[i].contains("backward_mean_ns") && !cells[i]["backward_mean_ns"].is_null(), i < 4);
        for (const auto& [key, value] : cell.figures)
            EXPECT_DOUBLE_EQ(cells[i].at(key).get<double>(), value) << key;
        EXPECT_GT(cell.figures.at("step_mean_ns"), 0);
    }
    // The same of the file.
    const Outcome info = runSoundly({"sweep-info", m_path, "--format", "json"});
    EXPECT_EQ(info.out, outcome.out);
}

TEST_F(CliSweep, TablesAreThoseOfThePaper) {
    const Arguments grid = {"--context", "16,32", "--attention", "naive,sdpa-efficient"};
    ASSERT_EQ(runProgram(sweepOf(grid), fake()).status, 0);
    expectEveryFormat({"sweep-info", m_path, "--measure", "step_mean_ns,peak_bytes"});
    expectEveryFormat(with(sweepOf(grid), {"--dry-run"}));
}

TEST_F(CliSweep, ADryRunSaysWhatWillNotRunAndWritesNothing) {
    Arguments arguments =
        sweepOf(words("--attention naive,sdpa-efficient --repeats 3 --dry-run --format json"));
    const Outcome outcome = runSoundly(arguments, fake());
    const json plan = rowsOf(json::parse(outcome.out), "sweep-plan")[0];
    EXPECT_EQ(plan["cells"], 6);
    EXPECT_EQ(plan["running"], 3);
    EXPECT_EQ(plan["cannot_run"], 3);
    EXPECT_GT(plan["largest_peak_bytes"], 0);
    const json doubts = rowsOf(json::parse(outcome.out), "doubts");
    ASSERT_EQ(doubts.size(), 1u) << "its repeats are one cell of the grid";
    EXPECT_EQ(doubts[0]["attention"], "sdpa-efficient");
    EXPECT_THAT(doubts[0]["message"], HasSubstr("needs a GPU"));
    EXPECT_FALSE(std::filesystem::exists(m_path));
}

TEST_F(CliSweep, ASweepOfWhichEveryCellIsSkippedFailsWithTheReason) {
    const Outcome outcome = runProgram(sweepOf({"--attention", "sdpa-efficient,sdpa-cudnn"}), fake());
    EXPECT_NE(outcome.status, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("No cell was run: "), HasSubstr("needs a GPU"),
                                   testing::Not(HasSubstr("about 0 ns"))));
    EXPECT_EQ(opened().count(CellState::kSkipped), 2u);
}

TEST_F(CliSweep, ACellThatFailsIsSaidAndTheSweepGoesOn) {
    const Outcome outcome =
        runProgram(sweepOf({"--context", "16,32"}), fake({{"WARPGLASS_TEST_FAIL_AT", "1"}}));
    EXPECT_EQ(outcome.status, 0) << "that is a result";
    EXPECT_THAT(outcome.err, HasSubstr("Cell 0 (16): the synthetic run was told to fail"));
    EXPECT_EQ(opened().count(CellState::kFailed), 2u);
}

TEST_F(CliSweep, ACellThatHangsIsEndedAtItsTimeLimit) {
    const Outcome outcome = runSoundly(sweepOf(words("--context 16 --seed 0,1 --time-limit 1.5s")),
                                       fake({{"WARPGLASS_TEST_HANG_AT", "1"}}));
    const Sweep sweep = opened();
    EXPECT_EQ(sweep.count(CellState::kFailed), 2u);
    EXPECT_THAT(sweep.cells[1].message, HasSubstr("longer than its time limit of 1.50"));
}

TEST_F(CliSweep, GoesOnAfterAKillAtAnyMomentWithoutLosingACell) {
    const Arguments begin = sweepOf({"--context", "16,17,18,19,20,21", "--repeats", "4"});
    const Arguments resume = {"sweep", "--resume", m_path};
    std::mt19937_64 random(13);
    std::map<std::int64_t, std::string> finished;  // with when they were started
    const auto check = [&] {
        const Sweep sweep = opened();
        EXPECT_THAT(sweep.warnings, IsEmpty());
        for (const auto& [index, started] : finished) {
            const SweepCell& cell = sweep.cells[static_cast<std::size_t>(index)];
            EXPECT_EQ(cell.state, CellState::kOk);
            EXPECT_EQ(cell.started, started) << "it ran once";
        }
        for (const SweepCell& cell : sweep.cells) {
            if (cell.isDone())
                finished[cell.index] = cell.started;
        }
    };
    bool isThere = false;
    for (int round = 0; round < 12; ++round) {
        RunningProgram program(isThere ? resume : begin, fake());
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 400));
        program.send(SIGKILL);
        program.wait();
        isThere = std::filesystem::exists(m_path);
        if (isThere)
            check();
    }
    const Outcome last = runProgram(isThere ? resume : begin, fake());
    EXPECT_EQ(last.status, 0) << last.err;
    check();
    EXPECT_EQ(finished.size(), 24u);
}

TEST_F(CliSweep, AnInterruptLetsTheRunningCellWait) {
    RunningProgram program(sweepOf({"--context", "16,32,64"}), fake({{"WARPGLASS_TEST_HANG_AT", "1"}}));
    for (int i = 0; i < 3000; ++i) {
        const auto sweep = openSweep(m_path);
        if (sweep && sweep->count(CellState::kRunning) == 1)
            break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    // Two sweeps into one file.
    EXPECT_THAT(runProgram(sweepOf({"--context", "16,32"}), fake()).err,
                HasSubstr("another process is writing it"));
    EXPECT_THAT(runProgram({"sweep", "--resume", m_path}, fake()).err,
                HasSubstr("another process is writing it"));
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("Stopping"), HasSubstr("3 waiting")));
    EXPECT_EQ(opened().count(CellState::kWaiting), 3u);
    EXPECT_EQ(runProgram({"sweep", "--resume", m_path}, fake()).status, 0);
    EXPECT_EQ(opened().count(CellState::kOk), 3u);
}

TEST_F(CliSweep, WhatFailedRunsAgainWhereThatIsAsked) {
    ASSERT_EQ(runProgram(sweepOf({"--context", "16,32"}), fake({{"WARPGLASS_TEST_FAIL_AT", "1"}})).status, 0);
    ASSERT_EQ(opened().count(CellState::kFailed), 2u);
    const Outcome kept = runSoundly({"sweep", "--resume", m_path}, fake());
    EXPECT_THAT(kept.err, HasSubstr("Going on: 2 failed."));
    EXPECT_EQ(opened().count(CellState::kFailed), 2u);
    const Arguments retry = {"sweep", "--resume", m_path, "--retry", "out-of-memory,failed"};
    const Outcome again = runProgram(retry, fake({{"WARPGLASS_TEST_FAIL_AT", "1"}}));
    EXPECT_THAT(again.err, HasSubstr("Going on: 2 failed; 2 run again."));
    EXPECT_THAT(again.err, HasSubstr("Cell 1 (32): the synthetic run was told to fail")) << again.err;
    EXPECT_EQ(opened().count(CellState::kFailed), 2u);
    EXPECT_EQ(runProgram(retry, fake()).status, 0);
    EXPECT_EQ(opened().count(CellState::kOk), 2u);
}

TEST_F(CliSweep, KeepsRunFilesBesideTheSweepWhereverItGoes) {
    const std::string runs = (m_folder / "runs").string();
    ASSERT_EQ(runProgram(sweepOf({"--context", "16,32", "--keep-runs", runs}), fake()).status, 0);
    const Sweep sweep = opened();
    EXPECT_EQ(sweep.cells[1].runFile, "runs/1.wgrun");
    EXPECT_EQ(runProgram({"info", runs + "/1.wgrun"}).status, 0);
    // Another sweep does not replace them.
    const std::string kept = contentOf(runs + "/1.wgrun"), other = (m_folder / "b.wgsweep").string();
    expectOneSentence(
        runProgram({"sweep", "--context", "16,32", "--keep-runs", runs, "--output", other}, fake()), 1,
        "cannot keep run files in " + runs + ": 0.wgrun and 1 other are there");
    EXPECT_EQ(contentOf(runs + "/1.wgrun"), kept);
    EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(CliSweep, MemorySnapshotsAreRefusedOnTheCpuAndWithoutRunsBeforeAnythingStarts) {
    const std::string runs = (m_folder / "runs").string();
    for (const auto& [more, why] :
         {std::pair<Arguments, const char*>{{"--keep-runs", runs},
                                            "LibTorch keeps no history of the CPU's memory"},
          {{"--keep-runs", runs, "--device", "cuda:0,cpu"}, "LibTorch keeps no history of the CPU's memory"},
          {{"--device", "cuda:0"}, "--memory-snapshots needs --keep-runs"}}) {
        expectOneSentence(
            runProgram(with(sweepOf({"--context", "16,32", "--memory-snapshots"}), more), fake()), 2, why);
        EXPECT_FALSE(std::filesystem::exists(m_path));
        EXPECT_FALSE(std::filesystem::exists(runs));
    }
}

TEST_F(CliSweep, KeepsMemorySnapshotsAndSaysWhereTheyAre) {
    // As of a GPU: the synthetic runner, which has only a CPU, leaves a snapshot there.
    SweepPlan plan{.base = {.batch = 1, .steps = 1},
                   .axes = {*sweepAxis("context", "16,32")},
                   .runFolder = "runs",
                   .memorySnapshots = true};
    ASSERT_TRUE(SweepFile::create(m_path, plan));
    // The second cannot be written.
    std::filesystem::create_directories(m_folder / "runs/1.pickle.part/x");
    const Outcome resumed = runSoundly({"sweep", "--resume", m_path}, fake());
    const std::string problem = "Cannot write " + (m_folder / "runs/1.pickle").string() + ": Is a directory.";
    EXPECT_THAT(resumed.err, HasSubstr("Cell 1 (32): " + problem));
    EXPECT_EQ(contentOf((m_folder / "runs/0.pickle").string()), "a snapshot");
    EXPECT_EQ(opened().count(CellState::kOk), 2u);
    const json cells = rowsPrinted({"sweep-info", m_path}, "cells");
    EXPECT_EQ(cells[0]["memory_snapshot"], "runs/0.pickle");
    EXPECT_TRUE(cells[1]["memory_snapshot"].is_null());
    EXPECT_EQ(cells[1]["message"], problem);
    for (const char* format : {"table", "csv", "markdown", "latex"})
        EXPECT_THAT(runProgram({"sweep-info", m_path, "--format", format}).out, HasSubstr("runs/0.pickle"));
}

TEST_F(CliSweep, OneCellThatIsRepeatedIsAGrid) {
    const Outcome outcome = runSoundly(sweepOf(words("--context 16 --repeats 3 --format json")), fake());
    EXPECT_EQ(rowsOf(json::parse(outcome.out), "cells").size(), 3u);
    EXPECT_EQ(opened().count(CellState::kOk), 3u);
}

TEST_F(CliSweep, WrongCommandLinesReturnTwoAndSayWhy) {
    const std::pair<Arguments, const char*> wrong[] = {
        {{}, "The grid is empty"},
        {{"--context", "16"}, "The grid is empty"},
        {{"--context", "16,16"}, "the value \"16\" is given twice"},
        {{"--context", "16,"}, "--context takes a whole number of at least 1, not \"\""},
        {{"--precision", "fp32,bf61"}, "There is no precision \"bf61\""},
        {{"--context", "16,32", "--repeats", "0"}, "--repeats takes"},
        {{"--context", "16,32", "--order", "random"}, "--order"},
        {{"--context", "16,32", "--time-limit", "soon"}, "--time-limit takes a time such as 90s"},
        {{"--context", "16,32", "--measure", "step_mean"}, "Did you mean step_mean_ns?"},
        {{"--context", "16,32", "--repeats", "600000"}, "1,200,000 cells"},
        {{"--head-dim", "16,32"}, "--head-dim: The workload transformer has no head dimension."},
        {{"--context", "16,32", "--causal", "yes"}, "--causal: The workload transformer has no causality."},
        {{"--workload", "attention", "--model", "tiny,small"},
         "--model: The workload attention has no model."},
        {{"--model", "small,custom"}, "A custom model needs its sizes"},
        {{"--context", "16,32", "--resume", "x.wgsweep"}, "takes no --context."},
        {{"--resume", "x.wgsweep"}, "takes no --output."},
        {{"--context", "16,32", "--retry", "failed"}, "--retry goes with --resume"},
        {{"--resume", "x.wgsweep", "--retry", "ok"}, "--retry"},
    };
    for (const auto& [arguments, why] : wrong) {
        SCOPED_TRACE(testing::PrintToString(arguments));
        expectOneSentence(runProgram(with({"sweep", "--output", m_path}, arguments), fake()), 2, why);
        EXPECT_FALSE(std::filesystem::exists(m_path));
    }
    EXPECT_THAT(runProgram({"sweep", "--context", "16,32"}, fake()).err, HasSubstr("--output is needed"));
}

TEST_F(CliSweep, AFileThatIsNoSweepFailsInOneSentence) {
    for (const std::string command : {"sweep-info ", "sweep --resume "})
        expectOneSentence(runProgram(words(command + m_path), fake()), 1,
                          "cannot open " + m_path + ": it does not exist");
}

TEST_F(CliSweep, SizesGivenOnceHoldForEveryModel) {
    const Outcome outcome =
        runSoundly({"sweep", "--model", "tiny,small", "--layers", "1", "--record", "none", "--record", "ops",
                    "--batch", "1", "--context", "8", "--steps", "1", "--output", m_path},
                   fake());
    const Sweep sweep = opened();
    ASSERT_EQ(sweep.plan.axes.size(), 3u);
    EXPECT_THAT(sweep.plan.axes[1].values, ElementsAre("1"));
    EXPECT_THAT(sweep.plan.axes[2].values, ElementsAre("none", "ops"));
    for (const SweepCell& cell : sweep.cells) {
        const RunConfig config = configOf(sweep.plan, cell);
        EXPECT_EQ(config.shape.layers, 1);
        EXPECT_EQ(config.shape.dModel, cell.values[0] == 0 ? 256 : 768);
        EXPECT_EQ(config.recorded.has(Feature::kOps), cell.values[2] == 1);
    }
}

/// The paper's table of measures is written from their descriptions.
TEST(CliSweepMeasures, AreThoseOfThePaper) {
    const std::string paper = contentOf(WARPGLASS_TABLES_PAPER);
    const std::string begin = "| measure | title | what it is |\n| --- | --- | --- |\n";
    std::string wanted;
    for (const Measure& measure : measures())
        wanted += "| `" + measure.key + "` | " + measure.title + " | " + measure.description + " |\n";
    const std::size_t at = paper.find(begin);
    ASSERT_NE(at, std::string::npos);
    const std::size_t end = std::min(paper.find("\n\n", at) + 1, paper.size());
    const std::string written = paper.substr(at + begin.size(), end - at - begin.size());
    if (written != wanted && std::getenv("WARPGLASS_UPDATE_GOLDENS"))
        std::ofstream(WARPGLASS_TABLES_PAPER)
            << paper.substr(0, at + begin.size()) + wanted + paper.substr(end);
    else
        EXPECT_EQ(written, wanted) << "WARPGLASS_UPDATE_GOLDENS=1 writes it";
}

}  // namespace warpglass::test::sweep_test
