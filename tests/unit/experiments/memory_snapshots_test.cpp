// Memory snapshots of the experiment `memory`: when they are asked for, and what the result says of them.
#include "engine/experiments/memory_snapshots.h"

#include <gmock/gmock.h>

#include "engine/experiments/experiment_folder.h"
#include "engine/experiments/run_experiment.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/experiments/made_evidence.h"

namespace warpglass::test::memory_snapshots_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Experiment& memory() {
    return **findExperiment("memory");
}

ExperimentOptions on(const std::string& device) {
    return {.device = device, .given = {{"context", {"64"}}, {"precision", {"fp32"}}}};
}

MadeEvidence evidenceOf(const std::string& device) {
    return {memory(), on(device), [](const MadeEvidence::Values&) {
                return MadeEvidence::Figures{{"peak_bytes", 1024}};
            }};
}

TEST(MemorySnapshots, AreKeptByTheExperimentOnAGpuOnly) {
    for (const Experiment& experiment : experiments()) {
        for (const std::string device : {"cpu", "cuda:0"}) {
            for (const NamedSweep& sweep : experiment.sweeps(on(device))) {
                EXPECT_EQ(sweep.plan.memorySnapshots, experiment.name == "memory" && device == "cuda:0")
                    << experiment.name;
                EXPECT_TRUE(checkPlan(sweep.plan)) << checkPlan(sweep.plan).message();
            }
        }
    }
}

TEST(MemorySnapshots, AreListedWithHowTheyAreOpened) {
    const ExperimentResult result = evaluated(memory(), evidenceOf("cuda:0"));
    ASSERT_EQ(result.memorySnapshots.size(), 2u);
    EXPECT_EQ(result.memorySnapshots[1].file, "runs/memory/1.pickle");
    EXPECT_EQ(result.memorySnapshots[1].title, result.runs[1].title);
    EXPECT_THAT(
        result.notes,
        ElementsAre("LibTorch's memory snapshot of each run is beside its run file "
                    "(runs/memory/N.pickle): drag it onto https://pytorch.org/memory_viz to open it."));
    const std::string page = answerPage(result);
    EXPECT_THAT(page,
                HasSubstr("## Memory snapshots\n\n- " + result.runs[0].title + ": runs/memory/0.pickle\n- " +
                          result.runs[1].title + ": runs/memory/1.pickle\n"));
    EXPECT_THAT(page, HasSubstr("https://pytorch.org/memory_viz"));
}

TEST(MemorySnapshots, AreNotSpokenOfOnTheCpu) {
    const ExperimentResult result = evaluated(memory(), evidenceOf("cpu"));
    EXPECT_THAT(result.memorySnapshots, IsEmpty());
    EXPECT_THAT(result.notes, Not(Contains(HasSubstr("napshot"))));
    EXPECT_THAT(answerPage(result), Not(HasSubstr("napshot")));
}

TEST(MemorySnapshots, ThatAreMissingAreSaidAndThoseOfARunOutOfMemoryListed) {
    ExperimentOptions options = on("cuda:0");
    options.given[0].values = {"64", "128"};
    MadeEvidence evidence(memory(), options);
    auto& cells = evidence.change("memory").cells;
    ASSERT_EQ(cells.size(), 4u);
    for (const std::size_t lost : {0u, 2u}) {
        cells[lost].memorySnapshot.clear();
        cells[lost].message = "Cannot write x: No space left on device.";
    }
    cells[3].state = CellState::kOutOfMemory;
    cells[3].message = "It needs more.";
    const ExperimentResult result = evaluated(memory(), evidence);
    ASSERT_EQ(result.memorySnapshots.size(), 2u);
    EXPECT_EQ(result.memorySnapshots[1].file, "runs/memory/3.pickle");
    EXPECT_THAT(result.notes, Contains(cellTitle(evidence.sweep("memory").plan, cells[0]) +
                                       ": Cannot write x: No space left on device."));
    EXPECT_THAT(result.notes, Contains("1 more run has left no memory snapshot; the sweep file says why."));
}

TEST(MemorySnapshots, AreNoReasonToRefuseAFolderThatAnEarlierVersionBegan) {
    const TemporaryFolder folder;
    const ExperimentOptions options = on("cuda:0");
    std::vector<NamedSweep> sweeps = memory().sweeps(options);
    ASSERT_EQ(sweeps.size(), 1u);
    ASSERT_TRUE(sweeps[0].plan.memorySnapshots);
    sweeps[0].plan.memorySnapshots = false;
    ASSERT_TRUE(SweepFile::create(folder / "memory.wgsweep", sweeps[0].plan));
    // It comes as far as starting a cell.
    const auto goneOn = runExperiment(memory(), options, folder.path(), {folder / "no-such-program"});
    EXPECT_THAT(goneOn.message(), HasSubstr("no-such-program is not there"));
    EXPECT_FALSE(openSweep(folder / "memory.wgsweep")->plan.memorySnapshots);
}

}  // namespace warpglass::test::memory_snapshots_test
