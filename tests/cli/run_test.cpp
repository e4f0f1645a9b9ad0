// `run` from its words to the file, and everything that can come between, with a runner that needs no
// LibTorch. torch_run_test.cpp does the main job with the real one.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "engine/io/run_file.h"
#include "tests/cli/program.h"
#include "tests/support/must.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::run_test {

using testing::AllOf;
using testing::HasSubstr;

struct CliRun : testing::Test {
    /// A step of some tens of milliseconds, more of them than any test waits for.
    static Environment slow() { return fake({{"WARPGLASS_TEST_PAUSE_US", "300"}}); }
    Arguments runOf(const Arguments& more = {}) const {
        return with({"run", "--context", "16", "--batch", "1", "--format", "json", "--output", m_path}, more);
    }
    static std::string stateOf(const std::string& path) {
        return must(openRun(path)).snapshot->info().get("state");
    }
    /// Until the file holds something, so that what happens next happens during the run.
    void awaitRecording() const {
        for (int i = 0; i < 3000; ++i) {
            const Result<OpenedRun> opened = openRun(m_path);
            if (opened && opened->snapshot->spanCount() > 100)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        FAIL() << "nothing was recorded in " << m_path;
    }

    TemporaryFolder m_folder;
    std::string m_path = (m_folder / "a.wgrun").string();
};

TEST_F(CliRun, SaysWhereItWasDisturbed) {
    const Arguments run = runOf({"--steps", "200"});  // its steps are short
    const Outcome busy = runProgram(run, fake({{"WARPGLASS_TEST_WAITED", "0.12"}}));
    EXPECT_EQ(busy.status, 0) << "it is a caution";
    EXPECT_THAT(busy.err,
                HasSubstr("The host was busy: in the measured steps the run's thread waited for a core"));
    EXPECT_EQ(rowOf(busy)["measured_steps"], 200);
    const Outcome quiet = runProgram(run, fake({{"WARPGLASS_TEST_WAITED", "0.001"}}));
    EXPECT_EQ(quiet.err, "");
}

TEST_F(CliRun, RecordsSavesAndReports) {
    const Outcome outcome = runSoundly(runOf({"--warmup", "1", "--steps", "3"}), fake());
    EXPECT_EQ(outcome.err, "");
    const json row = rowOf(outcome);
    EXPECT_EQ(row["path"], m_path);
    EXPECT_EQ(row["state"], "finished");
    EXPECT_EQ(row["completed_steps"], 4);
    EXPECT_EQ(row["measured_steps"], 3);
    EXPECT_GT(row["step_mean_ns"].get<double>(), 0);
    EXPECT_GT(row["peak_bytes"].get<std::int64_t>(), 0);
    EXPECT_LT(row["last_loss"].get<double>(), row["first_loss"].get<double>());
    EXPECT_EQ(stateOf(m_path), "finished");

    // What the file says is what the run said.
    const json summary = rowsPrinted({"info", m_path, "--check"}, "summary")[0];
    for (const char* key : {"step_mean_ns", "step_stddev_ns", "peak_bytes"})
        EXPECT_EQ(summary[key], row[key]) << key;
}

TEST_F(CliRun, WarmUpStepsAreNoMeasurement) {
    const json row = rowOf(runSoundly(runOf({"--warmup", "2", "--steps", "0"}), fake()));
    EXPECT_EQ(row["completed_steps"], 2);
    EXPECT_EQ(row["measured_steps"], 0);
    EXPECT_TRUE(row["step_mean_ns"].is_null());
    EXPECT_TRUE(row["step_stddev_ns"].is_null());
}

TEST_F(CliRun, TheWordsReachTheRun) {
    const Arguments given = words(
        "--model custom --d-model 64 --d-ff 96 --layers 1 --heads 2 --vocab 77 --precision bf16 --attention "
        "sdpa-flash --mode forward-backward --device cpu --warmup 0 --steps 1 --seed 18446744073709551615");
    const Outcome outcome = runSoundly(with(runOf(), given), fake());
    const RunInfo info = openRun(m_path)->snapshot->info();
    for (std::size_t i = 0; i < given.size(); i += 2)
        EXPECT_EQ(info.get("config." + given[i].substr(2)), given[i + 1]) << given[i];
    EXPECT_EQ(info.get("config.context"), "16");
    EXPECT_EQ(info.get("config.batch"), "1");
}

TEST_F(CliRun, CtrlCStopsAndKeepsWhatWasRecorded) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        RunningProgram program(runOf({"--steps", "100000"}), slow());
        awaitRecording();
        program.send(signal);
        const Outcome outcome = program.wait();
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, HasSubstr("The run was stopped after "));
        EXPECT_EQ(rowOf(outcome)["state"], "stopped");
        EXPECT_EQ(stateOf(m_path), "stopped");
        EXPECT_EQ(runProgram({"stats", "ops", m_path}).status, 0);
        std::filesystem::remove(m_path);
    }
}

