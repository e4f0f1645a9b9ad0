// `experiment` from the command to the folder, with real runs of small models; answers against counts.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::experiment_test {

using testing::Contains;
using testing::HasSubstr;
namespace fs = std::filesystem;

/// The rows of a result's table by its key.
json rowsOf(const json& result, const std::string& key) {
    for (const json& table : result["tables"]) {
        if (table["key"] != key)
            continue;
        json rows = json::array();
        for (const json& row : table["rows"]) {
            json object;
            for (std::size_t i = 0; i < row.size(); ++i)
                object[table["columns"][i]["key"].get<std::string>()] = row[i];
            rows.push_back(object);
        }
        return rows;
    }
    ADD_FAILURE() << "no table " << key;
    return json::array();
}

json run(const std::string& name, const fs::path& folder, Arguments more) {
    const Outcome outcome =
        runSoundly(with({"experiment", name, "--output", folder.string(), "--format", "json"}, more));
    json result = json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(result.is_discarded()) << outcome.out;
    EXPECT_TRUE(fs::exists(folder / "answer.md"));
    EXPECT_TRUE(fs::exists(folder / "result.json"));
    return result;
}

struct CliExperiment : testing::Test {
    const TemporaryFolder folder;
};

TEST_F(CliExperiment, AccumulationGivesTheTextbooksSums) {
    const json rows = rowsOf(run("accumulation", folder / "x", {}), "accumulation");
    const double sums[] = {10.0001, 9.9531, 10.0021, 10.0021};
    for (std::size_t i = 0; i < std::size(sums); ++i)
        EXPECT_NEAR(rows[i]["sum_1000"].get<double>(), sums[i], 5e-5);
    EXPECT_TRUE(fs::exists(folder / "x/tables/accumulation.tex"));
}

TEST_F(CliExperiment, KernelsCountsTheProductsOfAForwardPass) {
    const json result =
        run("kernels", folder / "x", {"--model", "tiny", "--context", "32", "--steps", "2", "--warmup", "1"});
    // Four projections of attention and three of the feed-forward part in each of four blocks, and the head.
    constexpr double kForward = 4 * (4 + 3) + 1;
    for (const auto& [table, calls] : {std::pair{"top-forward", kForward},
                                       {"top-forward-backward", 3 * kForward},
                                       {"top-step", 3 * kForward}}) {
        bool found = false;
        for (const json& row : rowsOf(result, table)) {
            if (row["name"] == "aten::mm") {
                found = true;
                EXPECT_EQ(row["calls_per_step"].get<double>(), calls) << table;
                EXPECT_EQ(row["instances"].get<double>(), 2 * calls) << table;
                EXPECT_NEAR(row["total_ns"].get<double>(), 2 * row["time_per_step_ns"].get<double>(), 2);
                EXPECT_LE(row["min_ns"], row["median_ns"]);
                EXPECT_LE(row["median_ns"], row["max_ns"]);
                EXPECT_GE(row["stddev_ns"].get<double>(), 0);
            }
        }
        EXPECT_TRUE(found) << table;
    }
    double sum = 0;
    for (const json& row : rowsOf(result, "families"))
        sum += row["step"].get<double>();
    EXPECT_NEAR(sum, 1, 1e-9);
}

TEST_F(CliExperiment, AttentionKeepsWhatTheFormulaSays) {
    const json result = run("attention", folder / "x",
                            {"--attention", "naive", "--head-dim", "16,32", "--context", "256,1024",
                             "--steps", "1", "--warmup", "1"});
    const auto kept = [](std::int64_t length, std::int64_t dimension) {
        return 8 * length * length * 4 + 7 * 8 * length * dimension * 4;
    };
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> measured;
    for (const json& row : rowsOf(result, "attention-fp32"))
        measured[{row["context"], row["head_dim"]}] = row["before_backward_bytes"];
    ASSERT_EQ(measured.size(), 4u);
    for (const std::int64_t dimension : {16, 32})
        EXPECT_EQ((measured[{1024, dimension}] - measured[{256, dimension}]),
                  kept(1024, dimension) - kept(256, dimension));
    EXPECT_EQ((measured[{1024, 16}] - measured[{256, 16}]), 34'209'792);  // 32.625 MiB
}

