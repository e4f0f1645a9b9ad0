// What an experiment was asked, kept in its folder: read back as it was, refused where it is damaged, and the
// reason why another experiment does not run in the same folder.
#include "engine/experiments/experiment_request.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "engine/experiments/experiment_folder.h"
#include "engine/experiments/run_experiment.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"
#include "tests/support/must.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::experiment_request_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

ExperimentRequest asked(const char* name, std::vector<SweepAxis> given = {}) {
    const auto experiment = must(findExperiment(name));
    ExperimentRequest request{experiment, {}};
    request.options.given = std::move(given);
    return request;
}

struct ExperimentRequestTest : testing::Test {
    const TemporaryFolder folder;
};

TEST_F(ExperimentRequestTest, WhatIsWrittenIsReadBackInWhateverOrder) {
    const ExperimentRequest request = asked("memory", {{"context", {"64", "128"}}, {"batch", {"2"}}});
    ASSERT_TRUE(writeRequest(request, folder.path()));
    const auto back = must(readRequest(folder.path()));
    EXPECT_TRUE(isSameRequest(back, request));
    EXPECT_TRUE(isSameRequest(back, asked("memory", {{"batch", {"2"}}, {"context", {"64", "128"}}})));
    EXPECT_FALSE(isSameRequest(back, asked("memory", {{"context", {"64", "128"}}})));
    EXPECT_FALSE(isSameRequest(back, asked("memory", {{"context", {"128", "64"}}, {"batch", {"2"}}})));
    EXPECT_FALSE(isSameRequest(back, asked("kernels", {{"context", {"64", "128"}}, {"batch", {"2"}}})));
}

TEST_F(ExperimentRequestTest, AWrongFileIsOneSentence) {
    EXPECT_THAT(readRequest(folder.path()).message(), HasSubstr("request.json"));
    const auto said = [&](const std::string& text) {
        std::ofstream(folder.path() / kRequestFile, std::ios::binary) << text;
        const auto request = readRequest(folder.path());
        return request ? std::string("read") : request.message();
    };
    const std::string head = R"({"version": 1, "experiment": "memory", "device": "cpu", "given": )";
    EXPECT_EQ(said(head + "{}}"), "read");
    EXPECT_THAT(said("{"), HasSubstr("not as this version writes it"));
    EXPECT_THAT(said("[]"), HasSubstr("not as this version writes it"));
    EXPECT_THAT(said(head + R"({"context": 64}})"), HasSubstr("not as this version writes it"));
    EXPECT_THAT(said(head + R"({"context": ["sixty"]}})"), HasSubstr("cannot be run"));
    EXPECT_THAT(said(head + R"({"color": ["red"]}})"), HasSubstr("cannot be run"));
    EXPECT_THAT(said(R"({"version": 2})"), HasSubstr("newer Warpglass"));
    EXPECT_THAT(said(R"({"version": 1, "experiment": "x", "device": "cpu", "given": {}})"),
                HasSubstr("does not know"));
    EXPECT_THAT(said(std::string(2u << 20, ' ')), HasSubstr("too large"));
}

TEST_F(ExperimentRequestTest, DamageAtAnyByteNeverCrashes) {
    ASSERT_TRUE(writeRequest(asked("benchmark", {{"model", {"tiny", "small"}}}), folder.path()));
    std::ostringstream whole;
    whole << std::ifstream(folder.path() / kRequestFile).rdbuf();
    std::mt19937_64 random(3);
    int read = 0;
    for (int i = 0; i < 500; ++i) {
        std::string text = whole.str();
        text[random() % text.size()] = static_cast<char>(random() % 256);
        std::ofstream(folder.path() / kRequestFile, std::ios::binary) << text;
        read += readRequest(folder.path()) ? 1 : 0;
    }
    EXPECT_GT(read, 0);
    EXPECT_LT(read, 500);
}

