// Recordings that were killed, starved of space or not allowed to write: what was written is kept, and a
// sentence says so.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/support/files.h"
#include "tests/support/killed_write.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/snapshot_compare.h"
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
    TemporaryFolder folder;
    const auto run = makeManySpans(50000, 1);
    ASSERT_TRUE(saveRun(*makeSyntheticRun(), folder / "a.wgrun"));
    EXPECT_FALSE(journalOf(folder / "a.wgrun"));
    makeKilledWrite(folder / "a.wgrun");
    EXPECT_EQ(journalOf(folder / "a.wgrun"), folder / "a.wgrun-journal") << "what goes with it to the trash";
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    EXPECT_FALSE(journalOf(folder / "a.wgrun"));
    EXPECT_EQ(firstDifference(*run, *must(openRun(folder / "a.wgrun")).snapshot), "");
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
    TemporaryFolder folder;
    const auto run = makeManySpans(3 * kChunkRows, 1);
    const fs::path path = folder / "a.wgrun";
    ASSERT_TRUE(saveRun(*run, path));
    makeKilledWrite(path);
    for (const fs::path& file : {path, fs::path(path) += "-journal"})
        fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    fs::permissions(folder.path(), kReadOnlyFolder);
    EXPECT_TRUE(asOrdinaryUser([&] {
        const auto opened = openRun(path);
        return opened && opened->warnings.empty() &&
               expectOnlyTrueSpans(*run, *opened->snapshot) == 3 * kChunkRows;
    }));
    fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(Permissions, WhatMayNotBeReadOrWrittenSaysSo) {
    TemporaryFolder folder;
    const auto run = makeManySpans(10, 1);
    const fs::path path = folder / "a.wgrun";
    ASSERT_TRUE(saveRun(*run, path));
    fs::permissions(path, fs::perms::none);
    fs::permissions(folder.path(), kReadOnlyFolder);
    const auto denied = [](const auto& result) {
        return !result && result.message().find("Permission denied") != std::string::npos;
    };
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(openRun(path)); }));
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(saveRun(*run, path)); }));
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(saveRun(*run, folder / "b.wgrun")); }));
    EXPECT_TRUE(asOrdinaryUser([&] { return denied(RunFileWriter::create(folder / "b.wgrun")); }));
    fs::permissions(folder.path(), fs::perms::owner_all);
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
    TemporaryFolder folder;
    const auto old = makeManySpans(100, 1);
    const auto run = makeManySpans(100000, 1);
    ASSERT_TRUE(saveRun(*old, folder / "a.wgrun"));
    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    {
        const FullDisk full(100000);
        EXPECT_FALSE(writer->write(*run));
        const Status saved = saveRun(*run, folder / "a.wgrun");
        ASSERT_FALSE(saved);
        EXPECT_THAT(saved.message(), HasSubstr("cannot write " + (folder / "a.wgrun").string() + ": "));
        EXPECT_FALSE(saveRun(*run, folder / "b.wgrun"));
        EXPECT_FALSE(fs::exists(folder / "b.wgrun"));
    }
    writer.reset();
    EXPECT_EQ(filesIn(folder.path()), 1u);
    EXPECT_EQ(firstDifference(*old, *must(openRun(folder / "a.wgrun")).snapshot), "");
}

}  // namespace warpglass::test::run_file_survival_test
