// What an experiment was asked, kept in its folder: read back as it was, refused where it is damaged, and the
// reason why another experiment does not run in the same folder.
#include "engine/experiments/experiment_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "engine/experiments/run_experiment.h"
#include "tests/support/temporary_folder.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

ExperimentRequest asked(const char* name, std::vector<SweepAxis> given = {}) {
    const auto experiment = findExperiment(name);
    EXPECT_TRUE(experiment);
    ExperimentRequest request{*experiment, {}};
    request.options.given = std::move(given);
    return request;
}

TEST(ExperimentRequest, WhatIsWrittenIsReadBackInWhateverOrder) {
    const test::TemporaryFolder folder;
    const ExperimentRequest request = asked("memory", {{"context", {"64", "128"}}, {"batch", {"2"}}});
    ASSERT_TRUE(writeRequest(request, folder.path()));
    const auto back = readRequest(folder.path());
    ASSERT_TRUE(back) << back.message();
    EXPECT_TRUE(isSameRequest(*back, request));
    EXPECT_TRUE(isSameRequest(*back, asked("memory", {{"batch", {"2"}}, {"context", {"64", "128"}}})));
    EXPECT_FALSE(isSameRequest(*back, asked("memory", {{"context", {"64", "128"}}})));
    EXPECT_FALSE(isSameRequest(*back, asked("memory", {{"context", {"128", "64"}}, {"batch", {"2"}}})));
    EXPECT_FALSE(isSameRequest(*back, asked("kernels", {{"context", {"64", "128"}}, {"batch", {"2"}}})));
}

TEST(ExperimentRequest, AWrongFileIsOneSentence) {
    const test::TemporaryFolder folder;
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
    EXPECT_THAT(said(head + R"({"colour": ["red"]}})"), HasSubstr("cannot be run"));
    EXPECT_THAT(said(R"({"version": 2})"), HasSubstr("newer Warpglass"));
    EXPECT_THAT(said(R"({"version": 1, "experiment": "x", "device": "cpu", "given": {}})"),
                HasSubstr("does not know"));
    EXPECT_THAT(said(std::string(2u << 20, ' ')), HasSubstr("too large"));
}

TEST(ExperimentRequest, DamageAtAnyByteNeverCrashes) {
    const test::TemporaryFolder folder;
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
TEST(ExperimentRequest, AFolderIsOfOneExperiment) {
    const test::TemporaryFolder folder;
    const ExperimentRequest request = asked("compiled");
    for (int round = 0; round < 2; ++round)
        ASSERT_TRUE(runExperiment(*request.experiment, request.options, folder / "x"));
    const auto kept = readRequest(folder / "x");
    ASSERT_TRUE(kept) << kept.message();
    EXPECT_TRUE(isSameRequest(*kept, request));
    const auto other = runExperiment(*asked("memory").experiment, {}, folder / "x");
    EXPECT_THAT(other.message(), HasSubstr("holds the experiment compiled: choose another folder"));
    const ExperimentRequest more = asked("compiled", {{"batch", {"2"}}});
    EXPECT_THAT(runExperiment(*more.experiment, more.options, folder / "x").message(),
                HasSubstr("with other settings"));
    EXPECT_TRUE(isSameRequest(*readRequest(folder / "x"), request)) << "a refusal changes nothing";
}

}  // namespace
}  // namespace warpglass