TEST_F(CliRun, ASecondCtrlCEndsAtOnce) {
    // Only the second signal can end this run: it is asleep.
    RunningProgram program(runOf({"--steps", "100000"}), fake({{"WARPGLASS_TEST_HANG_AT", "1"}}));
    awaitRecording();
    program.send(SIGINT);
    program.awaitError("press Ctrl+C again to end at once");
    program.send(SIGINT);
    EXPECT_EQ(program.wait().status, 128 + SIGINT);
    EXPECT_EQ(stateOf(m_path), "cut off");
}

TEST_F(CliRun, AKilledRunLeavesAFileThatOpens) {
    RunningProgram program(runOf({"--steps", "100000"}), slow());
    awaitRecording();
    program.send(SIGKILL);
    EXPECT_EQ(program.wait().status, 128 + SIGKILL);
    EXPECT_EQ(runProgram({"info", m_path}).status, 0);
    EXPECT_EQ(stateOf(m_path), "cut off");
}

TEST_F(CliRun, RunsWhoseFilesCannotBeWrittenAreSavedElsewhereEachInAFile) {
    m_path = (m_folder / "no/such/folder/a.wgrun").string();
    std::set<std::string> paths;
    for (int i = 0; i < 3; ++i) {  // within a second
        const Outcome outcome =
            runProgram(runOf({"--steps", "1"}), fake({{"TMPDIR", m_folder.path().string()}}));
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, AllOf(HasSubstr("a.wgrun"), HasSubstr("The run is saved in ")));
        const json row = rowOf(outcome);
        ASSERT_TRUE(row["path"].is_string());
        EXPECT_THAT(row["path"].get<std::string>(), HasSubstr((m_folder / "warpglass-recovered-").string()));
        paths.insert(row["path"]);
    }
    EXPECT_EQ(paths.size(), 3u);
    for (const std::string& path : paths)
        EXPECT_EQ(stateOf(path), "finished");
}

TEST_F(CliRun, ARunThatCanBeSavedNowhereSaysSo) {
    m_path = (m_folder / "no/such/folder/a.wgrun").string();
    const std::string nowhere = (m_folder / "nowhere").string();
    const Outcome outcome =
        runProgram(runOf({"--steps", "1"}), fake({{"TMPDIR", nowhere}, {"HOME", nowhere}}));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("The run could not be saved anywhere"));
    EXPECT_TRUE(rowOf(outcome)["path"].is_null());
    EXPECT_EQ(rowOf(outcome)["state"], "finished");
}

