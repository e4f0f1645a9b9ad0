// Reading a run changes nothing on the disk, whatever lies beside it; and what a file says of a recording
// that goes on, was killed, or met another one.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <string>

#include "engine/io/exclusive_file.h"
#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/support/killed_write.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::run_file_reading_test {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

fs::path journalOf(const fs::path& path) {
    return fs::path(path) += "-journal";
}

/// Every file of a folder with its bytes; links and pipes by what they are.
std::map<std::string, std::string> contentsOf(const fs::path& folder) {
    std::map<std::string, std::string> contents;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        contents[entry.path().filename().string()] = entry.is_symlink()        ? "link"
                                                     : entry.is_regular_file() ? contentOf(entry.path())
                                                                               : "other";
    return contents;
}

/// All that reads a run.
void readInEveryWay(const fs::path& path) {
    if (const auto opened = openRun(path))
        firstDifference(*opened->snapshot, *opened->snapshot);
    verifyRun(path);
    EXPECT_TRUE(readMarks(path) || !fs::exists(path));
}

/// The end of a journal that names another one, as SQLite writes it (sqlite.org/atomiccommit.html).
void nameSuperJournal(const fs::path& journal, const std::string& name) {
    const auto bigEndian = [](std::uint32_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes += static_cast<char>(value >> shift);
        return bytes;
    };
    std::uint32_t sum = 0;
    for (const char c : name)
        sum += static_cast<std::uint32_t>(static_cast<signed char>(c));
    constexpr std::uint32_t kPageOfLockBytes = 0x40000000 / 4096 + 1;
    writeContent(journal, contentOf(journal) + bigEndian(kPageOfLockBytes) + name +
                              bigEndian(static_cast<std::uint32_t>(name.size())) + bigEndian(sum) +
                              "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7");
}

struct Reading : testing::Test {
    void SetUp() override {
        m_run = makeManySpans(3 * kChunkRows, 1);
        ASSERT_TRUE(saveRun(*m_run, m_path));
        ASSERT_TRUE(writeMarks(m_path, {{Nanoseconds(5), "kept"}}));
    }

    /// Whatever lies there stays as it is.
    void expectReadingChangesNothing() const {
        const auto before = contentsOf(m_folder.path());
        readInEveryWay(m_path);
        EXPECT_EQ(contentsOf(m_folder.path()), before);
    }
    /// A killed write left a journal that names this file.
    fs::path nameInJournal(const std::string& name) {
        const fs::path other = m_folder / name;
        writeContent(other, "precious");
        makeKilledWrite(m_path);
        nameSuperJournal(journalOf(m_path), other.string());
        return other;
    }
    /// A recording was killed, and the file was copied over its own: the journal stays.
    void expectTakesNoJournalOf(const Snapshot& other, const std::string& said = "") {
        const auto alone = must(openRun(m_path));
        const std::vector<std::string> damage = verifyRun(m_path);
        const fs::path killed = m_folder / "killed.wgrun";
        ASSERT_TRUE(saveRun(other, killed));
        makeKilledWrite(killed);
        fs::copy_file(m_path, killed, fs::copy_options::overwrite_existing);
        const auto before = contentsOf(m_folder.path());
        const auto opened = must(openRun(killed));
        EXPECT_EQ(firstDifference(*alone.snapshot, *opened.snapshot), "");
        EXPECT_THAT(opened.warnings, Contains(HasSubstr(said + " it is most likely another run's.")));
        EXPECT_EQ(opened.warnings.size(), alone.warnings.size() + 1);
        EXPECT_EQ(opened.marks.size(), 1u);
        EXPECT_EQ(verifyRun(killed), damage);
        EXPECT_EQ(warpglass::journalOf(killed), std::nullopt) << "it is none of this run's";
        // SQLite would roll it back into the file.
        EXPECT_THAT(writeMarks(killed, {}).message(), HasSubstr("is most likely another run's journal"));
        EXPECT_EQ(contentsOf(m_folder.path()), before);
        fs::remove(journalOf(killed));
    }
    /// The whole run, without a word.
    void expectWhole() {
        const auto opened = must(openRun(m_path));
        EXPECT_EQ(opened.warnings, std::vector<std::string>());
        EXPECT_EQ(firstDifference(*m_run, *opened.snapshot), "");
        EXPECT_EQ(opened.marks.size(), 1u);
        EXPECT_EQ(verifyRun(m_path), std::vector<std::string>());
    }

    std::shared_ptr<const Snapshot> m_run;
    TemporaryFolder m_folder;
    fs::path m_path = m_folder / "a.wgrun";
};

