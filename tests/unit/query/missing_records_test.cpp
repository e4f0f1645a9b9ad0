#include "engine/query/missing_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/io/run_file.h"
#include "engine/query/comparison_headline.h"
#include "engine/query/comparison_notes.h"
#include "engine/query/memory_absence.h"
#include "engine/query/run_overview.h"
#include "tests/support/run_damage.h"
#include "tests/support/temporary_folder.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::uint64_t rowsOf(const Snapshot& run, RecordKind kind) {
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < run.laneCount(); ++i) {
        const SpanLane lane = run.lane(LaneId(i));
        if (recordKindOf(run.track(lane.track()).kind) == kind)
            rows += lane.rows();
    }
    return rows;
}

/// What can be read of it, row by row.
std::uint64_t readableRows(const Snapshot& run, RecordKind kind) {
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < run.laneCount(); ++i) {
        const SpanLane lane = run.lane(LaneId(i));
        for (std::uint64_t r = 0; r < lane.rows() && recordKindOf(run.track(lane.track()).kind) == kind; ++r)
            rows += lane.row(r) ? 1 : 0;
    }
    return rows;
}

class MissingRecordsTest : public ::testing::Test {
protected:
    static fs::path sample(const char* name) {
        return fs::path(WARPGLASS_SAMPLE_RUNS) / (std::string(name) + ".wgrun");
    }
    std::shared_ptr<const Snapshot> whole(const char* name) { return openRun(sample(name))->snapshot; }
    /// With only this much of the file, in percent.
    std::shared_ptr<const Snapshot> cut(const char* name, std::uintmax_t percent) {
        const fs::path path = m_folder / (std::to_string(percent) + name + ".wgrun");
        test::writeContent(path, test::contentOf(sample(name)));
        fs::resize_file(path, fs::file_size(path) * percent / 100);
        return openRun(path)->snapshot;
    }
    /// With the kernels' chunks unreadable.
    std::shared_ptr<const Snapshot> withoutKernels(const char* name) {
        const fs::path path = m_folder / (std::string("kernels-") + name + ".wgrun");
        test::writeContent(path, test::contentOf(sample(name)));
        test::alterRun(path,
                       "UPDATE chunks SET data=zeroblob(1000) WHERE kind=0 AND lane IN (SELECT lanes.id FROM "
                       "lanes JOIN tracks ON tracks.id=lanes.track WHERE tracks.kind=5)");
        return openRun(path)->snapshot;
    }
    static RunOverview overview(const std::shared_ptr<const Snapshot>& run) {
        MemoryTimeline memory;
        memory.update(run);
        return overviewOf(memory);
    }

    test::TemporaryFolder m_folder;
};

TEST_F(MissingRecordsTest, OfAWholeRunNothingIs) {
    const auto run = whole("small-bf16-naive");
    const MissingRecords missing = missingRecords(*run);
    EXPECT_FALSE(missing.any());
    EXPECT_EQ(missingInWords(missing), "");
    EXPECT_EQ(missingSentence(missing), "");
    EXPECT_EQ(kernelAbsence(*run), KernelAbsence::kNone);
    EXPECT_EQ(hostClockInWords(*run), "");
}

TEST_F(MissingRecordsTest, IsWhatTheWholeHasAndACutOneHasNot) {
    const auto all = whole("small-bf16-naive");
    for (const std::uintmax_t percent : {20, 35, 50, 65, 80, 95}) {
        SCOPED_TRACE(percent);
        const auto run = cut("small-bf16-naive", percent);
        const MissingRecords missing = missingRecords(*run);
        for (const RecordKind kind : {RecordKind::kKernels, RecordKind::kGpuPhases, RecordKind::kSteps,
                                      RecordKind::kPhases, RecordKind::kOps, RecordKind::kModules,
                                      RecordKind::kCalls, RecordKind::kCopies, RecordKind::kWaits}) {
            SCOPED_TRACE(kRecordKindNames[static_cast<std::size_t>(kind)]);
            if (missing.lacks(kind)) {
                EXPECT_EQ(missing.of(kind).total, rowsOf(*all, kind));
            }
            EXPECT_EQ(missing.of(kind).missing, rowsOf(*all, kind) - readableRows(*run, kind));
        }
        EXPECT_EQ(missing.lacksAll(RecordKind::kMemoryEvents) || missing.lacksAll(RecordKind::kAllocations),
                  memoryAbsence(*run) == MemoryAbsence::kLost);
    }
}

