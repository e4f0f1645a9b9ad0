// Recordings that were killed, starved of space or not allowed to write: what was written is kept, and a
// sentence says so.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/support/files.h"
#include "tests/support/killed_write.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/saved_run.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/snapshot_walk.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io/random_trace.h"
#include "tests/unit/io/true_spans.h"

namespace warpglass::test::run_file_survival_test {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

// What a run is being killed with leaves, at whatever moment it comes, is a file that opens.
TEST(KilledRecording, LeavesAFileThatOpens) {
    for (int round = 0; round < 8; ++round) {
        TemporaryFolder folder;
        const fs::path path = folder / "a.wgrun";
        if (round % 2 == 1) {
            ASSERT_TRUE(saveRun(*makeManySpans(10, 1), path));  // and one that replaces a file
        }
        int started[2];
        ASSERT_EQ(::pipe(started), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            TraceWriter trace;
            trace.setInfo("state", run_state::kRecording);
            auto writer = RunFileWriter::create(path);
            if (!writer)
                ::_exit(1);
            for (std::uint64_t i = 0;; ++i) {
                appendManySpans(trace, 3000, 1, i);
                if (!(*writer)->write(*trace.feed()->latest()))
                    ::_exit(2);
                if (i == 0 && ::write(started[1], "x", 1) != 1)
                    ::_exit(3);
            }
        }
        char byte = 0;
        ASSERT_EQ(::read(started[0], &byte, 1), 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(7 * round + 1));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself, with status " << status;
        ::close(started[0]);
        ::close(started[1]);

        const auto opened = must(openRun(path));
        EXPECT_GE(opened.snapshot->spanCount(), 3000u);
        EXPECT_EQ(opened.snapshot->spanCount() % 3000, 0u) << "whole writes only";
        EXPECT_THAT(opened.warnings, testing::ElementsAre(HasSubstr("The recording was cut off")));
        EXPECT_EQ(verifyRun(path), std::vector<std::string>()) << "cut off, but whole as a file";
        // Opening has undone the half write on a copy, and left the file and its journal as they were.
        fs::copy_file(path, folder / "copy.wgrun");
        if (const fs::path journal = path.string() + "-journal"; fs::exists(journal))
            fs::copy_file(journal, folder / "copy.wgrun-journal");
        EXPECT_EQ(firstDifference(*opened.snapshot, *must(openRun(folder / "copy.wgrun")).snapshot), "");
    }
}

// A journal from an older, killed recording of the same name must not be rolled back into a new file.
TEST(KilledRecording, AStaleJournalIsNotAppliedToANewFile) {
    const auto run = makeManySpans(50000, 1);
    const SavedRun saved(*makeSyntheticRun());
    EXPECT_FALSE(journalOf(saved.path));
    makeKilledWrite(saved.path);
    EXPECT_EQ(journalOf(saved.path), saved.folder / "a.wgrun-journal") << "what goes with it to the trash";
    ASSERT_TRUE(saveRun(*run, saved.path));
    EXPECT_FALSE(journalOf(saved.path));
    EXPECT_EQ(firstDifference(*run, *must(openRun(saved.path)).snapshot), "");
}

// Nor where the old file is gone and its journal has stayed: SQLite would take it for the new file's.
TEST(KilledRecording, TheJournalOfADeletedFileIsNotAppliedToANewOneOfItsName) {
    TemporaryFolder folder;
    const fs::path path = folder / "a.wgrun", journal = folder / "a.wgrun-journal",
                   wal = folder / "a.wgrun-wal";
    const auto run = makeManySpans(50000, 1);
    const auto leaveJournal = [&] {
        ASSERT_TRUE(saveRun(*makeSyntheticRun(), path));
        makeKilledWrite(path);
        fs::remove(path);
        ASSERT_TRUE(fs::exists(journal));
        std::ofstream(wal, std::ios::binary) << std::string("\x37\x7f\x06\x82 and more", 13);
    };
    const auto expectTheRun = [&] {
        EXPECT_EQ(firstDifference(*run, *must(openRun(path)).snapshot), "");
        EXPECT_EQ(verifyRun(path), std::vector<std::string>());
        EXPECT_EQ(filesIn(folder.path()), 1u);
        fs::remove(path);
    };
    leaveJournal();
    ASSERT_TRUE(saveRun(*run, path));
    expectTheRun();
    leaveJournal();
    auto writer = must(RunFileWriter::create(path));
    ASSERT_TRUE(finishRun(*writer, *run));
    writer.reset();
    expectTheRun();
}

// What somebody else has put there under the journal's name is neither removed nor shown to SQLite.
TEST(KilledRecording, WhatIsNoJournalIsInTheWayOfANewFile) {
    for (const char* end : {"-journal", "-wal"}) {
        TemporaryFolder folder;
        const fs::path path = folder / "a.wgrun", note = path.string() + end;
        const auto run = makeSyntheticRun();
        std::ofstream(note) << "a note";
        const std::string problem =
            "cannot write " + path.string() + ": " + note.string() + " is in the way: it is no journal";
        EXPECT_EQ(saveRun(*run, path).message(), problem);
        EXPECT_EQ(RunFileWriter::create(path).message(), problem);
        EXPECT_EQ(contentOf(note), "a note");
        EXPECT_EQ(filesIn(folder.path()), 1u);
        fs::remove(note);
        fs::create_directory(note);
        EXPECT_THAT(saveRun(*run, path).message(), HasSubstr("is in the way: it is not a regular file"));
        EXPECT_THAT(RunFileWriter::create(path).message(), HasSubstr("is in the way"));
        EXPECT_EQ(filesIn(folder.path()), 1u);
    }
}

/// r-xr-xr-x
constexpr auto kReadOnlyFolder = static_cast<fs::perms>(0555);

/// Runs in a process that is not allowed everything, unlike a container's root; true when `holds` does.
template <class Holds>
bool asOrdinaryUser(Holds&& holds) {
    constexpr uid_t kNobody = 65534;
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && ::setuid(kNobody) != 0)
            ::_exit(2);
        ::_exit(holds() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(KilledRecording, IsReadWholeInAWriteProtectedFolder) {
    const auto run = makeManySpans(3 * kChunkRows, 1);
    const SavedRun saved(*run);
    makeKilledWrite(saved.path);
    for (const fs::path& file : {saved.path, fs::path(saved.path) += "-journal"})
        fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    fs::permissions(saved.folder.path(), kReadOnlyFolder);
    EXPECT_TRUE(asOrdinaryUser([&] {
        const auto opened = openRun(saved.path);
        return opened && opened->warnings.empty() &&
               expectOnlyTrueSpans(*run, *opened->snapshot) == 3 * kChunkRows;
    }));
    fs::permissions(saved.folder.path(), fs::perms::owner_all);
}

TEST(Permissions, WhatMayNotBeReadOrWrittenSaysSo) {
    const auto run = makeManySpans(10, 1);
    const SavedRun saved(*run);
    fs::permissions(saved.path, fs::perms::none);
    fs::permissions(saved.folder.path(), kReadOnlyFolder);
    const auto denied = [](const auto& result) {
        return !result && result.message().find("Permission denied") != std::string::npos;
    };
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(openRun(saved.path)); }));
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(saveRun(*run, saved.path)); }));
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(saveRun(*run, saved.folder / "b.wgrun")); }));
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(RunFileWriter::create(saved.folder / "b.wgrun")); }));
    fs::permissions(saved.folder.path(), fs::perms::owner_all);
}

