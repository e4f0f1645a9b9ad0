#include "engine/io/run_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "engine/io/run_file.h"
#include "engine/io/run_file_format.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using testing::HasSubstr;

std::vector<RunMark> someMarks() {
    return {{Nanoseconds(5), "start"}, {Nanoseconds(1'000'000), "größer · 大"}, {Nanoseconds(1'000'000), ""}};
}

TEST(RunMarks, ComeBackAndTheRunStaysAsItWas) {
    TemporaryFolder folder;
    const auto run = test::makeSyntheticRun();
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    EXPECT_TRUE(readMarks(folder / "a.wgrun")->empty());
    ASSERT_TRUE(writeMarks(folder / "a.wgrun", someMarks()));
    EXPECT_EQ(*readMarks(folder / "a.wgrun"), someMarks());
    const auto opened = openRun(folder / "a.wgrun");
    ASSERT_TRUE(opened);
    EXPECT_TRUE(opened->warnings.empty());
    EXPECT_EQ(test::firstDifference(*run, *opened->snapshot), "");
    ASSERT_TRUE(writeMarks(folder / "a.wgrun", {{Nanoseconds(7), "only"}}));
    EXPECT_EQ(readMarks(folder / "a.wgrun")->size(), 1u);
    ASSERT_TRUE(writeMarks(folder / "a.wgrun", {}));
    EXPECT_TRUE(readMarks(folder / "a.wgrun")->empty());
}

TEST(RunMarks, AreWrittenWhileTheFileIsBeingRead) {
    TemporaryFolder folder;
    const auto run = test::makeManySpans(200'000, 2);
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    const auto opened = openRun(folder / "a.wgrun");
    ASSERT_TRUE(opened);
    ASSERT_NE(opened->snapshot->lane(LaneId(0)).chunk(0), nullptr);
    ASSERT_TRUE(writeMarks(folder / "a.wgrun", someMarks()));
    EXPECT_EQ(test::firstDifference(*run, *opened->snapshot), "") << "chunks that are read later";
    EXPECT_EQ(*readMarks(folder / "a.wgrun"), someMarks());
}

TEST(RunMarks, FilesOfOlderVersionsTakeThem) {
    for (const char* name : {"version1.wgrun", "version2.wgrun", "version3.wgrun"}) {
        TemporaryFolder folder;
        const fs::path path = folder / name;
        fs::copy_file(fs::path(WARPGLASS_GOLDEN_DIR) / name, path);
        fs::permissions(path, fs::perms::owner_all);
        EXPECT_TRUE(readMarks(path)->empty());
        const auto before = openRun(path);
        ASSERT_TRUE(before);
        ASSERT_TRUE(writeMarks(path, someMarks()));
        const auto after = openRun(path);
        ASSERT_TRUE(after);
        EXPECT_EQ(after->warnings, before->warnings);
        EXPECT_EQ(test::firstDifference(*before->snapshot, *after->snapshot), "");
        EXPECT_EQ(*readMarks(path), someMarks());
    }
}

TEST(RunMarks, ComeInOrderOfTimeAndWithinLimits) {
    TemporaryFolder folder;
    ASSERT_TRUE(saveRun(*test::makeManySpans(10, 1), folder / "a.wgrun"));
    std::string longText(kLongestMark - 1, 'x');
    longText += "é and more";
    ASSERT_TRUE(writeMarks(folder / "a.wgrun", {{Nanoseconds(9), longText}, {Nanoseconds(3), "first"}}));
    const auto marks = *readMarks(folder / "a.wgrun");
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].text, "first");
    EXPECT_EQ(marks[1].text, std::string(kLongestMark - 1, 'x')) << "no half of a character";
    std::vector<RunMark> many(kMostMarks + 5);
    ASSERT_TRUE(writeMarks(folder / "a.wgrun", many));
    EXPECT_EQ(readMarks(folder / "a.wgrun")->size(), kMostMarks);
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
    ASSERT_TRUE(saveRun(*test::makeManySpans(10, 1), folder / "a.wgrun"));
    fs::permissions(folder / "a.wgrun", fs::perms::owner_read);
    EXPECT_THAT(writeMarks(folder / "a.wgrun", someMarks()).message(), HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace warpglass