// On the CPU `compiled` runs nothing, and so needs no program.
TEST_F(ExperimentRequestTest, AFolderIsOfOneExperiment) {
    const ExperimentRequest request = asked("compiled");
    for (int round = 0; round < 2; ++round)
        ASSERT_TRUE(runExperiment(*request.experiment, request.options, folder / "x"));
    EXPECT_TRUE(isSameRequest(must(readRequest(folder / "x")), request));
    const auto other = runExperiment(*asked("memory").experiment, {}, folder / "x");
    EXPECT_THAT(other.message(), HasSubstr("holds the experiment compiled: choose another folder"));
    const ExperimentRequest more = asked("compiled", {{"batch", {"2"}}});
    EXPECT_THAT(runExperiment(*more.experiment, more.options, folder / "x").message(),
                HasSubstr("with other settings"));
    EXPECT_TRUE(isSameRequest(*readRequest(folder / "x"), request)) << "a refusal changes nothing";
}

/// A folder in which an experiment was begun and every cell of its sweeps came to `state`.
void begin(const ExperimentRequest& request, const fs::path& folder, CellState state) {
    fs::create_directories(folder);
    ASSERT_TRUE(writeRequest(request, folder));
    for (const NamedSweep& named : request.experiment->sweeps(request.options)) {
        const auto file = must(SweepFile::create(sweepPath(folder, named), named.plan));
        for (SweepCell cell : cellsOf(named.plan)) {
            cell.state = state;
            cell.message = "This machine has no such device.";
            ASSERT_TRUE(file->finishCell(cell));
        }
    }
}

TEST_F(ExperimentRequestTest, OneThatCameToNothingKeepsNoOtherOut) {
    const ExperimentRequest other = asked("precision", {{"batch", {"2"}}});
    begin(asked("precision"), folder / "x", CellState::kFailed);
    EXPECT_FALSE(requestInTheWay(other, folder / "x"));
    ASSERT_TRUE(claimFolder(other, folder / "x"));
    EXPECT_TRUE(isSameRequest(*readRequest(folder / "x"), other));
    EXPECT_FALSE(fs::exists(folder / "x/times.wgsweep"));
    EXPECT_FALSE(fs::exists(folder / "x/loss.wgsweep"));
    // What has a result does.
    begin(asked("precision"), folder / "y", CellState::kOutOfMemory);
    EXPECT_TRUE(requestInTheWay(other, folder / "y"));
    EXPECT_THAT(claimFolder(other, folder / "y").message(), HasSubstr("with other settings"));
    EXPECT_TRUE(fs::exists(folder / "y/times.wgsweep"));
    // And so does a file that cannot be read, or a run that was kept.
    begin(asked("precision"), folder / "z", CellState::kFailed);
    fs::create_directories(folder / "z/runs/loss");
    std::ofstream(folder / "z/runs/loss/0.wgrun") << "x";
    EXPECT_TRUE(requestInTheWay(other, folder / "z"));
    fs::remove_all(folder / "z/runs");
    EXPECT_FALSE(requestInTheWay(other, folder / "z"));
    std::ofstream(folder / "z/times.wgsweep") << "x";
    EXPECT_TRUE(requestInTheWay(other, folder / "z"));
}

TEST_F(ExperimentRequestTest, OneThatCameToNothingIsTriedAgain) {
    begin(asked("precision"), folder / "x", CellState::kFailed);
    ASSERT_TRUE(claimFolder(asked("precision"), folder / "x"));
    EXPECT_FALSE(fs::exists(folder / "x/times.wgsweep"));
    // One that was stopped goes on.
    begin(asked("precision"), folder / "y", CellState::kFailed);
    {
        const auto file = SweepFile::resume(folder / "y/loss.wgsweep");
        ASSERT_TRUE(file && (*file)->resetCell(0));
    }
    ASSERT_TRUE(claimFolder(asked("precision"), folder / "y"));
    EXPECT_TRUE(fs::exists(folder / "y/times.wgsweep"));
}

}  // namespace warpglass::test::experiment_request_test