/// Lets no file of this process grow beyond some size, as a full disk would; back to normal at the end.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

TEST(FullDisk, StopsTheRecordingAndKeepsWhatWasWritten) {
    TemporaryFolder folder;
    RandomTrace trace(31);
    trace.burst(5000);
    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    const auto first = trace.commit();
    ASSERT_TRUE(writer->write(*first));
    const auto size = fs::file_size(folder / "a.wgrun");
    trace.burst(100000);
    const auto second = trace.commit();
    Status failed;
    {
        const FullDisk full(size + 20000);
        failed = writer->write(*second);
    }
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.message(), HasSubstr("cannot write " + (folder / "a.wgrun").string()));
    EXPECT_THAT(failed.message(), AnyOf(HasSubstr("File too large"), HasSubstr("no space is left")));
    // There is room again, but the file would lack what lies between.
    const Status later = finishRun(*writer, *second);
    ASSERT_FALSE(later);
    EXPECT_EQ(later.message(), failed.message());
    writer.reset();
    EXPECT_EQ(firstDifferenceOfCutOff(*first, *must(openRun(folder / "a.wgrun")).snapshot), "");
    EXPECT_EQ(filesIn(folder.path()), 1u);
    // Everything is still in memory and can be saved elsewhere.
    EXPECT_TRUE(saveRun(*second, folder / "elsewhere.wgrun"));
}

