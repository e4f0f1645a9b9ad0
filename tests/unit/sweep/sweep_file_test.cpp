#include "engine/sweep/sweep_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_file_tables.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_sweep.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::sweep_file_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void expectSame(const Sweep& a, const Sweep& b) {
    EXPECT_EQ(a.plan, b.plan);
    EXPECT_EQ(a.information, b.information);
    EXPECT_EQ(a.cells, b.cells);
}

SweepPlan unusualPlan() {
    SweepPlan plan = smallPlan(2, 3);
    plan.axes.push_back({"record", {"none", "ops,memory"}});
    plan.base.model = kCustomModel;
    plan.base.shape.layers = 3;
    plan.order = CellOrder::kShuffled;
    plan.shuffleSeed = 0xffffffffffffffff;
    plan.tooLarge = TooLarge::kTry;
    plan.timeLimit = Nanoseconds(12'345);
    plan.runFolder = "runs/of a sweep";
    return plan;
}

class SweepFileOf : public ::testing::TestWithParam<bool> {};

TEST_P(SweepFileOf, HoldsTheWholeSweepAndEveryChange) {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.wgsweep";
    std::mt19937_64 random(1);
    Sweep expected;
    {
        SweepPlan plan = unusualPlan();
        plan.memorySnapshots = GetParam();
        auto file = must(SweepFile::create(path, plan));
        expected.plan = plan;
        expected.cells = cellsOf(expected.plan);
        for (int i = 0; i < 40; ++i) {
            SweepCell& cell = expected.cells[random() % expected.cells.size()];
            const SweepCell waiting{.index = cell.index, .values = cell.values, .repeat = cell.repeat};
            switch (random() % 3) {
                case 0:
                    ASSERT_TRUE(file->beginCell(cell.index, "2026-02-01T00:00:00Z"));
                    cell = waiting;
                    cell.state = CellState::kRunning;
                    cell.started = "2026-02-01T00:00:00Z";
                    break;
                case 1:
                    cell = doneCell(waiting, random);
                    cell.runFile = keptRunOf(expected.plan, cell.index);
                    if (random() % 2 == 0)
                        cell.memorySnapshot = keptSnapshotOf(expected.plan, cell.index);
                    ASSERT_TRUE(file->finishCell(cell));
                    break;
                default:
                    ASSERT_TRUE(file->resetCell(cell.index));
                    cell = waiting;
            }
            expectSame(file->sweep(), expected);
            const auto read = must(openSweep(path));
            EXPECT_THAT(read.warnings, IsEmpty());
            expectSame(read, expected);
        }
        ASSERT_TRUE(file->setInformation("device.name", "A GPU"));
        ASSERT_TRUE(file->setInformation("torch.version", "2"));
        ASSERT_TRUE(file->setInformation("device.name", "Another GPU"));
        expected.information = {{"device.name", "Another GPU"}, {"torch.version", "2"}};
        expectSame(file->sweep(), expected);
    }
    // Nobody goes on with it now.
    for (SweepCell& cell : expected.cells) {
        if (cell.state == CellState::kRunning)
            cell = cell.waitingAgain();
    }
    const auto read = must(openSweep(path));
    expectSame(read, expected);
    auto again = must(SweepFile::resume(path));
    expectSame(again->sweep(), expected);
    EXPECT_FALSE(fs::exists(path.string() + "-journal"));
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutMemorySnapshots, SweepFileOf, ::testing::Bool());

/// A plan of either workload, with a value that is not the usual one for every setting of the other.
SweepPlan planOfBothWorkloads(Workload base) {
    SweepPlan plan = smallPlan(2, 1);
    plan.axes.push_back({"workload", {"transformer", "attention"}});
    plan.base.workload = base;
    plan.base.headDim = 32;
    plan.base.causal = Causal::kYes;
    plan.base.model = kCustomModel;
    plan.base.shape = {.vocabulary = 77, .dModel = 96, .dFf = 128, .layers = 3, .heads = 6};
    return plan;
}

struct SweepFileTest : testing::Test {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.wgsweep";
};

TEST_F(SweepFileTest, HoldsTheSettingsThatTheBaseOfItsGridHasNoUseFor) {
    for (const Workload base : {Workload::kTransformer, Workload::kAttention}) {
        const TemporaryFolder folder;
        const fs::path path = folder / "a.wgsweep";
        const SweepPlan plan = planOfBothWorkloads(base);
        ASSERT_TRUE(checkPlan(plan));
        ASSERT_TRUE(SweepFile::create(path, plan));
        const auto read = must(openSweep(path));
        EXPECT_EQ(read.plan, plan);
        for (const SweepCell& cell : cellsOf(plan))
            EXPECT_EQ(configOf(read.plan, cell), configOf(plan, cell));
        auto again = must(SweepFile::resume(path));
        EXPECT_EQ(again->sweep().plan, plan);
    }
}

TEST_F(SweepFileTest, OfAnEarlierVersionHasTheUsualValuesOfWhatItLacks) {
    for (const Workload base : {Workload::kTransformer, Workload::kAttention}) {
        SweepPlan plan = planOfBothWorkloads(base);
        // Which wrote the settings of its base's workload alone.
        sweep_file::Pairs pairs = sweep_file::planPairs(plan);
        const auto isOfTheOther = [&](const auto& pair) {
            const Setting* setting = findSetting(pair.first);
            return setting && !setting->applies(plan.base);
        };
        ASSERT_GT(std::erase_if(pairs, isOfTheOther), 0u);
        const Result<SweepPlan> read = sweep_file::planOf(pairs, plan.axes);
        ASSERT_TRUE(read) << read.message();
        plan.base = ofItsWorkload(plan.base);
        EXPECT_EQ(read->base, plan.base);
    }
}

TEST_F(SweepFileTest, KeepsNoFigureThatIsNoNumber) {
    auto file = must(SweepFile::create(folder / "a.wgsweep", smallPlan()));
    SweepCell cell = file->sweep().cells[2];
    cell.state = CellState::kOk;
    cell.figures = {{"a", std::nan("")}, {"b", -1.5}, {"c", 1 / 0.0}, {"d", 3}};
    ASSERT_TRUE(file->finishCell(cell));
    const std::map<std::string, double, std::less<>> expected = {{"b", -1.5}, {"d", 3}};
    EXPECT_EQ(file->sweep().cells[2].figures, expected);
    EXPECT_EQ(openSweep(folder / "a.wgsweep")->cells[2].figures, expected);
}

TEST_F(SweepFileTest, IsNotMadeWhereThereIsAnythingOfItsName) {
    writeContent(path, "mine");
    EXPECT_THAT(SweepFile::create(path, smallPlan()).message(), HasSubstr("there is a file of this name"));
    EXPECT_EQ(contentOf(path), "mine");
    EXPECT_THAT(SweepFile::create(folder / "no/such/a.wgsweep", smallPlan()).message(),
                HasSubstr("does not exist"));
    EXPECT_THAT(SweepFile::create(folder.path(), smallPlan()).message(), HasSubstr("it is a folder"));
}

TEST_F(SweepFileTest, IsNotMadeOverTheRunsOfAnotherSweep) {
    SweepPlan plan = smallPlan(3, 2);
    plan.runFolder = "kept";
    fs::create_directory(folder / "kept");
    // It would write 0 to 11.
    for (const char* name : {"12.wgrun", "007.wgrun", "a.wgrun", "3.txt", "-1.wgrun", "3.wgrun.old"})
        writeContent(folder / "kept" / name, "mine");
    ASSERT_TRUE(SweepFile::create(path, plan));
    fs::remove(path);
    writeContent(folder / "kept/11.wgrun", "mine");
    EXPECT_THAT(SweepFile::create(path, plan).message(),
                HasSubstr("cannot keep run files in " + (folder / "kept").string() +
                          ": 11.wgrun is there already and not this sweep's"));
    writeContent(folder / "kept/2.wgrun", "mine");
    EXPECT_THAT(SweepFile::create(path, plan).message(), HasSubstr("2.wgrun and 1 other are there already"));
    EXPECT_FALSE(fs::exists(path));
    plan.runFolder.clear();
    EXPECT_TRUE(SweepFile::create(path, plan));
}

TEST_F(SweepFileTest, SaysWhereRunsGoThatLeaveItsFolder) {
    SweepPlan plan;
    for (const char* inside : {"", ".", "kept", "kept/here", "kept/../here"}) {
        plan.runFolder = inside;
        EXPECT_EQ(runFolderElsewhere("/a/b/s.wgsweep", plan), "") << inside;
    }
    for (const auto& [outside, said] :
         {std::pair("..", "/a/"), {"../kept", "/a/kept"}, {"x/../../kept", "/a/kept"}, {"/kept", "/kept"}}) {
        plan.runFolder = outside;
        EXPECT_EQ(runFolderElsewhere("/a/b/s.wgsweep", plan),
                  std::string("Run files are kept outside of the sweep's folder, in ") + said + ".");
    }
}

TEST_F(SweepFileTest, IsWrittenByOneAtATime) {
    auto file = must(SweepFile::create(path, smallPlan()));
    EXPECT_THAT(SweepFile::create(path, smallPlan()).message(), HasSubstr("another process is writing it"));
    EXPECT_THAT(SweepFile::resume(path).message(), HasSubstr("another process is writing it"));
    file.reset();
    EXPECT_TRUE(SweepFile::resume(path));
}

TEST_F(SweepFileTest, OfAnotherKindOrVersionIsRefusedInOneSentence) {
    EXPECT_THAT(openSweep(path).message(), HasSubstr("it does not exist"));
    writeContent(path, "");
    EXPECT_THAT(openSweep(path).message(), HasSubstr("the file is empty"));
    writeContent(path,
                 "a text that is long enough to be something else than a header of SQLite's ...........");
    EXPECT_THAT(openSweep(path).message(), HasSubstr("it is not a Warpglass sweep file"));
    EXPECT_THAT(openSweep(TemporaryFolder().path() / "x").message(), HasSubstr("does not exist"));
    fs::copy_file(fs::path(WARPGLASS_SAMPLE_RUNS) / "small-bf16-graph.wgrun", folder / "run.wgsweep");
    EXPECT_THAT(openSweep(folder / "run.wgsweep").message(), HasSubstr("not a Warpglass sweep file"));
    fs::remove(path);
    ASSERT_TRUE(SweepFile::create(path, smallPlan()));
    alterRun(path, "PRAGMA user_version=3");
    for (const std::string& message : {openSweep(path).message(), SweepFile::resume(path).message()})
        EXPECT_THAT(message, HasSubstr("it has format version 3, and this Warpglass reads versions up to 2"));
}

TEST_F(SweepFileTest, CanBeReadWhileItIsWritten) {
    const SweepPlan plan = smallPlan(10, 5);
    auto file = must(SweepFile::create(path, plan));
    std::atomic<std::int64_t> written{0};
    std::thread writer([&] {
        std::mt19937_64 random(5);
        for (const SweepCell& cell : cellsOf(plan)) {
            ASSERT_TRUE(file->finishCell(doneCell(cell, random)));
            ++written;
        }
    });
    std::size_t last = 0;
    while (last < 100) {
        const auto before = static_cast<std::size_t>(written.load());
        const auto read = must(openSweep(path));
        EXPECT_THAT(read.warnings, IsEmpty());
        const std::size_t done = 100 - read.count(CellState::kWaiting);
        EXPECT_GE(done, before) << "what finishCell() has returned from is there";
        EXPECT_GE(done, last);
        last = done;
    }
    writer.join();
}

/// Writes cells until it is killed; the parent learns by a pipe which of them were done for certain.
pid_t startWriter(const fs::path& path, bool isNew, int report) {
    const pid_t child = ::fork();
    if (child != 0)
        return child;
    auto file = isNew ? SweepFile::create(path, smallPlan(50, 2)) : SweepFile::resume(path);
    if (!file)
        ::_exit(3);
    std::mt19937_64 random(17);
    const std::vector<SweepCell> cells = (*file)->sweep().cells;
    for (const SweepCell& cell : cells) {
        if (cell.isDone())
            continue;
        if (!(*file)->beginCell(cell.index, "2026-01-01T00:00:00Z") ||
            !(*file)->finishCell(doneCell(cell, random, 100)))
            ::_exit(4);
        if (::write(report, &cell.index, sizeof cell.index) != sizeof cell.index)
            ::_exit(5);
    }
    ::_exit(0);
}

TEST_F(SweepFileTest, LosesNoFinishedCellToAKillAtAnyMoment) {
    std::mt19937_64 random(3);
    std::vector<std::int64_t> finished;
    bool isNew = true;
    for (int round = 0; round < 40; ++round) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t child = startWriter(path, isNew, ends[1]);
        ASSERT_GT(child, 0);
        ::close(ends[1]);
        // Some cells, and then some part of a write.
        std::int64_t index = 0;
        for (std::uint64_t i = random() % 4; i > 0 && ::read(ends[0], &index, sizeof index) == sizeof index;
             --i)
            finished.push_back(index);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << WEXITSTATUS(status);
        while (::read(ends[0], &index, sizeof index) == sizeof index)
            finished.push_back(index);
        ::close(ends[0]);
        if (!fs::exists(path))
            continue;  // killed before it had its name
        isNew = false;
        const auto read = must(openSweep(path));
        EXPECT_THAT(read.warnings, IsEmpty()) << round;
        EXPECT_EQ(read.count(CellState::kRunning), 0u);
        for (const std::int64_t cell : finished)
            EXPECT_TRUE(read.cells[static_cast<std::size_t>(cell)].isDone()) << cell;
    }
    EXPECT_GT(finished.size(), 20u);
    EXPECT_LT(finished.size(), 200u) << "no cell ran twice once it was done";
}