TEST_F(CliRun, AFileThatFillsUpDoesNotEndTheRun) {
    // What a limit on the size of files does to a write is what a full disk does.
    const Outcome outcome = RunningProgram(runOf({"--warmup", "0", "--steps", "20"}), fake(), 40'000).wait();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("a.wgrun"));
    EXPECT_EQ(rowOf(outcome)["completed_steps"], 20);
    EXPECT_EQ(rowOf(outcome)["state"], "finished");
}

TEST_F(CliRun, AFailedRunSaysWhyAndKeepsItsFile) {
    const Outcome outcome = runProgram(runOf({"--steps", "3"}), fake({{"WARPGLASS_TEST_FAIL_AT", "2"}}));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "warpglass-cli: the synthetic run was told to fail.\n");
    EXPECT_EQ(rowOf(outcome)["state"], "failed");
    EXPECT_EQ(stateOf(m_path), "failed");
}

TEST_F(CliRun, ARunThatNeverBeganFails) {
    expectOneSentence(runProgram(runOf(), fake({{"WARPGLASS_TEST_REFUSE", "There is no such device."}})), 1,
                      "warpglass-cli: There is no such device.\n");
    EXPECT_FALSE(std::filesystem::exists(m_path));
}

TEST_F(CliRun, WithoutARunnerItSaysWhatToDo) {
    const Environment none = {{"WARPGLASS_RUNNER", (m_folder / "none.so").string()}};
    expectOneSentence(runProgram(runOf(), none), 1, "none.so");
    // Devices are still listed: the viewer and the estimate work here.
    const Outcome devices = runSoundly({"devices", "--format", "json"}, none);
    EXPECT_THAT(devices.err, HasSubstr("Nothing can be run here"));
    EXPECT_EQ(json::parse(devices.out)["rows"][0]["device"], "cpu");
}

TEST_F(CliRun, DevicesAreTheRunners) {
    const json cpu = printedJson({"devices"}, fake())["rows"][0];
    EXPECT_EQ(cpu["name"], "Synthetic CPU");
    EXPECT_EQ(cpu["torch_version"], "2.11.0");
    EXPECT_EQ(runProgram({"devices"}, fake()).err, "");
}

TEST_F(CliRun, MeasuredCeilingsAreKeptAndStatedByLaterRuns) {
    const Environment data = fake({{"XDG_DATA_HOME", m_folder.path().string()}});
    const Outcome measured = runSoundly({"devices", "--measure", "--format", "json"}, data);
    EXPECT_EQ(measured.err, "");
    const json tables = json::parse(measured.out);
    ASSERT_EQ(tables.size(), 3u);
    const json bf16 = tables[0]["rows"][1];
    EXPECT_EQ(bf16["precision"], "bf16");
    EXPECT_EQ(bf16["measured_flops_per_second"], 5e12);
    EXPECT_EQ(bf16["inner"], 1024);
    EXPECT_TRUE(bf16["data_sheet_flops_per_second"].is_null());
    EXPECT_EQ(tables[1]["rows"].size(), 1u) << "a CPU copies to no device";
    EXPECT_EQ(tables[2]["rows"][0]["launch_ns"], 812.5);

    ASSERT_EQ(runProgram(runOf({"--steps", "2"}), data).status, 0);
    EXPECT_EQ(openRun(m_path)->snapshot->info().get("ceiling.fp32_flops_per_second"), "2000000000000");
    const json summary = rowsPrinted({"info", m_path}, "summary")[0];
    EXPECT_EQ(summary["ceiling_flops_per_second"], 2e12);
    EXPECT_NEAR(summary["ceiling_share"].get<double>(),
                summary["model_flops_per_second"].get<double>() / 2e12, 1e-9);
    EXPECT_TRUE(summary["data_sheet_share"].is_null());

    const std::vector<std::string> compared =
        linesOf(runProgram({"compare", m_path, m_path, "--format", "csv"}).out);
    const auto mfu = std::ranges::find(compared, "table,name,a_share,b_share,difference_share,ratio");
    ASSERT_NE(mfu, compared.end());
    EXPECT_THAT(*(mfu + 1), HasSubstr("mfu,measured ceiling,"));
    EXPECT_THAT(contentOf(WARPGLASS_TABLES_PAPER), HasSubstr("\n" + *mfu + "\n"));

    // A damaged file is said and made anew, and stops neither.
    const std::filesystem::path file = m_folder / "warpglass/ceilings.json";
    std::filesystem::resize_file(file, 100);
    const Outcome run = runSoundly(runOf({"--steps", "1"}), data);
    EXPECT_THAT(run.err, HasSubstr(file.string()));
    EXPECT_EQ(linesOf(run.err).size(), 1u);
    const Outcome again = runSoundly({"devices", "--measure", "--format", "csv"}, data);
    EXPECT_EQ(linesOf(again.err).size(), 1u);
    EXPECT_EQ(runProgram({"devices", "--measure"}, data).err, "");
    expectColumnsOfThePaper(again.out);
}

