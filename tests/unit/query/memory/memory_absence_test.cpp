#include "engine/query/memory/memory_absence.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/io/run_file.h"
#include "tests/support/trace_text.h"

namespace warpglass {
namespace {

MemoryAbsence of(const test::InfoPairs& info) {
    return memoryAbsence(*test::traceOf("end 100", info));
}

TEST(MemoryAbsence, IsToldByWhatTheRunStates) {
    EXPECT_EQ(of({}), MemoryAbsence::kNothingYet);
    EXPECT_EQ(of({{"config.record", "ops,memory"}}), MemoryAbsence::kNothingYet) << "it may have just begun";
    EXPECT_EQ(of({{"config.record", "ops,kernels"}, {"steps.completed", "3"}}), MemoryAbsence::kNotRecorded);
    EXPECT_EQ(of({{"config.record", "ops,memory,kernels"}, {"steps.completed", "3"}}), MemoryAbsence::kLost);
    EXPECT_EQ(of({{"config.record", "memory"}, {"allocator.peak_allocated_bytes", "5"}}),
              MemoryAbsence::kLost);
    EXPECT_TRUE(memoryAbsenceInWords(MemoryAbsence::kNone).empty());
}

TEST(MemoryAbsence, OfAFileWhoseSecondHalfIsGoneIsALoss) {
    const std::filesystem::path sample = WARPGLASS_SAMPLE_RUNS "/small-bf16-flash.wgrun";
    const auto whole = openRun(sample);
    ASSERT_TRUE(whole);
    EXPECT_EQ(memoryAbsence(*whole->snapshot), MemoryAbsence::kNone);
    const std::filesystem::path cut = std::filesystem::path(testing::TempDir()) / "memory_absence.wgrun";
    std::filesystem::copy_file(sample, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, std::filesystem::file_size(sample) * 57 / 100);
    const auto opened = openRun(cut);
    ASSERT_TRUE(opened) << opened.message();
    EXPECT_EQ(memoryAbsence(*opened->snapshot), MemoryAbsence::kLost);
    std::filesystem::remove(cut);
}

TEST(SegmentAbsence, SaysWhyThereAreNone) {
    const auto words = [](const test::InfoPairs& info, bool memory, bool segment) {
        const std::string text =
            std::string(memory ? "alloc 512 1\n" : "") + (segment ? "segment alloc 1MiB 1\n" : "");
        return std::string(segmentAbsenceInWords(*test::traceOf(text, info)));
    };
    EXPECT_EQ(words({{"config.device", "cuda:0"}}, true, true), "");
    EXPECT_EQ(words({{"config.device", "cpu"}}, true, false),
              "The run was recorded on the CPU, whose memory has no segments");
    EXPECT_EQ(words({{"config.device", "cuda:0"}, {"missing.segments", "135 of 135"}}, true, false),
              "The records of segments are not in the file: it is cut off or damaged");
    EXPECT_EQ(words({{"config.device", "cuda:0"}, {"config.record", "ops"}}, false, false),
              memoryAbsenceInWords(MemoryAbsence::kNotRecorded));
    EXPECT_EQ(words({{"config.device", "cuda:0"}}, true, false),
              "There are no records of segments in this run");
}

}  // namespace
}  // namespace warpglass