TEST_F(CliExperiment, AutocastLeavesParametersLossAndGradientsInFp32) {
    const json result = run("autocast", folder / "x", {"--model", "tiny"});
    for (const json& row : rowsOf(result, "small-network")) {
        const std::string tensor = row["tensor"];
        const bool low = tensor == "fc1 output" || tensor == "ReLU output" || tensor == "fc2 output (logits)";
        if (tensor == "LayerNorm output")
            continue;  // fp32 on a GPU alone
        EXPECT_EQ(row["bf16 on cpu"], low ? "bf16" : "fp32") << tensor;
        EXPECT_EQ(row["fp16 on cpu"], low ? "fp16" : "fp32") << tensor;
    }
    const json modules = rowsOf(result, "transformer-bf16");
    EXPECT_EQ(modules.size(), 12u);
    for (const json& row : modules) {
        const std::string module = row["module"];
        const bool norm = module.find("norm") != std::string::npos || module == "token_embeddings";
        EXPECT_EQ(row["weight"], "fp32") << module;
        EXPECT_EQ(row["gradient"], "fp32") << module;
        EXPECT_EQ(row["output"], norm ? "fp32" : "bf16") << module;
    }
}

TEST_F(CliExperiment, GoesOnWithAFolderAndRefusesThatOfOtherSettings) {
    const Arguments settings = words("--model tiny --context 32 --steps 1 --warmup 0");
    const json first = run("kernels", folder / "x", settings);
    const auto written = fs::last_write_time(folder / "x/runs/modes/0.wgrun");
    const json again = run("kernels", folder / "x", settings);
    EXPECT_EQ(first["tables"], again["tables"]);
    EXPECT_EQ(fs::last_write_time(folder / "x/runs/modes/0.wgrun"), written) << "what was done was run again";
    expectOneSentence(
        runProgram({"experiment", "kernels", "--context", "64", "--output", (folder / "x").string()}), 1,
        "other settings: choose another folder");
}

TEST_F(CliExperiment, EvaluatesAFolderAsItWasAsked) {
    const json first =
        run("kernels", folder / "x", {"--model", "tiny", "--context", "32", "--steps", "1", "--warmup", "0"});
    fs::remove(folder / "x/result.json");
    const json again = run("kernels", folder / "x", {"--evaluate"});
    EXPECT_EQ(first["tables"], again["tables"]);
    const std::string place = (folder / "x").string();
    expectOneSentence(runProgram({"experiment", "kernels", "--evaluate", "--context", "64", "-o", place}), 1,
                      "holds this experiment with other settings");
    expectOneSentence(runProgram({"experiment", "benchmark", "--evaluate", "-o", place}), 1,
                      "holds the experiment kernels.");
}

/// Which on the CPU needs no run.
TEST_F(CliExperiment, FusionsIsShortForItsExperiment) {
    const Outcome shorter = runSoundly({"fusions", "--batch", "2", "--output", (folder / "x").string()});
    const Outcome longer =
        runSoundly({"experiment", "fusions", "--batch", "2", "--output", (folder / "y").string()});
    EXPECT_EQ(shorter.out, longer.out);
    EXPECT_THAT(shorter.out, HasSubstr("there is nothing to compare."));
    EXPECT_TRUE(fs::exists(folder / "x/answer.md"));
    const Outcome again = runProgram({"experiment", "fusions", "--output", (folder / "x").string()});
    EXPECT_THAT(again.err, HasSubstr("this experiment with other settings")) << "they ask for the same";
    EXPECT_THAT(runProgram({"fusions", "--help"}).out, HasSubstr("default: warpglass-fusions"));
}

TEST_F(CliExperiment, WhatCannotBeDoneIsOneSentence) {
    const Outcome listed = runSoundly({"experiment"});
    EXPECT_THAT(listed.out, HasSubstr("attention-parts"));
    expectOneSentence(runProgram({"experiment", "memry"}), 2, "Did you mean memory?");
    expectOneSentence(runProgram({"experiment", "kernels", "--head-dim", "16"}), 2,
                      "--head-dim: The workload transformer has no head dimension.\n");
    const Outcome alone = runProgram({"experiment", "accumulation", "-o", (folder / "z").string()},
                                     {{"WARPGLASS_RUNNER", (folder / "none.so").string()}});
    EXPECT_EQ(alone.status, 1);
    EXPECT_THAT(linesOf(alone.err), testing::SizeIs(1));
    EXPECT_FALSE(fs::exists(folder / "z/result.json"));
    expectOneSentence(
        runProgram({"experiment", "kernels", "--device", "cuda:7", "--output", (folder / "y").string()}), 1,
        "No run of the experiment has a result");
}

}  // namespace warpglass::test::experiment_test
