#include "engine/query/completeness/missing_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/format.h"
#include "engine/io/run_file.h"
#include "engine/query/compare/comparison_headline.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/memory/memory_absence.h"
#include "engine/session/save_run.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/timeline_of.h"

namespace warpglass {
namespace {

namespace fs = std::filesystem;
using test::openSampleRun;
using ::testing::HasSubstr;
using ::testing::Not;

/// The records of a kind, and of these how many can be read, one by one.
struct Rows {
    std::uint64_t all = 0, readable = 0;

    template <class At>
    void count(std::uint64_t rows, At&& at) {
        all += rows;
        for (std::uint64_t i = 0; i < rows; ++i)
            readable += at(i) ? 1 : 0;
    }
};

Rows rowsOf(const Snapshot& run, RecordKind kind) {
    Rows rows;
    switch (kind) {
        case RecordKind::kMemoryEvents:
            rows.count(run.memoryEventCount(), [&](std::uint64_t i) { return run.memoryEvent(i); });
            return rows;
        case RecordKind::kAllocations:
            rows.count(run.allocationCount(),
                       [&](std::uint64_t i) { return run.allocation(AllocationId(i)); });
            return rows;
        case RecordKind::kSegments:
            rows.count(run.segmentEventCount(), [&](std::uint64_t i) { return run.segmentEvent(i); });
            return rows;
        case RecordKind::kCounters:
            rows.count(run.counterSampleCount(), [&](std::uint64_t i) { return run.counterSample(i); });
            return rows;
        default:
            break;
    }
    for (std::size_t i = 0; i < run.laneCount(); ++i) {
        const SpanLane lane = run.lane(LaneId(i));
        if (recordKindOf(run.track(lane.track()).kind) == kind)
            rows.count(lane.rows(), [&](std::uint64_t r) { return lane.row(r); });
    }
    return rows;
}

class MissingRecordsTest : public ::testing::Test {
protected:
    /// With only this much of the file, in percent.
    std::shared_ptr<const Snapshot> cut(const char* name, std::uintmax_t percent) {
        const fs::path path = m_folder / (std::to_string(m_files++) + name + ".wgrun");
        test::writeContent(path, test::contentOf(test::sampleRunPath(name)));
        fs::resize_file(path, fs::file_size(path) * percent / 100);
        return openRun(path)->snapshot;
    }
    /// With the chunks unreadable that are `where`.
    std::shared_ptr<const Snapshot> without(const char* name, const std::string& where) {
        const fs::path path = m_folder / (std::to_string(m_files++) + name + ".wgrun");
        test::writeContent(path, test::contentOf(test::sampleRunPath(name)));
        test::alterRun(path, "UPDATE chunks SET data=zeroblob(1000) WHERE " + where);
        return openRun(path)->snapshot;
    }
    std::shared_ptr<const Snapshot> withoutKernels(const char* name) {
        return without(name,
                       "kind=0 AND lane IN (SELECT lanes.id FROM lanes JOIN tracks ON tracks.id=lanes.track "
                       "WHERE tracks.kind=5)");
    }
    static RunOverview overview(const std::shared_ptr<const Snapshot>& run) {
        const MemoryTimeline memory = test::timelineOf(run);
        return overviewOf(memory);
    }