TEST_F(Reading, DeletesNoFileThatAJournalNames) {
    const fs::path other = nameInJournal("the-user-s-own.txt");
    const auto before = contentsOf(m_folder.path());
    readInEveryWay(m_path);
    EXPECT_EQ(contentsOf(m_folder.path()), before);
    EXPECT_THAT(must(openRun(m_path)).warnings, Contains(HasSubstr("is not this file's journal")));
    // Nor is it followed where marks are written.
    EXPECT_THAT(writeMarks(m_path, {}).message(), HasSubstr("it names another journal"));
    EXPECT_EQ(contentsOf(m_folder.path()), before);
}

// SQLite itself does it: the test above would see it.
TEST_F(Reading, TheFileWouldBeDeletedBySqlite) {
    const fs::path other = nameInJournal("the-user-s-own.txt");
    alterRun(m_path, "SELECT count(*) FROM chunks");
    EXPECT_FALSE(fs::exists(other));
}

TEST_F(Reading, UndoesAKilledWriteOnACopy) {
    makeKilledWrite(m_path);
    ASSERT_TRUE(fs::exists(journalOf(m_path)));
    const auto before = contentsOf(m_folder.path());
    TemporaryFolder temporary;
    const char* old = std::getenv("TMPDIR");
    const std::string kept = old ? old : "";
    ::setenv("TMPDIR", temporary.path().c_str(), 1);
    expectWhole();
    readInEveryWay(m_path);
    EXPECT_EQ(contentsOf(m_folder.path()), before);
    EXPECT_TRUE(contentsOf(temporary.path()).empty()) << "the copy goes with the run";

    // Where there is no room for a copy, the file is read as it stands, and that is said.
    ::setenv("TMPDIR", (temporary / "none").c_str(), 1);
    const auto opened = openRun(m_path);
    old ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
    ASSERT_TRUE(opened) << opened.message();
    EXPECT_THAT(opened->warnings, Contains(HasSubstr("no copy could be made to undo it on")));
    EXPECT_EQ(contentsOf(m_folder.path()), before);
    // Marks are the user's wish, and may undo it where it is.
    ASSERT_TRUE(writeMarks(m_path, {{Nanoseconds(5), "kept"}}));
    EXPECT_FALSE(fs::exists(journalOf(m_path)));
    expectWhole();
}

TEST_F(Reading, TakesNoJournalOfAnotherRunForItsOwn) {
    for (const std::uint32_t spans : {2 * kChunkRows, 3 * kChunkRows}) {
        SCOPED_TRACE(spans);
        expectTakesNoJournalOf(*makeManySpans(spans, 2),
                               "killed.wgrun-journal is not read: the file is whole without it, and");
    }
}

TEST_F(Reading, ADamagedFileTakesNoJournalOfAnotherRunForItsOwn) {
    alterRun(m_path, "UPDATE chunks SET data=zeroblob(9) WHERE id=1");
    ASSERT_EQ(verifyRun(m_path).size(), 1u);
    expectTakesNoJournalOf(*makeManySpans(3 * kChunkRows, 2));
    expectTakesNoJournalOf(*makeManySpans(2 * kChunkRows, 1, 7));
    expectTakesNoJournalOf(*makeManySpans(3 * kChunkRows, 1, 7));
}

TEST_F(Reading, ADamagedFileTakesItsOwnJournal) {
    alterRun(m_path, "UPDATE chunks SET data=zeroblob(9) WHERE id=1");
    const std::vector<std::string> damage = verifyRun(m_path);
    ASSERT_EQ(damage.size(), 1u);
    const fs::path asItWas = m_folder / "as-it-was.wgrun";
    fs::copy_file(m_path, asItWas);
    const auto alone = must(openRun(asItWas));
    makeKilledWrite(m_path);
    ASSERT_NE(contentOf(m_path), contentOf(asItWas)) << "the write had reached the file";
    const auto opened = must(openRun(m_path));
    EXPECT_EQ(opened.warnings, alone.warnings);
    EXPECT_EQ(firstDifference(*alone.snapshot, *opened.snapshot), "");
    EXPECT_EQ(verifyRun(m_path), damage);
    EXPECT_EQ(warpglass::journalOf(m_path), journalOf(m_path));
}

TEST_F(Reading, RecoversAWriteThatWasKilledBeforeItChangedTheFileOrAfter) {
    // The journal that a write has made, beside the file as it was before and after that write.
    const fs::path before = m_folder / "before.wgrun", after = m_folder / "after.wgrun";
    fs::copy_file(m_path, before);
    fs::copy_file(m_path, after);
    makeKilledWrite(m_path);
    fs::copy_file(journalOf(m_path), journalOf(before));
    alterRun(after, "PRAGMA user_version=4; UPDATE info SET value=value");
    fs::copy_file(journalOf(m_path), journalOf(after));
    for (const fs::path& path : {before, after}) {
        m_path = path;
        expectWhole();
        EXPECT_EQ(warpglass::journalOf(path), journalOf(path));
        ASSERT_TRUE(writeMarks(path, {{Nanoseconds(5), "kept"}}));
        EXPECT_FALSE(fs::exists(journalOf(path)));
        expectWhole();
    }
}

