// Sweeps that keep files of their cells, their runs and LibTorch's memory snapshots: the plan, the sweep
// file, and what becomes of the files.
#include <gmock/gmock.h>

#include <algorithm>

#include "engine/session/save_run.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/run_folder.h"
#include "engine/sweep/sweep_file_tables.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/trace_text.h"
#include "tests/unit/sweep/scripted_sweep.h"

namespace warpglass::test::sweep_snapshots_test {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

SweepPlan keepingSnapshots(SweepPlan plan = smallPlan()) {
    plan.runFolder = "kept";
    plan.memorySnapshots = true;
    return plan;
}

TEST(SweepSnapshots, AreKeptOnAGpuAndBesideRunFilesOnly) {
    SweepPlan plan = keepingSnapshots();
    EXPECT_EQ(checkPlan(plan).message(),
              "A memory snapshot can be taken on a GPU only: LibTorch keeps no history of the CPU's memory.");
    plan.base.device = "cuda:0";
    EXPECT_TRUE(checkPlan(plan));
    plan.axes.push_back({"device", {"cuda:0", "cuda:1"}});
    plan.base.device = "cpu";
    EXPECT_TRUE(checkPlan(plan)) << "an axis takes the place of the base's device";
    plan.axes.back().values = {"cuda:0", "cpu"};
    EXPECT_THAT(checkPlan(plan).message(), HasSubstr("on a GPU only"));
    plan.memorySnapshots = false;
    EXPECT_TRUE(checkPlan(plan));
    plan.axes.back().values = {"cuda:0"};
    plan.memorySnapshots = true;
    plan.runFolder.clear();
    EXPECT_THAT(checkPlan(plan).message(), HasSubstr("there is no folder"));
    EXPECT_THAT(checkPlanOfFile(plan).message(), HasSubstr("there is no folder"));
}

TEST(SweepSnapshots, AreNamedBesideTheRunFile) {
    SweepPlan plan = keepingSnapshots();
    EXPECT_EQ(keptSnapshotOf(plan, 7), "kept/7.pickle");
    plan.memorySnapshots = false;
    EXPECT_EQ(keptSnapshotOf(plan, 7), "");
    EXPECT_FALSE(isKeptSnapshotOf(plan, 7, ""));
    plan = keepingSnapshots();
    plan.runFolder.clear();
    EXPECT_EQ(keptSnapshotOf(plan, 7), "");
}

TEST(SweepSnapshots, AreSaidOfThePlanInWordsThatAreKnown) {
    const SweepPlan plan = keepingSnapshots();
    sweep_file::Pairs pairs = sweep_file::planPairs(plan);
    const auto stated =
        std::ranges::find_if(pairs, [](const auto& pair) { return pair.first == "sweep.memory_snapshots"; });
    ASSERT_NE(stated, pairs.end());
    EXPECT_EQ(stated->second, "yes");
    EXPECT_EQ(*sweep_file::planOf(pairs, plan.axes), plan);
    stated->second = "perhaps";
    EXPECT_EQ(sweep_file::planOf(pairs, plan.axes).message(), "its plan is incomplete");
    pairs.erase(stated);
    EXPECT_FALSE(sweep_file::planOf(pairs, plan.axes)->memorySnapshots) << "as earlier versions wrote it";
}

/// What a sweep keeps of each cell.
struct Kept {
    const char* ending;
    fs::path SweepCell::*file;
    bool (SweepFile::*has)(std::int64_t cell) const;

