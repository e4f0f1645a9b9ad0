// Real runs of a small model through the command line.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::torch_run_test {

using testing::HasSubstr;

Outcome runSmall(const std::string& output, const Arguments& more) {
    return runProgram(
        with(words("run --model custom --d-model 64 --d-ff 128 --layers 2 --heads 4 --vocab 200 "
                   "--context 32 --batch 2 --format json --output " +
                   output),
             more));
}

struct CliTorchRun : testing::Test {
    const TemporaryFolder folder;
};

TEST_F(CliTorchRun, RecordsAStepWithItsPhasesAndModules) {
    const std::string path = (folder / "a.wgrun").string();
    const Outcome outcome = runSmall(path, {"--mode", "step", "--warmup", "1", "--steps", "3"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    // On a machine that does other work too it says so.
    for (const std::string& line : linesOf(outcome.err))
        EXPECT_THAT(line, testing::AnyOf(HasSubstr("longer than on an idle host"), HasSubstr("A CPU quota")));
    const json row = rowOf(outcome);
    EXPECT_EQ(row["measured_steps"], 3);
    // A fresh model guesses, near ln(vocabulary); a fixed batch is then learned.
    EXPECT_NEAR(row["first_loss"].get<double>(), std::log(200), 1.0);
    EXPECT_LT(row["last_loss"].get<double>(), row["first_loss"].get<double>());
    EXPECT_EQ(runProgram({"info", path, "--check"}).status, 0);
    for (const char* range : {"forward", "backward", "optimizer", "blocks.1.attn", "blocks.*.ffn", "step 1"})
        for (const char* what : {"ops", "ranges", "phases", "memory", "allocations"})
            EXPECT_EQ(runProgram({"stats", what, path, "--range", range}).status, 0) << what << " " << range;
    EXPECT_THAT(runProgram({"stats", "ops", path, "--format", "csv"}).out, HasSubstr("aten::"));
}

TEST_F(CliTorchRun, TheSameSeedGivesTheSameLoss) {
    const json first = rowOf(runSmall((folder / "a.wgrun").string(), {"--steps", "2", "--seed", "5"}));
    const json second = rowOf(runSmall((folder / "b.wgrun").string(), {"--steps", "2", "--seed", "5"}));
    const json other = rowOf(runSmall((folder / "c.wgrun").string(), {"--steps", "2", "--seed", "6"}));
    EXPECT_EQ(first["last_loss"], second["last_loss"]);
    EXPECT_NE(first["last_loss"], other["last_loss"]);
}

TEST_F(CliTorchRun, EveryVariantModeAndPrecisionRuns) {
    const std::string path = (folder / "a.wgrun").string();
    for (const char* attention : {"naive", "sdpa-math", "sdpa-flash", "flash"}) {
        const Outcome outcome = runSmall(path, {"--attention", attention, "--steps", "1"});
        EXPECT_EQ(outcome.status, 0) << attention << ": " << outcome.err;
    }
    for (const char* mode : {"forward", "forward-backward", "step"}) {
        const Outcome outcome = runSmall(path, {"--mode", mode, "--precision", "bf16", "--steps", "1"});
        EXPECT_EQ(outcome.status, 0) << mode << ": " << outcome.err;
    }
}

TEST_F(CliTorchRun, TheCpusCeilingsAreMeasured) {
    const Environment data = {{"XDG_DATA_HOME", folder.path().string()}};
    const json tables = printedJson({"devices", "--measure", "--device", "cpu"}, data);
    ASSERT_EQ(tables[0]["rows"].size(), 2u);
    for (const json& row : tables[0]["rows"]) {
        // Between an emulator's rate and what no processor has.
        EXPECT_GT(row["measured_flops_per_second"].get<double>(), 1e7) << row;
        EXPECT_LT(row["measured_flops_per_second"].get<double>(), 1e15) << row;
        // Which of the products is the fastest is the machine's: a square one, or a preset's.
        for (const char* size : {"rows", "columns", "inner"})
            EXPECT_GT(row[size].get<int>(), 0) << row;
    }
    EXPECT_GT(tables[1]["rows"][0]["measured_bytes_per_second"].get<double>(), 1e8);
    EXPECT_GT(tables[2]["rows"][0]["launch_ns"].get<double>(), 0);
    EXPECT_EQ(json::parse(contentOf(folder / "warpglass/ceilings.json"))["devices"][0]["torch"], "2.11.0");
}

TEST_F(CliTorchRun, TheCpuHasNoMemorySnapshot) {
    const Outcome outcome = runSmall((folder / "a.wgrun").string(),
                                     {"--steps", "1", "--memory-snapshot", (folder / "a.pickle").string()});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("A memory snapshot can be taken on a GPU only"));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.pickle"));
}

TEST_F(CliTorchRun, ADeviceThatIsNotThereFails) {
    expectOneSentence(runSmall((folder / "a.wgrun").string(), {"--device", "cuda:1000"}), 1, "cuda:1000");
}

}  // namespace warpglass::test::torch_run_test
