// Run files written whole or while a run goes on: what is read back is what was recorded, to the last row.
#include "engine/io/run_file.h"
#include "engine/session/save_run.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tests/support/files.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/snapshot_walk.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "tests/unit/io/random_trace.h"

namespace warpglass::test::run_file_test {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// Opens and compares; also that nothing is warned of but what `warnings` counts.
void expectSame(const Snapshot& snapshot, const fs::path& path, std::size_t warnings) {
    const auto opened = must(openRun(path));
    EXPECT_EQ(firstDifference(snapshot, *opened.snapshot), "");
    EXPECT_EQ(opened.warnings.size(), warnings) << testing::PrintToString(opened.warnings);
    EXPECT_EQ(verifyRun(path), std::vector<std::string>()) << "what the recording lost is no damage";
}

struct RunFileTest : testing::Test {
    void expectComesBack(const Snapshot& run, std::size_t warnings = 0) const {
        ASSERT_TRUE(saveRun(run, folder / "a.wgrun"));
        expectSame(run, folder / "a.wgrun", warnings);
    }

    const TemporaryFolder folder;
};

TEST_F(RunFileTest, ASyntheticRunComesBack) {
    expectComesBack(*makeSyntheticRun());
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST_F(RunFileTest, AnEmptyRunComesBack) {
    expectComesBack(*traceOf("info state finished ; end 5"));
}

TEST_F(RunFileTest, RandomTracesComeBack) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        RandomTrace trace(seed);
        trace.burst(seed == 3 ? 200000 : 20000);  // the last fills a chunk of spans
        trace.writer().setInfo("state", run_state::kStopped);
        const auto run = trace.commit();
        expectComesBack(*run, run->losses().size());
    }
}

TEST_F(RunFileTest, FullAndPartialChunksOfManyLanesComeBack) {
    for (const std::uint64_t rows : {3ull * kChunkRows, 3ull * kChunkRows + 1, 3ull * kChunkRows - 1})
        expectComesBack(*makeManySpans(rows, 3));
    expectComesBack(*makeManySpans(3000, 300));
    expectComesBack(*makeManyMemoryEvents(200000));
}

TEST_F(RunFileTest, OnlyWhatIsReadIsInMemory) {
    const auto run = makeSyntheticRun();
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    const auto opened = must(openRun(folder / "a.wgrun"));
    const Snapshot& snapshot = *opened.snapshot;
    EXPECT_EQ(snapshot.bytesInMemory(), 0u);

    const SpanLane lane = snapshot.lane(LaneId(0));
    ASSERT_TRUE(lane.row(0));
    const std::uint64_t spanBytes = sizeof(SpanChunk) / kChunkRows;
    EXPECT_EQ(snapshot.bytesInMemory(), lane.rowsInChunk(0) * spanBytes);

    readEverything(snapshot);
    const std::uint64_t all = snapshot.bytesInMemory();
    EXPECT_EQ(all, run->bytesInMemory()) << "of a recorded run everything is";
    EXPECT_GT(all, snapshot.spanCount() * spanBytes) << "and its memory";
}

TEST_F(RunFileTest, WrittenInManyPiecesIsTheSameAsSavedAtOnce) {
    RandomTrace trace(11);
    auto writer = must(RunFileWriter::create(folder / "live.wgrun"));
    // Bursts of every size: nothing new, a little, more than a chunk.
    std::shared_ptr<const Snapshot> run;
    for (const int burst : {0, 1, 0, 100, 63, 64, 5000, 3, 150000, 40000, 1, 1000}) {
        trace.burst(burst);
        run = trace.commit();
        ASSERT_TRUE(writer->write(*run));
        const auto opened = must(openRun(folder / "live.wgrun"));
        ASSERT_EQ(firstDifference(*run, *opened.snapshot), "") << "after a burst of " << burst;
    }
    trace.finish();
    run = trace.commit();
    ASSERT_TRUE(finishRun(*writer, *run));
    EXPECT_FALSE(writer->write(*run)) << "it is finished";
    EXPECT_EQ(filesIn(folder.path()), 1u) << "no journal remains, with the writer still there";
    expectSame(*run, folder / "live.wgrun", run->losses().size());
    ASSERT_TRUE(saveRun(*run, folder / "saved.wgrun"));
    expectSame(*run, folder / "saved.wgrun", run->losses().size());
}