    fs::path of(std::size_t index) const { return "kept/" + std::to_string(index) + ending; }
};
constexpr Kept kRuns{".wgrun", &SweepCell::runFile, &SweepFile::hasRunOf},
    kSnapshots{".pickle", &SweepCell::memorySnapshot, &SweepFile::hasSnapshotOf};

/// Ends the cell with this file.
void finish(SweepFile& file, std::size_t index, const Kept& kept, const fs::path& path) {
    SweepCell cell = file.sweep().cells[index];
    cell.state = CellState::kOk;
    cell.figures["run_ns"] = 1;
    cell.*kept.file = path;
    ASSERT_TRUE(file.finishCell(cell));
}

/// What a file says of itself in its header: big-endian, at byte 60.
int versionIn(const fs::path& path) {
    return static_cast<unsigned char>(contentOf(path).at(63));
}

struct SweepSnapshotsFile : testing::Test {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.wgsweep";
};

TEST_F(SweepSnapshotsFile, OfVersion1IsReadAsEverAndKeepsNoMemorySnapshots) {
    fs::copy_file(fs::path(WARPGLASS_GOLDEN_DIR) / "sweep-version1.wgsweep", path);
    ASSERT_EQ(versionIn(path), 1);
    const auto read = must(openSweep(path));
    EXPECT_THAT(read.warnings, IsEmpty());
    EXPECT_FALSE(read.plan.memorySnapshots);
    ASSERT_EQ(read.cells.size(), 4u);
    EXPECT_EQ(read.cells[1].state, CellState::kOk);
    EXPECT_EQ(read.cells[1].runFile, "runs/1.wgrun");
    EXPECT_EQ(read.cells[1].memorySnapshot, "");
    EXPECT_EQ(read.cells[0].figures.at("backward_mean_ns"), 4868995);
    EXPECT_EQ(read.cells[3].state, CellState::kSkipped);
    // And gone on with as the version that it is.
    SweepCell cell = read.cells[3].waitingAgain();
    {
        auto file = must(SweepFile::resume(path));
        cell.state = CellState::kOk;
        cell.runFile = "runs/3.wgrun";
        ASSERT_TRUE(file->finishCell(cell));
    }
    EXPECT_EQ(versionIn(path), 1);
    EXPECT_EQ(openSweep(path)->cells[3].state, CellState::kOk);
    EXPECT_EQ(openSweep(path)->cells[3].runFile, "runs/3.wgrun");
}

TEST_F(SweepSnapshotsFile, IsOfVersion2OnlyWhereItKeepsMemorySnapshots) {
    SweepPlan plan = smallPlan();
    plan.runFolder = "kept";
    ASSERT_TRUE(SweepFile::create(folder / "a.wgsweep", plan));
    EXPECT_EQ(versionIn(folder / "a.wgsweep"), 1);
    plan.memorySnapshots = true;
    ASSERT_TRUE(SweepFile::create(folder / "b.wgsweep", plan));
    EXPECT_EQ(versionIn(folder / "b.wgsweep"), 2);
}

TEST_F(SweepSnapshotsFile, DamagedAndMendedStillKeepsItsMemorySnapshots) {
    const SweepPlan plan = keepingSnapshots();
    {
        auto file = must(SweepFile::create(path, plan));
        for (const std::size_t i : {0, 1})
            finish(*file, i, kSnapshots, kSnapshots.of(i));
    }
    // The checksum covers where the snapshot is.
    alterRun(path, "UPDATE cells SET memory_snapshot='' WHERE cell=1");
    const auto file = must(SweepFile::resume(path));
    EXPECT_EQ(file->sweep().plan, plan);
    EXPECT_EQ(file->sweep().cells[0].memorySnapshot, "kept/0.pickle");
    EXPECT_EQ(file->sweep().cells[1].state, CellState::kWaiting);
    EXPECT_EQ(versionIn(path), 2);
}

TEST_F(SweepSnapshotsFile, HasNothingOutsideOfItsRunFolder) {
    for (const Kept* kept : {&kRuns, &kSnapshots}) {
        for (const char* runFolder : {"", "kept", "../kept", "/tmp/kept"}) {
            SweepPlan plan = smallPlan(5, 1);
            plan.runFolder = runFolder;
            plan.memorySnapshots = kept == &kSnapshots;
            if (plan.memorySnapshots && plan.runFolder.empty())
                continue;
            SCOPED_TRACE(std::string(kept->ending) + " in " + runFolder);
            fs::remove(path);
            const std::string ending = kept->ending, other = kept == &kRuns ? ".pickle" : ".wgrun";
            const fs::path own = plan.runFolder.empty() ? fs::path() : plan.runFolder / ("8" + ending);
            // The second has its own name, in another folder.
            const std::vector<fs::path> claimed = {"/etc/passwd",
                                                   "../1" + ending,
                                                   "kept/0" + ending,
                                                   "kept/../../x",
                                                   "",
                                                   "0" + ending,
                                                   "../kept/0" + ending,
                                                   "kept/7" + other,
                                                   own};
            {
                auto file = must(SweepFile::create(path, plan));
                for (std::size_t i = 0; i < claimed.size(); ++i)
                    finish(*file, i, *kept, claimed[i]);
            }
            const auto read = must(openSweep(path));
            for (std::size_t i = 0; i < claimed.size(); ++i) {
                EXPECT_EQ(read.cells[i].*kept->file, i == 8 ? own : fs::path()) << i;
                EXPECT_EQ(read.cells[i].figures.at("run_ns"), 1) << "the result is kept";
            }
            EXPECT_THAT(read.warnings,
                        ElementsAre("Files of 7 cells are not in the sweep's run folder, and are ignored."));
        }
    }
}

TEST_F(SweepSnapshotsFile, GoesOnInAFolderOfItsOwnFilesAlone) {
    for (const Kept* kept : {&kRuns, &kSnapshots}) {
        SCOPED_TRACE(kept->ending);
        fs::remove(path);
        fs::remove_all(folder / "kept");
        SweepPlan plan = smallPlan(3, 2);
        plan.runFolder = "kept";
        plan.memorySnapshots = kept == &kSnapshots;
        {
            auto file = must(SweepFile::create(path, plan));
            finish(*file, 0, *kept, kept->of(0));
            finish(*file, 2, *kept, "");
            ASSERT_TRUE(file->beginCell(1, "2026-02-01T00:00:00Z"));
        }
        writeContent(folder.path() / kept->of(0), "its own");
        writeContent(folder.path() / kept->of(1), "of the cell that was cut off");
        {
            auto file = must(SweepFile::resume(path));
            for (const std::int64_t cell : {0, 1, 2, 3})
                EXPECT_EQ(((*file).*kept->has)(cell), cell < 2) << cell;
        }
        for (const std::size_t cell : {2, 3}) {  // one that ended and kept none, and one that waits
            const fs::path foreign = folder.path() / kept->of(cell);
            writeContent(foreign, "of another sweep");
            EXPECT_THAT(SweepFile::resume(path).message(),
                        HasSubstr(foreign.filename().string() + " is there already"));
            EXPECT_TRUE(openSweep(path)) << "it can be read";
            EXPECT_EQ(contentOf(foreign), "of another sweep");
            fs::remove(foreign);
        }
    }
}

TEST_F(SweepSnapshotsFile, IsNotMadeOverMemorySnapshotsOfAnother) {
    SweepPlan plan = smallPlan(3, 2);
    plan.runFolder = "kept";
    writeContent(folder / "kept/1.pickle", "of a program that is not this one");
    ASSERT_TRUE(SweepFile::create(path, plan)) << "it keeps none";
    fs::remove(path);
    plan.memorySnapshots = true;
    EXPECT_THAT(SweepFile::create(path, plan).message(), HasSubstr("1.pickle is there already"));
}

struct SweepSnapshotsRun : ScriptedSweep {
    /// A plan that a file may hold, though checkPlan() refuses it: its cells run on the CPU, where no GPU is
    /// needed to start them.
    static SweepPlan ofContexts(std::int64_t count, std::int64_t repeats = 1) {
        return keepingSnapshots(contexts(count, repeats));
    }
};

TEST_F(SweepSnapshotsRun, AreAskedForAndKeptAlsoOfACellThatRanOutOfMemory) {
    const Sweep sweep = runToEnd(ofContexts(4), script(R"(case $context in
16) sample small-bf16-flash; echo A > "$snapshot";;
32) sample large-fp32-out-of-memory; echo B > "$snapshot"; exit 1;;
48) echo C > "$snapshot"; echo "warpglass-cli: The host is on fire." >&2; exit 1;;
64) exit 7;;
esac)"));
    ASSERT_EQ(log().size(), 4u);
    EXPECT_THAT(log()[2], HasSubstr("--memory-snapshot " + (folder / "kept/2.pickle").string() + " "));
    const auto& cells = sweep.cells;
    EXPECT_EQ(cells[0].state, CellState::kOk);
    EXPECT_EQ(cells[0].message, "");
    EXPECT_EQ(cells[1].state, CellState::kOutOfMemory);
    EXPECT_THAT(cells[1].message, Not(HasSubstr("snapshot")));
    EXPECT_EQ(cells[2].state, CellState::kFailed);
    EXPECT_EQ(cells[2].message, "The host is on fire.");
    const char* letters = "ABC";
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(cells[i].memorySnapshot, "kept/" + std::to_string(i) + ".pickle");
        EXPECT_EQ(contentOf(folder.path() / cells[i].memorySnapshot), std::string(1, letters[i]) + "\n");
    }
    EXPECT_EQ(cells[3].memorySnapshot, "");
    EXPECT_EQ(cells[3].message, "The process ended with status 7 without saying why.");
}