TEST_F(SweepFileTest, OnAFullDiskKeepsWhatItHeld) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        auto file = SweepFile::create(path, smallPlan(50, 2));
        std::mt19937_64 random(17);
        if (!file || !(*file)->finishCell(doneCell((*file)->sweep().cells[0], random)))
            ::_exit(2);
        const auto size = static_cast<rlim_t>(fs::file_size(path));
        const rlimit limit{size + 8192, size + 8192};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::int64_t cell = 1;
        Status written;
        for (; cell < 200 && written; ++cell)
            written = (*file)->finishCell(
                doneCell((*file)->sweep().cells[static_cast<std::size_t>(cell)], random, 60));
        const bool said = written.ok() ? false : written.message().find("cannot write") == 0;
        // It still holds, and says that it holds, all cells but that one.
        ::_exit(said && !(*file)->sweep().cells[static_cast<std::size_t>(cell - 1)].isDone() ? 0 : 3);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 0);
    const auto read = must(openSweep(path));
    EXPECT_THAT(read.warnings, IsEmpty());
    EXPECT_GT(read.count(CellState::kWaiting), 0u);
    EXPECT_LT(read.count(CellState::kWaiting), 200u);
    EXPECT_TRUE(SweepFile::resume(path));
}

}  // namespace warpglass::test::sweep_file_test