TEST_F(RunFileTest, CategoriesThatAreDecidedLateReplaceThePreliminaryOnes) {
    TraceWriter trace;
    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    // More than a chunk stays undecided across a write that adds nothing to the first chunk.
    for (std::uint32_t i = 0; i < kChunkRows + 10; ++i) {
        trace.appendAllocation(Nanoseconds(i), {.category = Category::kTemporaries});
    }
    trace.commit(Nanoseconds(0));
    ASSERT_TRUE(writer->write(*trace.feed()->latest()));
    trace.setCategory(AllocationId(5), Category::kActivations);
    trace.settle();
    trace.commit(Nanoseconds(0));
    ASSERT_TRUE(finishRun(*writer, *trace.feed()->latest()));
    const auto opened = must(openRun(folder / "a.wgrun"));
    EXPECT_EQ(opened.snapshot->categoryOf(AllocationId(5)), Category::kActivations);
    EXPECT_EQ(firstDifference(*trace.feed()->latest(), *opened.snapshot), "");
}

TEST_F(RunFileTest, AnUnfinishedRunSaysSoAndShowsTheStepThatWasCut) {
    const auto run = makeSyntheticRun({.state = "recording"});
    ASSERT_FALSE(run->openSpans().empty());
    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    ASSERT_TRUE(writer->write(*run));
    writer.reset();
    const auto opened = must(openRun(folder / "a.wgrun"));
    EXPECT_EQ(firstDifferenceOfCutOff(*run, *opened.snapshot), "");
    EXPECT_THAT(opened.warnings, testing::ElementsAre(HasSubstr("The recording was cut off")));
}

TEST_F(RunFileTest, ACopyThatWasSavedOfARecordingThatWentOnSaysSo) {
    const auto run = makeSyntheticRun({.state = "recording"});
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    const auto opened = must(openRun(folder / "a.wgrun"));
    ASSERT_EQ(opened.warnings.size(), 1u);
    EXPECT_THAT(opened.warnings[0], HasSubstr("The copy was saved while the run was still being recorded"));
    EXPECT_EQ(opened.snapshot->info().get("state.message"), opened.warnings[0]);
    // A copy of that copy is the same; one of a run that ended says nothing.
    ASSERT_TRUE(saveRun(*opened.snapshot, folder / "b.wgrun"));
    EXPECT_EQ(must(openRun(folder / "b.wgrun")).snapshot->info(), opened.snapshot->info());
    ASSERT_TRUE(saveRun(*makeSyntheticRun(), folder / "c.wgrun"));
    EXPECT_FALSE(openRun(folder / "c.wgrun")->snapshot->info().has(run_state::kCopyOfRecording));
}

TEST_F(RunFileTest, AnOpenedRunCanBeSavedOverItself) {
    const auto run = makeSyntheticRun();
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    const auto opened = must(openRun(folder / "a.wgrun"));
    ASSERT_TRUE(saveRun(*opened.snapshot, folder / "a.wgrun"));
    expectSame(*run, folder / "a.wgrun", 0);
    EXPECT_EQ(firstDifference(*run, *opened.snapshot), "") << "the old snapshot keeps reading the old file";
}