TEST_F(CliRun, WhatCannotBeMeasuredIsSaid) {
    expectOneSentence(runProgram({"devices", "--measure", "--device", "cuda:7"}, fake()), 1,
                      "\"cuda:7\" is not there: this machine has cpu.");
    const Environment nowhere = fake({{"XDG_DATA_HOME", "/proc/nowhere"}});
    const Outcome unkept = runProgram({"devices", "--measure"}, nowhere);
    EXPECT_EQ(unkept.status, 1);
    EXPECT_THAT(unkept.err, HasSubstr("cannot be kept in /proc/nowhere"));
    EXPECT_THAT(unkept.out, HasSubstr("bf16")) << "measured, it is shown all the same";
    const Outcome none =
        runProgram({"devices", "--measure"}, {{"WARPGLASS_RUNNER", (m_folder / "none.so").string()}});
    EXPECT_EQ(none.status, 1);
    EXPECT_THAT(none.err, HasSubstr("Nothing can be measured here"));
}

TEST_F(CliRun, YesRunsWhatDoesNotFit) {
    // The synthetic run states its allocations and makes none.
    const Outcome outcome = runSoundly(
        runOf(words("--model custom --d-model 1048576 --d-ff 4194304 --layers 1 --heads 16 --vocab "
                    "16777216 --warmup 0 --steps 1 --yes")),
        fake());
    EXPECT_THAT(outcome.err, HasSubstr("is larger than the"));
    EXPECT_EQ(rowOf(outcome)["state"], "finished");
}

TEST_F(CliRun, AMemorySnapshotThatCannotBeWrittenFailsTheCommandAndKeepsTheRun) {
    const auto path = m_folder / "no such folder" / "a.pickle", sound = m_folder / "a.pickle";
    const Outcome outcome = runProgram(runOf({"--steps", "2", "--memory-snapshot", path.string()}), fake());
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("Cannot write " + path.string() + ": No such file or directory."));
    EXPECT_EQ(rowOf(outcome)["state"], "finished");
    EXPECT_EQ(runProgram(runOf({"--steps", "2", "--memory-snapshot", sound.string()}), fake()).status, 0);
    EXPECT_TRUE(std::filesystem::exists(sound));
}

TEST_F(CliRun, ProgressIsForTerminalsOnly) {
    // Many steps, so that one of them is shown however seldom a busy machine lets the line be drawn.
    const Outcome terminal = runOnTerminal(runOf({"--steps", "25"}), "", slow());
    EXPECT_EQ(terminal.status, 0) << terminal.out;
    EXPECT_THAT(terminal.out, AllOf(HasSubstr(" steps done"), HasSubstr("\"state\": \"finished\"")));
    const Outcome pipe = runSoundly(runOf({"--steps", "4"}), slow());
    EXPECT_EQ(pipe.err, "");
}

TEST_F(CliRun, TheReportHasItsDocumentedColumns) {
    Arguments arguments = runOf({"--steps", "1"});
    *(std::ranges::find(arguments, "--format") + 1) = "csv";
    const std::string csv = runProgram(arguments, fake()).out;
    EXPECT_EQ(linesOf(csv).size(), 2u);
    expectColumnsOfThePaper(csv);
}

}  // namespace warpglass::test::run_test