TEST_F(MissingRecordsTest, ACopyOfACutRunStillSaysSo) {
    const auto run = cut("small-bf16-naive", 50);
    const fs::path copy = m_folder / "copy.wgrun";
    ASSERT_TRUE(saveRun(*run, copy));
    const auto opened = openRun(copy);
    ASSERT_TRUE(opened);
    EXPECT_TRUE(opened->isIncomplete);
    const MissingRecords before = missingRecords(*run), after = missingRecords(*opened->snapshot);
    EXPECT_EQ(after.of(RecordKind::kMemoryEvents).missing, before.of(RecordKind::kMemoryEvents).missing);
    EXPECT_EQ(after.of(RecordKind::kGpuPhases).missing, before.of(RecordKind::kGpuPhases).missing);
}

TEST_F(MissingRecordsTest, WordsNameTheWeightiestFirst) {
    MissingRecords missing;
    missing.damaged = true;
    missing.of(RecordKind::kOps) = {1284, 12600};
    missing.of(RecordKind::kKernels) = {5396, 5396};
    EXPECT_EQ(missingInWords(missing), "all 5,396 kernels and 1,284 of 12,600 ops");
    EXPECT_EQ(missingInWords(missing, {RecordKind::kOps}), "1,284 of 12,600 ops");
    EXPECT_THAT(missingSentence(missing), HasSubstr("say nothing of the GPU's busy and idle time."));
}

TEST_F(MissingRecordsTest, AGpuWhoseKernelsAreLostIsNotIdle) {
    const RunOverview run = overview(withoutKernels("small-bf16-naive"));
    EXPECT_TRUE(run.missing.lacksAll(RecordKind::kKernels));
    EXPECT_EQ(run.gpu.wall.value, 0) << "0.06 % busy, as its copies alone would say";
    for (const Finding& finding : run.findings) {
        EXPECT_NE(finding.rule, "launch-bound");
        EXPECT_NE(finding.rule, "kernel-gaps");
    }
    EXPECT_EQ(run.summary.kernels, 0u);
    EXPECT_EQ(overview(whole("small-bf16-naive")).gpu.steps, 3);
}

TEST_F(MissingRecordsTest, APeakOfLostEventsIsNotNought) {
    const auto run = cut("xl-bf16-step", 75);  // their chunk is listed, and beyond the end
    ASSERT_GT(run->memoryEventCount(), 0u);
    const RunOverview overviewOfIt = overview(run);
    EXPECT_FALSE(overviewOfIt.summary.peak);
    EXPECT_EQ(memoryAbsence(*run), MemoryAbsence::kLost);
}

TEST_F(MissingRecordsTest, PhasesTellWhyTheyAreTheHosts) {
    const auto run = cut("small-bf16-naive", 75);
    const RunOverview overviewOfIt = overview(run);
    ASSERT_FALSE(overviewOfIt.phases.empty());
    EXPECT_EQ(overviewOfIt.phaseClock, PhaseClock::kHost) << "kernels are there; the phases tell one clock";
    EXPECT_THAT(overviewOfIt.hostClock, HasSubstr("missing from the file"));
}

TEST_F(MissingRecordsTest, AComparisonSaysWhatDoesNotCompare) {
    const auto a = whole("small-fp32-naive"), b = withoutKernels("small-bf16-naive");
    const RunComparison comparison = compareRuns(a, b);
    EXPECT_FALSE(comparison.mixed());
    for (const auto* rows : {&comparison.kernels, &comparison.gpuOps, &comparison.gpuModules}) {
        ASSERT_FALSE(rows->empty());
        for (const ComparisonRow& row : *rows) {
            EXPECT_TRUE(row.isUnknown()) << row.name;
            EXPECT_FALSE(row.isDecided()) << row.name;
        }
    }
    for (const ComparisonRow& row : comparison.categories)
        EXPECT_FALSE(row.isUnknown()) << "its memory is all there";
    const ComparisonHeadline headline = headlineOf(comparison, *a, *b);
    EXPECT_FALSE(headline.matmulShareB);
    EXPECT_TRUE(headline.stepB);
    const std::vector<std::string> notes = comparisonNotes(comparison, a, b);
    ASSERT_FALSE(notes.empty());
    EXPECT_THAT(notes.front(), HasSubstr("Part of B is missing from its file: all 5,396 kernels"));
    EXPECT_THAT(notes.front(), HasSubstr("not compared: the GPU's time."));
    // With itself whole it is another run's file: nothing says that they are the same.
    for (const std::string& note :
         comparisonNotes(compareRuns(a, cut("small-fp32-naive", 50)), a, cut("small-fp32-naive", 50)))
        EXPECT_THAT(note, Not(HasSubstr("gone")));
}

}  // namespace
}  // namespace warpglass
