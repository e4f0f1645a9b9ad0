// What no table, chunk or page can have changed in it without that being said; and files that were made to
// cost a reader memory or time.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <string>

#include "engine/io/run_file.h"
#include "engine/io/run_file_schema.h"
#include "engine/io/table_checksum.h"
#include "engine/session/save_run.h"
#include "tests/support/run_damage.h"
#include "tests/support/saved_run.h"
#include "tests/support/snapshot_walk.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io/random_trace.h"
#include "tests/unit/io/true_spans.h"

namespace warpglass::test::run_file_checksum_test {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

constexpr std::size_t kPage = 4096;

/// With rows in every table.
std::shared_ptr<const Snapshot> fullRun(std::uint64_t seed = 5) {
    RandomTrace trace(seed);
    trace.burst(4000);
    trace.writer().countLoss("kernels", 3);
    trace.writer().setInfo("state", run_state::kRecording);
    return trace.commit();
}

std::string damageOf(std::string_view table) {
    return "The table \"" + std::string(table) + "\" of the file is damaged";
}

TEST(TableChecksums, ASingleChangedValueOfAnyTableIsNamed) {
    const auto run = fullRun();
    const std::pair<const char*, const char*> changes[] = {
        {"info", "UPDATE info SET value='stopped' WHERE key='state'"},
        {"totals", "UPDATE totals SET value=value+1 WHERE key='end_ns'"},
        {"checksums", "DELETE FROM checksums"},
        {"strings", "UPDATE strings SET text=text || 'x' WHERE id=3"},
        {"places", "UPDATE places SET phase=(phase+1)%3 WHERE id=1"},
        {"details", "UPDATE details SET grid_x=grid_x+1 WHERE id=0"},
        {"tracks", "UPDATE tracks SET name=NULL WHERE id=0"},
        {"lanes", "UPDATE lanes SET depth=depth+1 WHERE id=0"},
        {"losses", "UPDATE losses SET count=count+1"},
        {"open_spans", "INSERT INTO open_spans VALUES(100,0,1,1,1,1)"},
        {"statistics", "INSERT INTO statistics(id,name,family) VALUES(100,'a','b')"},
        {"chunks",
         "UPDATE chunks SET begin_ns=begin_ns WHERE 0; UPDATE chunks SET data_sum=data_sum+1 WHERE id=2"},
        // Text where a number was, and the same digits.
        {"strings", "UPDATE strings SET text=CAST('a' AS BLOB) WHERE id=3"},
        {"strings", "UPDATE strings SET id=id+1000000 WHERE id=(SELECT max(id) FROM strings)"},
        {"places", "DELETE FROM places WHERE id=(SELECT max(id) FROM places)"},
    };
    for (const auto& [table, sql] : changes) {
        const SavedRun saved(*run);
        EXPECT_EQ(verifyRun(saved.path), std::vector<std::string>());
        alterRun(saved.path, sql);
        const std::string named = std::string(table) == "checksums" ? damageOf("info") : damageOf(table);
        EXPECT_THAT(verifyRun(saved.path), Contains(HasSubstr(named))) << sql;
        const auto opened = openRun(saved.path);
        ASSERT_TRUE(opened) << sql;
        EXPECT_THAT(opened->warnings, Contains(HasSubstr(named))) << sql;
        EXPECT_TRUE(opened->isIncomplete) << sql;
        EXPECT_TRUE(opened->snapshot->info().has("missing.any")) << sql << ": figures speak of it";
    }
}

// Every table that is made with a file is checked: one that is added is, too.
TEST(TableChecksums, EveryTableIsCheckedWhateverReadsIt) {
    const auto run = fullRun();
    for (const run_file::FileTable& table : run_file::kTables) {
        if (!table.always)
            continue;
        const SavedRun saved(*run);
        alterRun(saved.path, "DROP TABLE " + std::string(table.name));
        EXPECT_THAT(verifyRun(saved.path), Contains(damageOf(table.name) + ": it is missing."));
    }
}

TEST(TableChecksums, MarksAreCheckedAndNotReplacedWhenTheyDiffer) {
    for (const char* sql : {"UPDATE marks SET text='b'", "UPDATE marks SET time_ns=6", "DELETE FROM marks",
                            "DROP TABLE marks", "INSERT INTO marks VALUES(1,7,'c')"}) {
        const SavedRun saved(*fullRun());
        ASSERT_TRUE(writeMarks(saved.path, {{Nanoseconds(5), "a"}}));
        ASSERT_EQ(verifyRun(saved.path), std::vector<std::string>());
        alterRun(saved.path, sql);
        EXPECT_THAT(verifyRun(saved.path), Contains(HasSubstr("Marks may be missing: "))) << sql;
        EXPECT_FALSE(writeMarks(saved.path, {})) << sql;
    }
}

TEST(TableChecksums, HoldWhileAFileGrowsAndForWhatIsWrittenAnew) {
    TemporaryFolder folder;
    const fs::path path = folder / "a.wgrun";
    RandomTrace trace(9);
    auto writer = RunFileWriter::create(path);
    ASSERT_TRUE(writer);
    EXPECT_EQ(verifyRun(path), std::vector<std::string>());
    for (int i = 0; i < 6; ++i) {
        trace.burst(3000);
        ASSERT_TRUE((*writer)->write(*trace.commit()));
        EXPECT_EQ(verifyRun(path), std::vector<std::string>()) << i;
    }
    trace.finish();
    const auto last = trace.commit();
    ASSERT_TRUE(finishRun(**writer, *last));
    EXPECT_EQ(verifyRun(path), std::vector<std::string>());
    // A copy of an opened run has its own.
    ASSERT_TRUE(saveRun(*openRun(path)->snapshot, folder / "b.wgrun"));
    EXPECT_EQ(verifyRun(folder / "b.wgrun"), std::vector<std::string>());
}

TEST(TableChecksums, EveryByteAndOrderOfCellsCounts) {
    const auto of = [](const std::string& text, std::uint64_t seed = 0) {
        return run_file::hashOf({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, seed);
    };
    const std::string text = "blocks.7.attn/scores";
    for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
        std::string other = text;
        other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
        EXPECT_NE(of(other), of(text));
    }
    EXPECT_NE(of("a"), of("a", 1));
    run_file::RowHash a("t"), b("t"), swapped("t"), elsewhere("u"), real("t");
    a.addInteger(1, 7);
    a.addText(2, "x");
    b.addText(2, "x");
    b.addInteger(1, 7);
    swapped.addText(1, "x");
    swapped.addInteger(2, 7);
    elsewhere.addInteger(1, 7);
    elsewhere.addText(2, "x");
    real.addReal(1, 7.0);
    real.addText(2, "x");
    EXPECT_EQ(a.value(), b.value());
    EXPECT_EQ(a.value(), real.value()) << "SQLite keeps 7.0 as 7";
    EXPECT_NE(a.value(), swapped.value());
    EXPECT_NE(a.value(), elsewhere.value());
}

TEST(MisplacedChunks, OfTheSameFileAreDamage) {
    const SavedRun saved(*makeManySpans(6 * kChunkRows, 2));
    alterRun(saved.path,
             "CREATE TEMP TABLE kept AS SELECT * FROM chunks WHERE id IN (1,2);"
             "UPDATE chunks SET data=(SELECT data FROM kept WHERE id=3-chunks.id),"
             "mip=(SELECT mip FROM kept WHERE id=3-chunks.id) WHERE id IN (1,2)");
    EXPECT_FALSE(verifyRun(saved.path).empty());
    EXPECT_LE(openRun(saved.path)->snapshot->spanCount(), 6 * kChunkRows);
    const auto run = makeManySpans(6 * kChunkRows, 2);
    EXPECT_EQ(expectOnlyTrueSpans(*run, *openRun(saved.path)->snapshot), 4 * kChunkRows);
}

// Sound by itself, with the right kind, lane, number and rows; of allocations not even the times differ.
TEST(MisplacedChunks, OfAnotherRunAreDamage) {
    const SavedRun saved(*makeManyMemoryEvents(5000, 1));
    ASSERT_TRUE(saveRun(*makeManyMemoryEvents(5000, 2), saved.folder / "b.wgrun"));
    alterRun(saved.path, "ATTACH '" + (saved.folder / "b.wgrun").string() +
                             "' AS b; UPDATE chunks SET data=(SELECT data FROM b.chunks AS o WHERE "
                             "o.id=chunks.id), rows=(SELECT rows FROM b.chunks AS o WHERE "
                             "o.id=chunks.id) WHERE kind=2");
    EXPECT_THAT(verifyRun(saved.path), Contains(HasSubstr("allocations (chunk 0)")));
    // With its checksum, the table's gives it away, before a chunk is read.
    alterRun(saved.path, "ATTACH '" + (saved.folder / "b.wgrun").string() +
                             "' AS b; UPDATE chunks SET data_sum=(SELECT data_sum FROM b.chunks AS o WHERE "
                             "o.id=chunks.id) WHERE kind=2");
    EXPECT_THAT(openRun(saved.path)->warnings, Contains(HasSubstr(damageOf("chunks"))));
}

// Two pages changed places in a file without checksums: its totals were unreadable, nothing was expected.
TEST(OlderFiles, WithoutReadableTotalsAreDamaged) {
    for (const char* name : {"version1.wgrun", "version2.wgrun", "version3.wgrun"}) {
        for (const char* sql :
             {"DROP TABLE totals", "DELETE FROM totals", "DELETE FROM totals WHERE key='names'",
              "UPDATE totals SET value=-1 WHERE key='chunks'",
              "UPDATE totals SET value=value-1 WHERE key='names'", "DROP TABLE losses",
              "DROP TABLE statistics"}) {
            TemporaryFolder folder;
            const fs::path path = folder / name;
            fs::copy_file(fs::path(WARPGLASS_GOLDEN_DIR) / name, path);
            fs::permissions(path, fs::perms::owner_all);
            ASSERT_EQ(verifyRun(path), std::vector<std::string>());
            alterRun(path, sql);
            EXPECT_THAT(verifyRun(path), Contains(HasSubstr(" of the file is damaged: "))) << name << sql;
            EXPECT_TRUE(openRun(path)->snapshot->info().has("missing.any")) << name << sql;
        }
    }
}

/// Without what a file of version 3 has no count of.
std::string countedRows(const Snapshot& run) {
    std::istringstream lines(describeEverything(run));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("open ") && !line.starts_with("loss ") && !line.starts_with("info "))
            text += line + "\n";
    }
    return text;
}

