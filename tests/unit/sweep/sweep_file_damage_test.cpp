// Sweep files as a bad disk, a tool or malice may leave them, with fixed seeds: reading one never crashes,
// what is read is what was written, and a sweep goes on with what can be read.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "engine/sweep/sweep_file.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_sweep.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::sweep_file_damage_test {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Large enough for trees of several pages.
Sweep makeSweep(const fs::path& path) {
    auto file = must(SweepFile::create(path, smallPlan(20, 5)));
    std::mt19937_64 random(23);
    const std::vector<SweepCell> cells = file->sweep().cells;
    for (const SweepCell& cell : cells) {
        if (cell.index % 7 != 0) {
            EXPECT_TRUE(file->finishCell(doneCell(cell, random, 12)));
        }
    }
    EXPECT_TRUE(file->setInformation("device.name", "A device"));
    return file->sweep();
}

/// Every cell is as it was written, or waits.
void expectTrue(const Sweep& read, const Sweep& written) {
    ASSERT_EQ(read.cells.size(), written.cells.size());
    EXPECT_EQ(read.plan, written.plan);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < read.cells.size(); ++i) {
        const SweepCell &a = read.cells[i], &b = written.cells[i];
        if (a.state == CellState::kWaiting)
            lost += b.isDone() ? 1 : 0;
        else
            EXPECT_EQ(a, b);
    }
    if (lost > 0) {
        EXPECT_THAT(read.warnings, Contains(HasSubstr("damaged")));
    }
    for (const auto& pair : read.information)
        EXPECT_THAT(written.information, Contains(pair));
}

struct DamagedSweep : ::testing::Test {
    DamagedSweep() : path(folder / "a.wgsweep"), sweep(makeSweep(path)), content(contentOf(path)) {}

    /// Reads the file with this content; true where it opens at all.
    bool opens(const std::string& changed) {
        writeContent(path, changed);
        const auto read = openSweep(path);
        if (!read) {
            EXPECT_THAT(read.message(), HasSubstr("cannot open " + path.string() + ": "));
            EXPECT_EQ(read.message().find('\n'), std::string::npos);
            return false;
        }
        expectTrue(*read, sweep);
        return true;
    }

    const TemporaryFolder folder;
    const fs::path path;
    const Sweep sweep;
    const std::string content;
};

TEST_F(DamagedSweep, AtAnyByteKeepsEveryCellThatIsNotHit) {
    std::mt19937_64 random(29);
    int opened = 0;
    constexpr int kRounds = 1500;
    for (int i = 0; i < kRounds; ++i) {
        std::string changed = content;
        const std::size_t at = random() % content.size();
        changed[at] = static_cast<char>(changed[at] ^ (1 + random() % 255));
        opened += opens(changed) ? 1 : 0;
    }
    EXPECT_GT(opened, kRounds * 9 / 10);
    // Every byte of SQLite's header and of the schema.
    for (std::size_t at = 0; at < 100; ++at) {
        std::string changed = content;
        changed[at] = static_cast<char>(changed[at] ^ 0x5a);
        opens(changed);
    }
}

TEST_F(DamagedSweep, CutAtAnyPlaceKeepsWhatComesBefore) {
    std::mt19937_64 random(31);
    for (int i = 0; i < 200; ++i)
        opens(content.substr(0, random() % content.size()));
    EXPECT_TRUE(opens(content.substr(0, content.size() - 4096)));
}

TEST_F(DamagedSweep, WithWholePagesGoneIsReadAroundThem) {
    const std::size_t pages = content.size() / 4096;
    for (std::size_t page = 0; page < pages; ++page) {
        std::string changed = content;
        changed.replace(page * 4096, 4096, 4096, '\0');
        EXPECT_EQ(opens(changed), page > 0) << "only the first page tells where all others belong: " << page;
    }
}