TEST_F(RunFileTest, CreateLeavesAnExistingFileUntilTheFirstWrite) {
    ASSERT_TRUE(saveRun(*makeManySpans(100, 1), folder / "a.wgrun"));
    const std::string before = contentOf(folder / "a.wgrun");
    {
        const auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
        EXPECT_EQ(contentOf(folder / "a.wgrun"), before);
    }
    EXPECT_EQ(contentOf(folder / "a.wgrun"), before);
    EXPECT_EQ(filesIn(folder.path()), 1u) << "a writer that never wrote leaves nothing";

    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    const auto run = makeSyntheticRun();
    ASSERT_TRUE(writer->write(*run));
    expectSame(*run, folder / "a.wgrun", 0);
    ASSERT_TRUE(finishRun(*writer, *run));
    expectSame(*run, folder / "a.wgrun", 0);
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST_F(RunFileTest, AWriterThatNeverWroteLeavesNoFile) {
    ASSERT_TRUE(RunFileWriter::create(folder / "a.wgrun"));
    EXPECT_EQ(filesIn(folder.path()), 0u);
}

TEST_F(RunFileTest, SavingCanBeCanceledAndLeavesTheOldFile) {
    const auto run = makeManySpans(5 * kChunkRows, 2);
    ASSERT_TRUE(saveRun(*makeManySpans(10, 1), folder / "a.wgrun"));
    const std::string before = contentOf(folder / "a.wgrun");
    std::vector<double> seen;
    const Status saved = saveRun(*run, folder / "a.wgrun", [&](double share) {
        seen.push_back(share);
        return seen.size() < 3;
    });
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.message(), HasSubstr("canceled"));
    EXPECT_EQ(seen.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
    EXPECT_EQ(contentOf(folder / "a.wgrun"), before);
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST_F(RunFileTest, ProgressEndsAtOne) {
    double last = 0;
    ASSERT_TRUE(saveRun(*makeSyntheticRun(), folder / "a.wgrun", [&](double share) {
        last = share;
        return true;
    }));
    EXPECT_EQ(last, 1.0);
}

// Every other program that can read SQLite sees the run's plain tables.
TEST_F(RunFileTest, PlainTablesAreReadableWithSql) {
    const auto run = makeSyntheticRun();
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open_v2((folder / "a.wgrun").c_str(), &database, SQLITE_OPEN_READONLY, nullptr),
              SQLITE_OK);
    const auto query = [&](const char* sql) {
        std::string text;
        sqlite3_exec(
            database, sql,
            [](void* out, int, char** values, char**) {
                *static_cast<std::string*>(out) += std::string(values[0] ? values[0] : "NULL") + ";";
                return 0;
            },
            &text, nullptr);
        return text;
    };
    EXPECT_EQ(query("PRAGMA integrity_check"), "ok;");
    EXPECT_EQ(query("SELECT value FROM info WHERE key='state'"), "finished;");
    EXPECT_EQ(query("SELECT sum(rows) FROM chunks WHERE kind=0"), std::to_string(run->spanCount()) + ";");
    EXPECT_EQ(query("SELECT sum(rows) FROM lanes"), std::to_string(run->spanCount()) + ";");
    EXPECT_EQ(query("SELECT count(*) FROM statistics WHERE name='aten::mm' AND instances>0 AND total_ns>0"),
              "1;");
    EXPECT_EQ(query("SELECT s.text FROM tracks t JOIN strings s ON s.id=t.name WHERE t.kind=0"), "steps;");
    sqlite3_close(database);
}

TEST_F(RunFileTest, TargetsThatCannotBeWrittenGetASentence) {
    const auto run = makeManySpans(10, 1);
    const auto expectRefused = [&](const fs::path& path, const std::string& cause) {
        const Status saved = saveRun(*run, path);
        ASSERT_FALSE(saved);
        EXPECT_THAT(saved.message(), AllOf(HasSubstr(path.string()), HasSubstr(cause)));
        const auto writer = RunFileWriter::create(path);
        ASSERT_FALSE(writer);
        EXPECT_EQ(writer.message(), saved.message());
    };
    expectRefused(folder / "missing" / "a.wgrun", "does not exist");
    expectRefused(folder.path(), "it is a folder");
    expectRefused("", "it is not a file name");
    expectRefused("/proc/a.wgrun", "cannot write");
    expectRefused("/dev/null", "it is not a regular file");
}

TEST_F(RunFileTest, NamesThatMeanSomethingToSqliteAreOnlyNames) {
    const auto run = makeManySpans(10, 1);
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    for (const char* name : {":memory:", "file:x?mode=memory", "50% & #1.wgrun", "naïve – 1.wgrun"}) {
        EXPECT_TRUE(saveRun(*run, name)) << name;
        EXPECT_TRUE(fs::exists(folder / name)) << name;
        expectSame(*run, name, 0);
    }
    fs::current_path(before);
}

TEST_F(RunFileTest, FilesThatAreNotRunsGetASentence) {
    const auto expectRefused = [&](const fs::path& path, const std::string& cause) {
        const auto opened = openRun(path);
        ASSERT_FALSE(opened) << cause;
        EXPECT_THAT(opened.message(), AllOf(HasSubstr(path.string()), HasSubstr(cause)));
        EXPECT_EQ(verifyRun(path), std::vector<std::string>{opened.message()});
    };
    const auto write = [&](const std::string& name, const std::string& content) {
        writeContent(folder / name, content);
        return folder / name;
    };
    expectRefused(folder / "missing.wgrun", "it does not exist");
    expectRefused(folder.path(), "it is a folder");
    expectRefused("/dev/null", "it is not a regular file");
    expectRefused(write("empty", ""), "the file is empty");
    expectRefused(write("text", "hello\n"), "it is not a Warpglass run file");
    expectRefused(write("noise", std::string(100000, '\x5a')), "it is not a Warpglass run file");
    expectRefused(write("start", "SQLite form"), "it is cut off after 11 bytes");

    alterRun(folder / "other.db", "CREATE TABLE info(a)");
    expectRefused(folder / "other.db", "a SQLite database, but not a Warpglass run file");
}

TEST_F(RunFileTest, ANewerVersionIsRefusedByNamingBoth) {
    ASSERT_TRUE(saveRun(*makeManySpans(10, 1), folder / "a.wgrun"));
    alterRun(folder / "a.wgrun", "PRAGMA user_version=7");
    const auto opened = openRun(folder / "a.wgrun");
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.message(), AllOf(HasSubstr("format version 7"), HasSubstr("versions up to 4")));
}

