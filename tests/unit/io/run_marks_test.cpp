#include "engine/io/run_marks.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "engine/io/run_file.h"
#include "engine/io/run_file_format.h"
#include "engine/session/save_run.h"
#include "tests/support/files.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/saved_run.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::run_marks_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<RunMark> someMarks() {
    return {{Nanoseconds(5), "start"}, {Nanoseconds(1'000'000), "größer · 大"}, {Nanoseconds(1'000'000), ""}};
}

/// A run file that somebody has run this SQL on.
void makeAltered(const fs::path& path, const std::string& sql) {
    ASSERT_TRUE(saveRun(*makeSyntheticRun(), path));
    alterRun(path, sql);
}

TEST(RunMarks, ComeBackAndTheRunStaysAsItWas) {
    const auto run = makeSyntheticRun();
    const SavedRun saved(*run);
    EXPECT_TRUE(readMarks(saved.path)->empty());
    ASSERT_TRUE(writeMarks(saved.path, someMarks()));
    EXPECT_EQ(*readMarks(saved.path), someMarks());
    const auto opened = must(openRun(saved.path));
    EXPECT_TRUE(opened.warnings.empty());
    EXPECT_EQ(firstDifference(*run, *opened.snapshot), "");
    ASSERT_TRUE(writeMarks(saved.path, {{Nanoseconds(7), "only"}}));
    EXPECT_EQ(readMarks(saved.path)->size(), 1u);
    ASSERT_TRUE(writeMarks(saved.path, {}));
    EXPECT_TRUE(readMarks(saved.path)->empty());
}

TEST(RunMarks, AreWrittenWhileTheFileIsBeingRead) {
    const auto run = makeManySpans(200'000, 2);
    const SavedRun saved(*run);
    const auto opened = must(openRun(saved.path));
    ASSERT_NE(opened.snapshot->lane(LaneId(0)).chunk(0), nullptr);
    ASSERT_TRUE(writeMarks(saved.path, someMarks()));
    EXPECT_EQ(firstDifference(*run, *opened.snapshot), "") << "chunks that are read later";
    EXPECT_EQ(*readMarks(saved.path), someMarks());
}

TEST(RunMarks, FilesOfOlderVersionsTakeThem) {
    for (const char* name : {"version1.wgrun", "version2.wgrun", "version3.wgrun"}) {
        TemporaryFolder folder;
        const fs::path path = folder / name;
        fs::copy_file(fs::path(WARPGLASS_GOLDEN_DIR) / name, path);
        fs::permissions(path, fs::perms::owner_all);
        EXPECT_TRUE(readMarks(path)->empty());
        const auto before = must(openRun(path));
        ASSERT_TRUE(writeMarks(path, someMarks()));
        const auto after = must(openRun(path));
        EXPECT_EQ(after.warnings, before.warnings);
        EXPECT_EQ(firstDifference(*before.snapshot, *after.snapshot), "");
        EXPECT_EQ(*readMarks(path), someMarks());
    }
}

TEST(RunMarks, ComeInOrderOfTimeAndWithinLimits) {
    const SavedRun saved(*makeManySpans(10, 1));
    std::string longText(kLongestMark - 1, 'x');
    longText += "é and more";
    ASSERT_TRUE(writeMarks(saved.path, {{Nanoseconds(9), longText}, {Nanoseconds(3), "first"}}));
    const auto marks = *readMarks(saved.path);
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].text, "first");
    EXPECT_EQ(marks[1].text, std::string(kLongestMark - 1, 'x')) << "no half of a character";
    std::vector<RunMark> many(kMostMarks + 5);
    ASSERT_TRUE(writeMarks(saved.path, many));
    EXPECT_EQ(readMarks(saved.path)->size(), kMostMarks);
}

TEST(RunMarks, AFileThatCannotBeWrittenSaysSo) {
    TemporaryFolder folder;
    EXPECT_THAT(writeMarks(folder / "none.wgrun", {}).message(),
                HasSubstr("none.wgrun: the file does not exist"));
    EXPECT_FALSE(fs::exists(folder / "none.wgrun"));
    std::ofstream(folder / "text.wgrun") << "not a run";
    EXPECT_FALSE(writeMarks(folder / "text.wgrun", {}));
    if (::geteuid() == 0)
        GTEST_SKIP() << "root may write everything";
    ASSERT_TRUE(saveRun(*makeManySpans(10, 1), folder / "a.wgrun"));
    fs::permissions(folder / "a.wgrun", fs::perms::owner_read);
    EXPECT_THAT(writeMarks(folder / "a.wgrun", someMarks()).message(), HasSubstr("Permission denied"));
}