TEST_F(Reading, PassesOverWhatIsNoJournalOfTheFile) {
    const fs::path journal = journalOf(m_path);
    const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    const std::vector<std::function<void()>> kinds = {
        [&] { writeContent(journal, "a letter to somebody"); },
        [&] { writeContent(journal, magic + std::string(600, '\7')); },
        [&] { fs::create_directory(journal); },
        [&] { ASSERT_EQ(::mkfifo(journal.c_str(), 0600), 0); },
        [&] {
            writeContent(m_folder / "target", magic + std::string(600, '\1'));
            fs::create_symlink(m_folder / "target", journal);
        },
        [&] { fs::create_symlink("nowhere", journal); },
    };
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        SCOPED_TRACE(i);
        kinds[i]();
        expectReadingChangesNothing();
        const auto opened = must(openRun(m_path));
        EXPECT_THAT(opened.warnings, testing::ElementsAre(HasSubstr("is not this file's journal")));
        EXPECT_EQ(firstDifference(*m_run, *opened.snapshot), "");
        fs::remove(journal);
    }
}

TEST_F(Reading, MakesNoFilesOfAWriteAheadLog) {
    writeContent(m_path.string() + "-wal", "whatever this is");
    expectReadingChangesNothing();
    fs::remove(m_path.string() + "-wal");
    // Nor of a file that some tool has put into that mode.
    alterRun(m_path, "PRAGMA journal_mode=WAL");
    ASSERT_EQ(filesIn(m_folder.path()), 1u);
    expectReadingChangesNothing();
}

TEST_F(Reading, WorksWhereNothingMayBeWritten) {
    fs::permissions(m_path, fs::perms::owner_read);
    fs::permissions(m_folder.path(), static_cast<fs::perms>(0500));
    expectWhole();
    fs::permissions(m_folder.path(), fs::perms::owner_all);
}

TEST(Temporaries, AreMadeExclusively) {
    TemporaryFolder folder;
    const auto a = makeFileBeside(folder / "a.wgrun");
    const auto b = makeFileBeside(folder / "a.wgrun");
    ASSERT_TRUE(a && b);
    EXPECT_NE(*a, *b);
    EXPECT_EQ(fs::file_size(*a), 0u);
    writeContent(*a, "a");
    EXPECT_FALSE(moveToNewName(*a, folder / "new"));
    EXPECT_EQ(contentOf(folder / "new"), "a");
    EXPECT_EQ(moveToNewName(*b, folder / "new"), std::errc::file_exists);
    EXPECT_EQ(contentOf(folder / "new"), "a");
    fs::create_symlink(folder / "elsewhere", folder / "link");
    EXPECT_EQ(moveToNewName(*b, folder / "link"), std::errc::file_exists);
    EXPECT_FALSE(fs::exists(folder / "elsewhere"));
}

