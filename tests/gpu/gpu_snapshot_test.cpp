// LibTorch's own memory snapshots of runs. That PyTorch's tools open them is tried by hand.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_file.h"
#include "engine/sweep/sweep_run.h"
#include "tests/gpu/gpu_run.h"
#include "tests/support/files.h"
#include "tests/support/must.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::gpu_snapshot_test {

using testing::HasSubstr;
using testing::StartsWith;

struct GpuSnapshot : GpuTest {
    GpuRun runWithSnapshot(const RunConfig& config, const std::filesystem::path& path) {
        RunControl control{.memorySnapshot = path};
        return run(config, control);
    }
    TemporaryFolder m_folder;
};

TEST_F(GpuSnapshot, NamesWhatEveryAllocationWasMadeFor) {
    const GpuRun done = runWithSnapshot(config(), m_folder / "a.pickle");
    EXPECT_EQ(done.outcome.state, run_state::kFinished);
    EXPECT_EQ(done.outcome.snapshotProblem, "");
    const std::string pickle = contentOf(m_folder / "a.pickle");
    ASSERT_THAT(pickle, StartsWith("\x80\x02"));  // pickle's protocol 2
    EXPECT_EQ(pickle.back(), '.');                // and its end
    for (const char* word : {"segments", "device_traces", "active_allocated", "aten::", "MmBackward0",
                             "blocks.11.attn", "forward", "backward", "optimizer", "step 2"})
        EXPECT_THAT(pickle, HasSubstr(word)) << word;  // the pickle itself is no message
}

TEST_F(GpuSnapshot, ShowsWhatWasLiveWhenMemoryRanOut) {
    RunConfig tooLarge = config();
    tooLarge.memoryLimit = Bytes(600 << 20);
    const GpuRun done = runWithSnapshot(tooLarge, m_folder / "a.pickle");
    EXPECT_EQ(done.outcome.state, run_state::kFailed);
    EXPECT_EQ(done.outcome.snapshotProblem, "");
    EXPECT_THAT(contentOf(m_folder / "a.pickle"), HasSubstr("oom"));
}

TEST_F(GpuSnapshot, HasNothingOfTheRunBefore) {
    runWithSnapshot(config(), m_folder / "a.pickle");
    RunConfig forward = config(Precision::kFp32, AttentionVariant::kNaive, Mode::kForward);
    runWithSnapshot(forward, m_folder / "b.pickle");
    EXPECT_THAT(contentOf(m_folder / "b.pickle"), testing::Not(HasSubstr("Backward0")));
}

TEST_F(GpuSnapshot, ThatCannotBeWrittenLeavesTheRunAsItIs) {
    const auto path = m_folder / "no such folder" / "a.pickle";
    const GpuRun done = runWithSnapshot(config(), path);
    EXPECT_EQ(done.outcome.state, run_state::kFinished);
    EXPECT_EQ(done.outcome.snapshotProblem, "Cannot write " + path.string() + ": No such file or directory.");
}

TEST_F(GpuSnapshot, IsLeftByEveryCellOfASweepAlsoWhereMemoryRanOut) {
    SweepPlan plan{.base = config(),
                   .axes = {*sweepAxis("memory-limit", "0," + std::to_string(600 << 20))},
                   .tooLarge = TooLarge::kTry,
                   .runFolder = "runs",
                   .memorySnapshots = true};
    ASSERT_TRUE(checkPlan(plan)) << checkPlan(plan).message();
    auto file = must(SweepFile::create(m_folder / "a.wgsweep", plan));
    const auto sweeping = SweepRun::start(std::move(file));
    sweeping->wait();
    ASSERT_EQ(sweeping->error(), "");
    const auto sweep = must(openSweep(m_folder / "a.wgsweep"));
    EXPECT_EQ(sweep.cells[0].state, CellState::kOk);
    EXPECT_EQ(sweep.cells[0].message, "");
    EXPECT_EQ(sweep.cells[1].state, CellState::kOutOfMemory) << sweep.cells[1].message;
    for (const SweepCell& cell : sweep.cells) {
        ASSERT_EQ(cell.memorySnapshot, "runs/" + std::to_string(cell.index) + ".pickle");
        EXPECT_THAT(contentOf(m_folder.path() / cell.memorySnapshot), StartsWith("\x80\x02"));
    }
    EXPECT_THAT(contentOf(m_folder / "runs/1.pickle"), HasSubstr("oom"));
}

}  // namespace warpglass::test::gpu_snapshot_test