TEST(RunMarks, OfADamagedTableAreReadInPartAndNeverReplaced) {
    const SavedRun saved(*makeManySpans(10, 1));
    std::vector<RunMark> many;
    for (int i = 0; i < 1000; ++i)
        many.push_back({Nanoseconds(i), "this is note " + std::to_string(i)});
    ASSERT_TRUE(writeMarks(saved.path, many));
    std::string problem;
    EXPECT_EQ(readMarks(saved.path, &problem)->size(), many.size());
    EXPECT_EQ(problem, "");

    constexpr std::size_t kPage = 4096;
    std::string content = contentOf(saved.path);
    const std::size_t inside = content.find("this is note 700");
    ASSERT_NE(inside, std::string::npos);
    content[inside / kPage * kPage] = '\x7f';  // no kind of page
    std::ofstream(saved.path, std::ios::binary | std::ios::trunc) << content;
    const auto left = must(readMarks(saved.path, &problem));
    EXPECT_GT(left.size(), 100u);
    EXPECT_LE(left.size(), 700u);
    EXPECT_EQ(problem, "Marks may be missing: the file is damaged.");
    const auto opened = must(openRun(saved.path));
    EXPECT_EQ(opened.marks, left);
    EXPECT_EQ(opened.warnings, std::vector<std::string>{problem});
    EXPECT_THAT(writeMarks(saved.path, left).message(), HasSubstr("cannot be read whole"));
    EXPECT_EQ(contentOf(saved.path), content);
}

TEST(RunMarks, ThatCannotAllBeReadAreNotReplaced) {
    const std::string table = "CREATE TABLE marks(id INTEGER PRIMARY KEY, time_ns, text);";
    const std::string count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10001) ";
    const std::string forever = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";
    for (const std::string& sql : {
             table + "INSERT INTO marks VALUES (1, 5, 'a'), (2, -7, 'b')",
             table + "INSERT INTO marks VALUES (1, 5, 'a'), (2, 6, hex(zeroblob(50000)))",
             table + count + "INSERT INTO marks SELECT i, i, 'x' FROM n",
             std::string("CREATE TABLE marks(when_ns INTEGER, note TEXT)"),
             "CREATE TABLE marks(id INTEGER PRIMARY KEY, time_ns, text /*" + std::string(20'000, 'x') + "*/)",
             "CREATE VIEW marks AS " + forever + "SELECT i AS id, i AS time_ns, 'x' AS text FROM n",
         }) {
        TemporaryFolder folder;
        const fs::path path = folder / "a.wgrun";
        makeAltered(path, sql);
        const std::string before = contentOf(path);
        std::string problem;
        ASSERT_TRUE(readMarks(path, &problem)) << sql.substr(0, 100);
        EXPECT_THAT(problem, HasSubstr("Marks may be missing: ")) << sql.substr(0, 100);
        EXPECT_FALSE(writeMarks(path, someMarks())) << sql.substr(0, 100);
        EXPECT_EQ(contentOf(path), before) << sql.substr(0, 100);
    }
}

TEST(RunMarks, AreNotWrittenWhereTheFileWouldRunSqlOfItsOwn) {
    const std::string when = "CREATE TRIGGER hostile BEFORE DELETE ON marks BEGIN ";
    for (const std::string& trigger : {
             when + "DELETE FROM chunks; END",
             when + "SELECT (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) "
                    "FROM n); END",
         }) {
        TemporaryFolder folder;
        const fs::path path = folder / "a.wgrun";
        makeAltered(
            path,
            "CREATE TABLE marks(id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, text TEXT NOT NULL);"
            "INSERT INTO marks VALUES (0, 5, 'kept');" +
                trigger);
        const std::string before = contentOf(path);
        EXPECT_THAT(writeMarks(path, someMarks()).message(), HasSubstr("triggers or views"));
        EXPECT_EQ(contentOf(path), before);
        EXPECT_EQ(*readMarks(path), (std::vector<RunMark>{{Nanoseconds(5), "kept"}}));
    }
}

}  // namespace warpglass::test::run_marks_test