TEST(OlderFiles, PagesThatChangedPlacesAreDamage) {
    const fs::path golden = fs::path(WARPGLASS_GOLDEN_DIR) / "version3.wgrun";
    const std::string whole = contentOf(golden);
    const std::string text = countedRows(*openRun(golden)->snapshot);
    TemporaryFolder folder;
    const fs::path path = folder / "a.wgrun";
    for (std::size_t a = 1; a * kPage < whole.size(); ++a) {
        for (std::size_t b = a + 1; b * kPage < whole.size(); ++b) {
            std::string content = whole;
            content.replace(a * kPage, kPage, whole, b * kPage, kPage);
            content.replace(b * kPage, kPage, whole, a * kPage, kPage);
            writeContent(path, content);
            const auto opened = openRun(path);
            if (opened && verifyRun(path).empty()) {
                EXPECT_TRUE(countedRows(*opened->snapshot) == text) << a << " " << b;
            }
        }
    }
}

/// The most memory, in bytes, that a process has that reads this file and does nothing else.
std::int64_t memoryToRead(const fs::path& path) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (const auto opened = openRun(path))
            readEverything(*opened->snapshot);
        verifyRun(path);
        ::_exit(0);
    }
    rusage usage{};
    int status = 0;
    ::wait4(child, &status, 0, &usage);
    EXPECT_TRUE(WIFEXITED(status));
    return std::int64_t{usage.ru_maxrss} * 1024;
}