    test::TemporaryFolder m_folder;
    int m_files = 0;  // a run that is open still reads its own
};

TEST_F(MissingRecordsTest, OfAWholeRunNothingIs) {
    const auto run = openSampleRun("small-bf16-naive");
    const MissingRecords missing = missingRecords(*run);
    EXPECT_FALSE(missing.any());
    EXPECT_EQ(missingInWords(missing), "");
    EXPECT_EQ(missingSentence(missing), "");
    EXPECT_EQ(kernelAbsence(*run), KernelAbsence::kNone);
    EXPECT_EQ(hostClockInWords(*run), "");
}

TEST_F(MissingRecordsTest, IsWhatTheWholeHasAndACutOneHasNot) {
    const auto all = openSampleRun("small-bf16-naive");
    for (const std::uintmax_t percent : {20, 35, 50, 65, 80, 95}) {
        SCOPED_TRACE(percent);
        const auto run = cut("small-bf16-naive", percent);
        const MissingRecords missing = missingRecords(*run);
        for (const RecordKind kind :
             {RecordKind::kKernels, RecordKind::kGpuPhases, RecordKind::kSteps, RecordKind::kPhases,
              RecordKind::kOps, RecordKind::kModules, RecordKind::kCalls, RecordKind::kCopies,
              RecordKind::kWaits, RecordKind::kMemoryEvents, RecordKind::kAllocations, RecordKind::kSegments,
              RecordKind::kCounters}) {
            SCOPED_TRACE(kRecordKindNames[static_cast<std::size_t>(kind)]);
            const std::uint64_t recorded = rowsOf(*all, kind).all;
            if (missing.lacks(kind)) {
                EXPECT_EQ(missing.of(kind).total, recorded);
            }
            EXPECT_EQ(missing.of(kind).missing, recorded - rowsOf(*run, kind).readable);
        }
        EXPECT_EQ(missing.lacksAll(RecordKind::kMemoryEvents) || missing.lacksAll(RecordKind::kAllocations),
                  memoryAbsence(*run) == MemoryAbsence::kLost);
    }
}

TEST_F(MissingRecordsTest, LostAllocationsAreThoseOfTheirChunk) {
    const auto whole = test::makeManyMemoryEvents(5 * kChunkRows);
    ASSERT_GT(whole->allocationCount(), 2u * kChunkRows);
    const fs::path path = m_folder / "allocations.wgrun";
    ASSERT_TRUE(saveRun(*whole, path));
    test::alterRun(path, "UPDATE chunks SET data=zeroblob(1000) WHERE kind=2 AND chunk=1");
    const auto run = openRun(path);
    ASSERT_TRUE(run) << run.message();
    const Rows rows = rowsOf(*run->snapshot, RecordKind::kAllocations);
    EXPECT_EQ(rows.all, whole->allocationCount());
    EXPECT_EQ(rows.all - rows.readable, std::uint64_t{kChunkRows});
    const MissingRecords missing = missingRecords(*run->snapshot);
    EXPECT_EQ(missing.of(RecordKind::kAllocations).missing, rows.all - rows.readable);
    EXPECT_EQ(missing.of(RecordKind::kAllocations).total, rows.all);
    EXPECT_FALSE(missing.lacksAll(RecordKind::kAllocations));
    EXPECT_FALSE(missing.lacks(RecordKind::kMemoryEvents)) << "they can all be read";
    EXPECT_TRUE(missing.lacksMemory());
    EXPECT_EQ(missingInWords(missing),
              "65,536 of " + formatGrouped(static_cast<std::int64_t>(rows.all)) + " allocations");
    EXPECT_THAT(missingSentence(missing), HasSubstr("say nothing of what fills memory."));
}

TEST_F(MissingRecordsTest, WithoutItsAllocationsARunHasEventsAndNoMemory) {
    const auto run = without("small-bf16-naive", "kind=2");
    const RunOverview overviewOfIt = overview(run);
    EXPECT_EQ(missingInWords(overviewOfIt.missing), "all 5,176 allocations");
    EXPECT_EQ(overviewOfIt.summary.allocations, 0u);
    EXPECT_EQ(overviewOfIt.summary.memoryEvents, run->memoryEventCount());
    EXPECT_FALSE(overviewOfIt.summary.peak);
    EXPECT_EQ(memoryAbsence(*run), MemoryAbsence::kLost);
    // With their events they are lost once.
    const RunOverview neither = overview(without("small-bf16-naive", "kind IN (1, 2)"));
    EXPECT_TRUE(neither.missing.lacksAll(RecordKind::kAllocations));
    EXPECT_EQ(missingInWords(neither.missing), "all 10,350 memory events");
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
    EXPECT_EQ(overview(openSampleRun("small-bf16-naive")).gpu.steps, 3);
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
    const auto a = openSampleRun("small-fp32-naive"), b = withoutKernels("small-bf16-naive");
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
