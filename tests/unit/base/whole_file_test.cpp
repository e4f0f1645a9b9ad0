#include "engine/base/whole_file.h"

#include <gmock/gmock.h>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::whole_file_test {

TEST(WholeFile, ReplacesWhatIsThereAndLeavesNothingElse) {
    const TemporaryFolder folder;
    const auto path = folder / "a.bin";
    ASSERT_TRUE(writeWholeFile(path, "first"));
    const std::string bytes("second\0with a null", 18);
    ASSERT_TRUE(writeWholeFile(path, bytes));
    EXPECT_EQ(contentOf(path), bytes);
    EXPECT_EQ(filesIn(path.parent_path()), 1u);
}

TEST(WholeFile, SaysWhyItCannotBeWritten) {
    const TemporaryFolder folder;
    const auto missing = folder / "no such folder" / "a.bin";
    EXPECT_EQ(writeWholeFile(missing, "text").message(),
              "Cannot write " + missing.string() + ": No such file or directory.");
    const auto taken = folder / "taken";
    std::filesystem::create_directories(taken / "inside");
    const Status status = writeWholeFile(taken, "text");
    ASSERT_FALSE(status);
    EXPECT_THAT(status.message(), testing::StartsWith("Cannot write " + taken.string() + ": "));
    EXPECT_TRUE(std::filesystem::is_directory(taken / "inside"));
    EXPECT_EQ(filesIn(taken.parent_path()), 1u);
}

TEST(WholeFile, IsRemovedWithWhatAKilledWriteLeftOfIt) {
    const TemporaryFolder folder;
    const auto path = folder / "a.bin";
    removeWholeFile(path);  // there is none
    for (const char* name : {"a.bin", "a.bin.part", "a.binary"})
        ASSERT_TRUE(writeWholeFile(folder / name, "text"));
    removeWholeFile(path);
    EXPECT_EQ(filesIn(folder.path()), 1u);
    EXPECT_TRUE(std::filesystem::exists(folder / "a.binary"));
}

}  // namespace warpglass::test::whole_file_test