TEST_F(RunFileTest, SaysWhyKernelsAreMissing) {
    const auto run = traceOf("info state finished capture.problem \"another tool holds CUPTI\"");
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    const auto opened = must(openRun(folder / "a.wgrun"));
    EXPECT_THAT(opened.warnings,
                testing::ElementsAre("Kernels were not recorded: another tool holds CUPTI."));
    EXPECT_TRUE(verifyRun(folder / "a.wgrun").empty()) << "that is no damage";
}

// Keeps for ever: what a version wrote is read as it was written. WARPGLASS_WRITE_GOLDEN makes the files of
// the present version anew; those of older ones cannot be made any more.
const fs::path kGolden = WARPGLASS_GOLDEN_DIR;

/// Compares all of `version`'s file with what is written of it. It is copied into `temporary`: opening must
/// not touch the committed file.
std::shared_ptr<const Snapshot> readGolden(const std::string& version, const TemporaryFolder& temporary) {
    const fs::path copy = temporary / (version + ".wgrun");
    fs::copy_file(kGolden / (version + ".wgrun"), copy);
    const auto run = must(openRun(copy)).snapshot;
    EXPECT_EQ(describeEverything(*run), contentOf(kGolden / (version + ".txt")));
    return run;
}

TEST_F(RunFileTest, TheGoldenFilesOfOlderVersionsAreReadAsEver) {
    readGolden("version1", TemporaryFolder());
    EXPECT_GT(readGolden("version2", TemporaryFolder())->detailCount(), 100u);
    EXPECT_GT(readGolden("version3", TemporaryFolder())->segmentEventCount(), 10u);
}

TEST_F(RunFileTest, TheGoldenFileOfVersion4IsReadAsEver) {
    if (std::getenv("WARPGLASS_WRITE_GOLDEN")) {
        RandomTrace trace(30);
        trace.burst(900);
        const auto run = trace.commit();
        ASSERT_TRUE(saveRun(*run, kGolden / "version4.wgrun"));
        ASSERT_TRUE(writeMarks(kGolden / "version4.wgrun", {{Nanoseconds(7), "größer"}}));
        std::ofstream(kGolden / "version4.txt", std::ios::binary) << describeEverything(*run);
    }
    EXPECT_GT(readGolden("version4", TemporaryFolder())->segmentEventCount(), 10u);
    EXPECT_EQ(verifyRun(kGolden / "version4.wgrun"), std::vector<std::string>());
}

}  // namespace warpglass::test::run_file_test