TEST_F(DamagedSweep, OfValuesThatNoSweepHasIsNotBelieved) {
    for (const char* sql :
         {"UPDATE cells SET state='waiting' WHERE cell=1", "UPDATE cells SET state='nonsense'",
          "UPDATE cells SET message=zeroblob(100)", "UPDATE cells SET took_ns='long'",
          "UPDATE figures SET value=1e400", "UPDATE figures SET value='x'",
          "DELETE FROM figures WHERE cell=5", "DELETE FROM cells WHERE cell>50",
          "UPDATE cells SET cell=cell+100000", "UPDATE plan SET value='9'", "UPDATE axes SET value='17'",
          "UPDATE axes SET axis=5000", "DROP TABLE totals", "DROP TABLE plan",
          "UPDATE information SET value='other'", "DROP TABLE information", "DROP TABLE figures",
          "UPDATE totals SET value=1000000"}) {
        SCOPED_TRACE(sql);
        writeContent(path, content);
        alterRun(path, sql);
        const auto read = must(openSweep(path));
        expectTrue(read, sweep);
        EXPECT_THAT(read.warnings, Not(IsEmpty()));
    }
}

TEST_F(DamagedSweep, WithoutAPlanIsRefused) {
    for (const char* sql :
         {"DROP TABLE plan; DROP TABLE plan_copy", "UPDATE axes SET value='1'; DELETE FROM axes_copy",
          "DROP TABLE cells; CREATE TABLE cells(cell INTEGER PRIMARY KEY, state TEXT AS "
          "(zeroblob(1000000000)))"}) {
        SCOPED_TRACE(sql);
        writeContent(path, content);
        alterRun(path, sql);
        const auto read = openSweep(path);
        ASSERT_FALSE(read);
        EXPECT_THAT(read.message(), HasSubstr("cannot open"));
        EXPECT_FALSE(SweepFile::resume(path));
    }
}

TEST_F(DamagedSweep, GoesOnWithWhatCanBeReadAndIsKept) {
    std::mt19937_64 random(37);
    for (int i = 0; i < 15; ++i) {
        std::string changed = content;
        const std::size_t at = 4096 + random() % (content.size() - 4096);
        const std::size_t count = std::min<std::size_t>(changed.size() - at, 1 + random() % 2000);
        changed.replace(at, count, count, '\x55');
        writeContent(path, changed);
        const auto read = must(openSweep(path));
        auto file = must(SweepFile::resume(path));
        const Sweep& resumed = file->sweep();
        expectTrue(resumed, sweep);
        EXPECT_EQ(resumed.count(CellState::kWaiting), read.count(CellState::kWaiting));
        const fs::path kept = path.string() + ".damaged";
        EXPECT_EQ(fs::exists(kept), !read.warnings.empty());
        if (fs::exists(kept)) {
            EXPECT_EQ(contentOf(kept), changed);
            EXPECT_THAT(resumed.warnings, Contains(HasSubstr(kept.string())));
            fs::remove(kept);
        }
        // It takes cells again.
        std::size_t taken = 0;
        for (const SweepCell& cell : std::vector<SweepCell>(resumed.cells)) {
            if (!cell.isDone() && taken < 4) {
                ASSERT_TRUE(file->finishCell(doneCell(cell, random, 3)));
                ++taken;
            }
        }
        file.reset();
        const auto whole = must(openSweep(path));
        EXPECT_THAT(whole.warnings, IsEmpty());
        EXPECT_EQ(whole.count(CellState::kWaiting), read.count(CellState::kWaiting) - taken);
    }
}

TEST_F(DamagedSweep, JournalThatIsNotItsOwnIsLeftAlone) {
    const fs::path journal = path.string() + "-journal";
    for (const std::string& text :
         {std::string("a text of mine"),
          std::string("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7") + std::string(600, '\1')}) {
        writeContent(path, content);
        writeContent(journal, text);
        const auto read = must(openSweep(path));
        expectTrue(read, sweep);
        EXPECT_FALSE(SweepFile::resume(path));
        EXPECT_EQ(contentOf(journal), text);
        EXPECT_EQ(contentOf(path), content);
    }
}