TEST_F(SweepSnapshotsRun, AreNotAskedForWhereThePlanDoesNot) {
    SweepPlan plan = ofContexts(1);
    plan.memorySnapshots = false;
    const Sweep sweep = runToEnd(plan, script("sample small-bf16-flash"));
    EXPECT_THAT(log(), Not(Contains(HasSubstr("--memory-snapshot"))));
    EXPECT_EQ(sweep.cells[0].message, "");
    EXPECT_EQ(sweep.cells[0].memorySnapshot, "");
}

TEST_F(SweepSnapshotsRun, LieBesideTheRunOfEveryRepeat) {
    const Sweep sweep = runToEnd(ofContexts(1, 2), script("sample small-bf16-flash; echo A > \"$snapshot\""));
    for (const SweepCell& cell : sweep.cells)
        EXPECT_EQ(fs::path(cell.runFile).replace_extension(".pickle"), cell.memorySnapshot);
    EXPECT_EQ(sweep.cells[1].memorySnapshot, "kept/1.pickle");
}

TEST_F(SweepSnapshotsRun, ThatCouldNotBeWrittenAreToldOfACellThatStaysAsItIs) {
    const std::string problem = "Cannot write x.pickle: No space left on device.";
    const auto save = [&](const char* name, const std::string& info) {
        ASSERT_TRUE(saveRun(*traceOf("info " + info), folder / name));
    };
    save("ok", "state finished memory_snapshot.problem \"" + problem + "\"");
    save(
        "oom",
        "state failed state.message \"It needs more.\" allocator.request_bytes 7 memory_snapshot.problem \"" +
            problem + "\"");
    const std::string cases = "from='" + folder.path().string() + R"('; case $context in
16) cp "$from/ok" "$output"; echo "warpglass-cli: A caution about clocks." >&2; exit 1;;
32) cp "$from/oom" "$output"; exit 1;;
48) sample small-bf16-flash;;
64) sample small-bf16-flash; echo "warpglass-cli: No table." >&2; exit 1;;
esac)";
    const Sweep sweep = runToEnd(ofContexts(4), script(cases));
    const auto& cells = sweep.cells;
    EXPECT_EQ(cells[0].state, CellState::kOk);
    EXPECT_EQ(cells[0].message, problem);
    EXPECT_EQ(cells[1].state, CellState::kOutOfMemory);
    EXPECT_THAT(cells[1].message, ::testing::StartsWith("It needs more; a peak of "));
    EXPECT_THAT(cells[1].message, ::testing::EndsWith("had been predicted. " + problem));
    EXPECT_EQ(cells[2].state, CellState::kOk);
    EXPECT_EQ(cells[2].message, "It left no memory snapshot, and did not say why.");
    EXPECT_EQ(cells[3].state, CellState::kFailed) << "it failed at something else";
    EXPECT_EQ(cells[3].message, "No table.");
    for (const SweepCell& cell : cells)
        EXPECT_EQ(cell.memorySnapshot, "");
}

