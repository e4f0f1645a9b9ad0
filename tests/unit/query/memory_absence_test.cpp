#include "engine/query/memory_absence.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/io/run_file.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {
namespace {

MemoryAbsence of(std::initializer_list<std::pair<const char*, const char*>> info) {
    TraceWriter writer;
    for (const auto& [key, value] : info)
        writer.setInfo(key, value);
    writer.commit(Nanoseconds(100));
    return memoryAbsence(*writer.feed()->latest());
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

}  // namespace
}  // namespace warpglass