TEST(FullDisk, AtTheFirstWriteOrWhileSavingLeavesTheOldFile) {
    const auto old = makeManySpans(100, 1);
    const auto run = makeManySpans(100000, 1);
    const SavedRun saved(*old);
    auto writer = must(RunFileWriter::create(saved.path));
    {
        const FullDisk full(100000);
        EXPECT_FALSE(writer->write(*run));
        const Status status = saveRun(*run, saved.path);
        ASSERT_FALSE(status);
        EXPECT_THAT(status.message(), HasSubstr("cannot write " + saved.path.string() + ": "));
        EXPECT_FALSE(saveRun(*run, saved.folder / "b.wgrun"));
        EXPECT_FALSE(fs::exists(saved.folder / "b.wgrun"));
    }
    writer.reset();
    EXPECT_EQ(filesIn(saved.folder.path()), 1u);
    EXPECT_EQ(firstDifference(*old, *must(openRun(saved.path)).snapshot), "");
}

// Recording, writing the file and reading at the same time, as a live run does; under the thread sanitizer
// this is the test that the store's promises hold.

TEST(RunFileThreads, RecordingWritingViewingAndOpeningAtOnce) {
    TemporaryFolder folder;
    RandomTrace trace(41);
    const std::shared_ptr<TraceFeed> feed = trace.writer().feed();
    trace.burst(100);
    trace.commit();
    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    ASSERT_TRUE(writer->write(*feed->latest()));

    std::atomic<bool> recording{true};
    std::atomic<std::uint64_t> sum{0};
    trace.writer().handOver();
    std::thread recorder([&] {
        for (int i = 0; i < 150; ++i) {
            trace.burst(1000);
            trace.commit();
        }
        trace.writer().settle();
        trace.commit();
        recording = false;
    });
    std::thread fileWriter([&] {
        while (recording)
            EXPECT_TRUE(writer->write(*feed->latest()));
    });
    std::thread viewer([&] {
        while (recording)
            sum += readEverything(*feed->latest());
    });
    std::thread opener([&] {
        while (recording) {
            const auto opened = must(openRun(folder / "a.wgrun"));
            // What was read at opening holds, though the file grows beneath it.
            const Snapshot& snapshot = *opened.snapshot;
            for (std::size_t lane = 0; lane < snapshot.laneCount(); ++lane) {
                if (const std::uint64_t rows = snapshot.lane(LaneId(lane)).rows(); rows > 0) {
                    EXPECT_TRUE(snapshot.lane(LaneId(lane)).row(rows - 1));
                }
            }
            sum += readEverything(snapshot);
        }
    });
    for (std::thread* thread : {&recorder, &fileWriter, &viewer, &opener})
        thread->join();
    ASSERT_TRUE(finishRun(*writer, *feed->latest()));
    const auto opened = must(openRun(folder / "a.wgrun"));
    // The trace was never told that its run had ended.
    EXPECT_EQ(firstDifferenceOfCutOff(*feed->latest(), *opened.snapshot), "");
}

TEST(RunFileThreads, ManyThreadsLoadTheChunksOfOneOpenedRun) {
    const auto run = makeManySpans(6 * kChunkRows + 100, 2);
    const SavedRun saved(*run);
    const std::uint64_t expected = readEverything(*run);
    const auto opened = must(openRun(saved.path));
    std::vector<std::thread> threads;
    std::atomic<int> same{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { same += readEverything(*opened.snapshot) == expected ? 1 : 0; });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(same, 4);
}

}  // namespace warpglass::test::run_file_survival_test