/// A process that records until it is killed.
class Recorder {
public:
    enum class Until { kCreated, kWritten };
    Recorder(const fs::path& path, Until until, std::uint32_t spans = 3000) {
        int ready[2];
        EXPECT_EQ(::pipe(ready), 0);
        m_child = ::fork();
        if (m_child == 0) {
            TraceWriter trace;
            trace.setInfo("state", run_state::kRecording);
            appendManySpans(trace, spans, 1);
            auto writer = RunFileWriter::create(path);
            if (!writer || (until == Until::kWritten && !(*writer)->write(*trace.feed()->latest())))
                ::_exit(1);
            if (::write(ready[1], "x", 1) != 1)
                ::_exit(2);
            while (true)
                ::pause();
        }
        char byte = 0;
        EXPECT_EQ(::read(ready[0], &byte, 1), 1);
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~Recorder() { kill(); }
    void kill() {
        if (m_child <= 0)
            return;
        ::kill(m_child, SIGKILL);
        ::waitpid(m_child, nullptr, 0);
        m_child = 0;
    }

private:
    pid_t m_child = 0;
};

struct Recording : testing::Test {
    const TemporaryFolder folder;
    const fs::path path = folder / "a.wgrun";
};

TEST_F(Recording, ThatGoesOnIsNotSaidToBeCutOff) {
    Recorder recorder(path, Recorder::Until::kWritten);
    const auto live = must(openRun(path));
    EXPECT_TRUE(live.isBeingRecorded);
    EXPECT_TRUE(live.isIncomplete);
    EXPECT_THAT(live.warnings, testing::ElementsAre(HasSubstr("is still being recorded")));
    EXPECT_EQ(live.snapshot->spanCount(), 3000u);
    EXPECT_EQ(verifyRun(path), std::vector<std::string>());

    recorder.kill();
    const auto killed = must(openRun(path));
    EXPECT_FALSE(killed.isBeingRecorded);
    EXPECT_THAT(killed.warnings, testing::ElementsAre(HasSubstr("The recording was cut off: the run had not "
                                                                "ended when the file was last written")));
}

/// How many chunks of spans cannot be read.
std::size_t lostChunksOf(const Snapshot& run) {
    std::size_t lost = 0;
    for (std::size_t i = 0; i < run.laneCount(); ++i) {
        const SpanLane lane = run.lane(LaneId(i));
        for (std::size_t chunk = 0; chunk * kChunkRows < lane.rows(); ++chunk)
            lost += lane.chunk(chunk) ? 0 : 1;
    }
    return lost;
}

TEST_F(Recording, DoesNotGoOnInAnotherFileThatHasItsNameByNow) {
    const fs::path path = folder / "a.wgrun", other = folder / "b.wgrun";
    for (const bool isReplaced : {false, true}) {
        SCOPED_TRACE(isReplaced);
        Recorder recorder(path, Recorder::Until::kWritten, 3 * kChunkRows);
        const auto live = must(openRun(path));
        recorder.kill();
        fs::copy_file(path, other);
        makeKilledWrite(path);
        if (isReplaced) {
            // The same run under its name again: its chunks would pass for those of the file that was open.
            fs::rename(other, path);
        }
        EXPECT_EQ(lostChunksOf(*live.snapshot) > 0, isReplaced);
        const auto sentences = live.snapshot->damage().sentences();
        EXPECT_EQ(sentences.empty(), !isReplaced);
        EXPECT_THAT(sentences, testing::Each(HasSubstr("Lost, as the file was replaced, moved or deleted")));
        fs::remove(path);
        fs::remove(other);
        fs::remove(journalOf(path));
    }
}

TEST_F(Recording, KilledBeforeItsFirstWriteLeavesAFileThatOpens) {
    Recorder recorder(path, Recorder::Until::kCreated);
    EXPECT_EQ(contentsOf(folder.path()).size(), 1u) << "no temporary stays";
    const auto live = must(openRun(path));
    EXPECT_THAT(live.warnings,
                testing::ElementsAre("The run is still being recorded: nothing of it is in the file yet."));
    recorder.kill();
    const auto killed = must(openRun(path));
    EXPECT_THAT(killed.warnings,
                testing::ElementsAre("The recording was cut off before anything was in the file."));
    EXPECT_EQ(verifyRun(path), std::vector<std::string>());
}

TEST_F(Recording, OfAnotherProcessIsNotReplaced) {
    const auto run = makeManySpans(10, 1);
    Recorder recorder(path, Recorder::Until::kWritten);
    const std::string problem = "cannot write " + path.string() + ": another process is writing it";
    EXPECT_EQ(RunFileWriter::create(path).message(), problem);
    EXPECT_EQ(saveRun(*run, path).message(), problem);
    recorder.kill();
    EXPECT_TRUE(saveRun(*run, path));
}

TEST_F(Recording, ThatBeganMeanwhileIsNotReplaced) {
    const auto run = makeManySpans(10, 1);
    ASSERT_TRUE(saveRun(*run, path));
    auto late = must(RunFileWriter::create(path));
    auto early = must(RunFileWriter::create(path));
    ASSERT_TRUE(early->write(*run));
    EXPECT_THAT(late->write(*run).message(), HasSubstr("another process is writing it"));
    ASSERT_TRUE(finishRun(*early, *run));
    EXPECT_EQ(contentsOf(folder.path()).size(), 1u);
    EXPECT_TRUE(openRun(path));

    EXPECT_THAT(RunFileWriter::create(path, RunFileWriter::Existing::kRefuse).message(),
                HasSubstr("there is a file of this name"));
}

TEST_F(Recording, WhoseFileWasTakenAwaySaysSo) {
    const auto run = makeManySpans(10, 1);
    auto writer = must(RunFileWriter::create(path));
    ASSERT_TRUE(writer->write(*run));
    ASSERT_TRUE(saveRun(*run, folder / "b.wgrun"));
    fs::rename(folder / "b.wgrun", path);
    EXPECT_THAT(writer->write(*makeManySpans(5000, 1)).message(),
                HasSubstr("another process has replaced, moved or deleted it"));
    writer.reset();
    EXPECT_TRUE(openRun(path)) << "the other's file stays";
}

}  // namespace warpglass::test::run_file_reading_test