TEST_F(SweepSnapshotsRun, OfAnEarlierStartAreGoneBeforeTheCellStartsAgain) {
    const SweepPlan plan = ofContexts(2);
    fs::create_directory(folder / "kept");
    {
        auto file = must(SweepFile::create(folder / "a.wgsweep", plan));
        SweepCell failed = file->sweep().cells[0];
        failed.state = CellState::kFailed;
        failed.memorySnapshot = "kept/0.pickle";
        ASSERT_TRUE(file->finishCell(failed));
        ASSERT_TRUE(file->beginCell(1, "2026-02-01T00:00:00Z"));
    }
    for (const char* name : {"0.pickle", "0.pickle.part", "1.pickle", "1.pickle.part"})
        writeContent(folder / "kept" / name, "of an earlier start");
    auto file = must(SweepFile::resume(folder / "a.wgsweep"));
    EXPECT_TRUE(file->sweep().plan.memorySnapshots) << "kept on resume";
    const auto run = SweepRun::start(
        std::move(file),
        {script(R"(sample small-bf16-flash; ls "$snapshot"* >> ')" + (folder / "found").string() +
                "' 2> /dev/null; [ $context = 32 ] || echo new > \"$snapshot\""),
         {CellState::kFailed}});
    run->wait();
    EXPECT_EQ(run->error(), "");
    EXPECT_EQ(contentOf(folder / "found"), "");
    EXPECT_EQ(log().size(), 2u);
    EXPECT_EQ(contentOf(folder / "kept/0.pickle"), "new\n");
    EXPECT_EQ(run->sweep()->cells[0].memorySnapshot, "kept/0.pickle");
    EXPECT_EQ(run->sweep()->cells[1].memorySnapshot, "") << "it left none now";
    EXPECT_FALSE(fs::exists(folder / "kept/1.pickle"));
}

TEST_F(SweepSnapshotsRun, OfACellThatWasStoppedAreGone) {
    const auto run =
        start(ofContexts(1), script("echo A > \"$snapshot\"; echo A > \"$snapshot.part\"; sleep 100"));
    ASSERT_TRUE(comesTrue([&] { return fs::exists(folder / "kept/0.pickle.part"); }));
    run->stop();
    run->wait();
    EXPECT_EQ(run->sweep()->cells[0].state, CellState::kWaiting);
    EXPECT_TRUE(fs::is_empty(folder / "kept"));
}

TEST_F(SweepSnapshotsRun, EndBeforeOneIsReplacedThatCameIntoTheFolderMeanwhile) {
    const fs::path foreign = folder / "kept/1.pickle";
    const auto run = start(
        ofContexts(2),
        script("sample small-bf16-flash; echo A > \"$snapshot\"; echo other > '" + foreign.string() + "'"));
    run->wait();
    EXPECT_EQ(run->error(), "cannot write " + foreign.string() +
                                ": another memory snapshot has been saved there since the sweep began");
    EXPECT_EQ(contentOf(foreign), "other\n");
    EXPECT_EQ(log().size(), 1u);
}

}  // namespace warpglass::test::sweep_snapshots_test