TEST(CraftedFile, WithComputedColumnsIsRefused) {
    for (const char* columns :
         {"id INTEGER PRIMARY KEY, text TEXT GENERATED ALWAYS AS (hex(zeroblob(100000)))",
          "id INTEGER PRIMARY KEY, text TEXT AS (hex(zeroblob(100000))) STORED",
          "id INTEGER PRIMARY KEY, other, text TEXT DEFAULT 'much of it'"}) {
        const SavedRun saved(*fullRun());
        alterRun(saved.path, "DROP TABLE strings; CREATE TABLE strings(" + std::string(columns) + ")");
        const auto opened = openRun(saved.path);
        ASSERT_FALSE(opened) << columns;
        EXPECT_THAT(opened.message(), HasSubstr("its table \"strings\" has computed values")) << columns;
    }
}

TEST(CraftedFile, TakesNoMoreMemoryThanItsSizeJustifies) {
    const std::string many = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n LIMIT 20000) ";
    TemporaryFolder folder;
    const fs::path plain = folder / "plain.wgrun";
    ASSERT_TRUE(saveRun(*fullRun(), plain));
    const std::int64_t usual = memoryToRead(plain);
    const std::string crafts[] = {
        // A chunk of one row each, with a mip-map for 65,536.
        "UPDATE totals SET value=20000 WHERE key='chunks';" + many +
            "INSERT OR REPLACE INTO chunks SELECT "
            "i+1,kind,i%16000,i/16000,rows,begin_ns,end_ns,data_sum,NULL,data "
            "FROM n, (SELECT * FROM chunks WHERE kind=0 ORDER BY length(data) LIMIT 1)",
        // One row of each table, as far behind as it may say that it is.
        "DELETE FROM strings; INSERT INTO strings VALUES(4000000,'x'); UPDATE totals SET value=4000001;"
        "DELETE FROM details; INSERT INTO details(id,kind,copy) VALUES(4000000,0,0);",
    };
    for (const std::string& craft : crafts) {
        const fs::path path = folder / "a.wgrun";
        fs::copy_file(plain, path, fs::copy_options::overwrite_existing);
        alterRun(path, craft);
        const auto size = static_cast<std::int64_t>(fs::file_size(path));
        EXPECT_LT(memoryToRead(path), usual + 150'000'000 + 20 * size) << craft.substr(0, 80);
    }
}

}  // namespace warpglass::test::run_file_checksum_test