/// Goes on with the file once `begin` is closed, and holds it until `release` is: reports y where it could, n
/// where another process has it.
[[noreturn]] void goOn(const fs::path& path, int begin, int report, int release) {
    char byte = 0;
    static_cast<void>(::read(begin, &byte, 1) == 0);
    const auto file = SweepFile::resume(path);
    const bool isTaken = !file && file.message().find("another process is writing it") != std::string::npos;
    const char result = file ? 'y' : isTaken ? 'n' : 'x';
    const bool reported = ::write(report, &result, 1) == 1;
    ::_exit(reported && ::read(release, &byte, 1) == 0 ? 0 : 1);
}

TEST_F(DamagedSweep, IsReplacedByOneOfThoseThatGoOnWithItAtOnce) {
    std::string changed = content;
    changed.replace(content.size() - 4096, 4096, 4096, '\x55');
    for (int round = 0; round < 25; ++round) {
        for (const auto& entry : fs::directory_iterator(folder.path()))
            fs::remove(entry.path());
        writeContent(path, changed);
        int begin[2], report[2], release[2];
        for (int* ends : {begin, report, release})
            ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
        std::vector<pid_t> children;
        for (int i = 0; i < 3; ++i) {
            children.push_back(::fork());
            ASSERT_GE(children.back(), 0);
            if (children.back() == 0) {
                ::close(begin[1]);
                ::close(release[1]);
                goOn(path, begin[0], report[1], release[0]);
            }
        }
        ::close(begin[1]);
        std::string results;
        for (std::size_t i = 0; i < children.size(); ++i) {
            char result = 0;
            ASSERT_EQ(::read(report[0], &result, 1), 1);
            results += result;
        }
        EXPECT_EQ(std::ranges::count(results, 'y'), 1) << results;
        EXPECT_EQ(std::ranges::count(results, 'n'), 2) << results;
        ::close(release[1]);
        for (const pid_t child : children) {
            int status = 0;
            ASSERT_EQ(::waitpid(child, &status, 0), child);
            EXPECT_EQ(status, 0);
        }
        for (const int end : {begin[0], report[0], report[1], release[0]})
            ::close(end);
        std::size_t kept = 0;
        for (const auto& entry : fs::directory_iterator(folder.path()))
            kept += entry.path().string().find(".damaged") != std::string::npos ? 1 : 0;
        EXPECT_EQ(kept, 1u) << "one copy of it";
        EXPECT_THAT(must(openSweep(path)).warnings, IsEmpty());
    }
}

/// A million cells, each of which a crafted file makes as dear as it can.
TEST_F(DamagedSweep, ThatOnlyWantsToKeepItsReaderBusyIsGivenUp) {
    const std::string many = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<20000) ";
    for (const std::string& sql :
         {"DROP TABLE cells; CREATE TABLE cells(cell TEXT, state, message, started, took_ns, run_file, "
          "checksum); " +
              many + "INSERT INTO cells SELECT 'x'||i,0,0,0,0,0,0 FROM n",
          "DROP TABLE figures; CREATE TABLE figures(cell, key, value); " + many +
              "INSERT INTO figures SELECT -1,i,i FROM n",
          "DELETE FROM cells; " + many + "INSERT INTO cells SELECT 1000000+i,'ok','','',0,'',0 FROM n"}) {
        SCOPED_TRACE(sql);
        fs::remove(path);
        ASSERT_TRUE(SweepFile::create(path, smallPlan(1000, 500)));
        alterRun(path, sql);
        const auto read = must(openSweep(path));
        EXPECT_EQ(read.count(CellState::kWaiting), read.cells.size());
    }
}

}  // namespace warpglass::test::sweep_file_damage_test
