// What info and stats say of a run's memory, against the engine's own queries over the same snapshot.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/statistics/statistics.h"
#include "tests/cli/saved_run_fixture.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"

namespace warpglass::test::saved_run_memory_test {

using testing::HasSubstr;
using testing::Not;

TEST_F(CliSavedRun, MemoryAddsUpToThePeak) {
    const MemoryTimeline memory = timelineOf(m_run);
    const std::int64_t peak = sumOf(memory.peak()->bytes);
    const json tables = parsed({"stats", "memory", m_path});
    for (const char* name : {"memory-by-category", "memory-by-module", "memory-by-op"})
        EXPECT_EQ(columnSum(rowsOf(tables, name), "size_bytes"), peak) << name;
    std::int64_t highest = 0;
    for (const json& row : rowsOf(tables, "phase-peaks")) {
        std::int64_t sum = 0;
        for (const std::string_view category : kCategoryNames) {
            std::string key = std::string(category) + "_bytes";
            std::ranges::replace(key, ' ', '_');
            sum += row[key].get<std::int64_t>();
        }
        EXPECT_EQ(sum, row["peak_bytes"]);
        highest = std::max(highest, row["peak_bytes"].get<std::int64_t>());
    }
    EXPECT_EQ(highest, peak);
    EXPECT_EQ(rowsOf(tables, "memory")[0]["name"], "run");
    EXPECT_EQ(rowsOf(tables, "memory")[0]["peak_bytes"], peak);
}

TEST_F(CliSavedRun, MemoryOfARangeIsThePeakWithinIt) {
    const MemoryTimeline memory = timelineOf(m_run);
    const std::vector<TimeRange> ranges = rangesMatching(*m_run, "forward");
    std::int64_t peak = 0;
    for (const TimeRange& range : ranges)
        peak = std::max(peak, sumOf(memory.peakIn(range)->bytes));
    const json tables = parsed({"stats", "memory", m_path, "--range", "forward"});
    EXPECT_EQ(columnSum(rowsOf(tables, "memory-by-category"), "size_bytes"), peak);
    EXPECT_EQ(columnOf(rowsOf(tables, "phase-peaks"), "phase"), std::vector<json>(ranges.size(), "forward"));
}

TEST_F(CliSavedRun, AllocationsAreTheLargestAlive) {
    const MemoryTimeline memory = timelineOf(m_run);
    const auto expectLargest = [&](const json& rows, Nanoseconds time, std::size_t limit) {
        const std::vector<AllocationDetail> expected =
            largestAllocations(memory, memory.aliveAt(time), limit);
        ASSERT_EQ(rows.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(rows[i]["allocation"], expected[i].id.value);
            EXPECT_EQ(rows[i]["size_bytes"], expected[i].row.bytes);
            EXPECT_EQ(rows[i]["category"], expected[i].category);
            EXPECT_EQ(rows[i]["allocated_ns"], expected[i].allocated.value);
            EXPECT_EQ(rows[i]["freed_ns"].is_null(), !expected[i].freed.has_value());
        }
    };
    expectLargest(parsed({"stats", "allocations", m_path})["rows"], memory.peak()->time, 20);
    expectLargest(parsed({"stats", "allocations", m_path, "--limit", "5"})["rows"], memory.peak()->time, 5);
    const std::int64_t half = m_run->range().end.value / 2;
    const std::string inMicroseconds = std::to_string(half / 1000) + "us";
    expectLargest(parsed({"stats", "allocations", m_path, "--at", inMicroseconds, "--limit", "0"})["rows"],
                  Nanoseconds(half / 1000 * 1000), 1'000'000);
}

TEST_F(CliSavedRun, GroupedAllocationsAddUpToAllThatIsAlive) {
    const MemoryTimeline memory = timelineOf(m_run);
    const json rows = parsed({"stats", "allocations", m_path, "--grouped", "--limit", "0"})["rows"];
    for (const json& row : rows)
        EXPECT_EQ(row["allocation"].is_null(), row["allocations"] != 1);
    const std::vector<AllocationId> alive = memory.aliveAt(memory.peak()->time);
    EXPECT_EQ(columnSum(rows, "size_bytes"), sumOf(memory.peak()->bytes));
    EXPECT_EQ(columnSum(rows, "allocations"), static_cast<std::int64_t>(alive.size()));
    EXPECT_LT(rows.size(), alive.size());
    EXPECT_EQ(parsed({"stats", "allocations", m_path, "--grouped", "--limit", "2"})["rows"].size(), 2u);
}

TEST_F(CliSavedRun, InfoSaysWhatWasAskedForAndLostToRounding) {
    const auto run = makeSyntheticRun({.allocatorEvents = 500});
    const MemoryTimeline memory = timelineOf(run);
    std::int64_t asked = 0, given = 0;
    for (const AllocationId id : memory.aliveAt(memory.peak()->time)) {
        asked += run->allocation(id)->requested;
        given += run->allocation(id)->bytes;
    }
    ASSERT_LT(asked, given);
    const json tables = parsed({"info", save(*run, "rounded.wgrun")});
    const json row = rowsOf(tables, "memory")[0];
    EXPECT_EQ(row["peak_requested_bytes"], asked);
    EXPECT_EQ(row["peak_given_bytes"], given);
    EXPECT_EQ(row["peak_rounding_bytes"], given - asked);
    EXPECT_TRUE(rowsOf(parsed({"info", m_path}), "memory")[0]["peak_reserved_bytes"].is_null());
    EXPECT_THAT(printed({"info", m_path}), Not(HasSubstr("Reserved at the peak")));
    std::int64_t askedByAll = 0;
    for (std::uint64_t i = 0; i < run->allocationCount(); ++i)
        askedByAll += run->allocation(AllocationId(i))->requested;
    EXPECT_EQ(row["requested_bytes"], askedByAll);
    EXPECT_EQ(columnSum(rowsOf(tables, "peak"), "rounding_bytes"), given - asked);
}

TEST_F(CliSavedRun, SegmentsAreThoseOfTheMoment) {
    const auto run = makeSyntheticRun({.allocatorEvents = 1500});
    const std::string path = save(*run, "segments.wgrun");
    const MemoryTimeline memory = timelineOf(run);
    MemorySegments segments;
    segments.update(run);
    const auto expectMoment = [&](const json& tables, Nanoseconds time) {
        const SegmentState state = segments.at(memory, time);
        const json sums = rowsOf(tables, "fragmentation")[0];
        EXPECT_EQ(sums["time_ns"], time.value);
        EXPECT_EQ(sums["reserved_bytes"], state.totals.reserved.value);
        EXPECT_EQ(sums["largest_free_bytes"], state.totals.largestFree.value);
        EXPECT_EQ(sums["fragmentation_share"].get<double>(), state.totals.fragmentation());
        EXPECT_EQ(sums["free_share"].get<double>(), state.totals.freeShare());
        const json rows = rowsOf(tables, "segments");
        ASSERT_EQ(rows.size(), state.segments.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(std::stoull(rows[i]["address"].get<std::string>(), nullptr, 16),
                      state.segments[i].address);
            EXPECT_EQ(rows[i]["size_bytes"], state.segments[i].bytes);
            EXPECT_EQ(rows[i]["pool"], state.segments[i].large ? "large" : "small");
            EXPECT_EQ(rows[i]["allocated_bytes"], state.segments[i].totals.allocated.value);
            EXPECT_EQ(rows[i]["free_bytes"], state.segments[i].totals.free.value);
        }
    };
    expectMoment(parsed({"stats", "segments", path}), memory.peak()->time);
    const json tables = parsed({"stats", "segments", path, "--at", "100us", "--blocks"});
    expectMoment(tables, Nanoseconds(100000));
    std::map<std::string, std::int64_t> byState;
    for (const json& block : rowsOf(tables, "blocks"))
        byState[block["state"]] += block["size_bytes"].get<std::int64_t>();
    const SegmentTotals totals = segments.at(memory, Nanoseconds(100000)).totals;
    EXPECT_EQ(byState["free"], totals.free.value);
    EXPECT_EQ(byState["allocated"], totals.allocated.value);
    EXPECT_EQ(columnSum(rowsOf(tables, "segment-events"), "count"), run->segmentEventCount());
    EXPECT_EQ(rowsOf(parsed({"info", path}), "memory")[0]["peak_reserved_bytes"],
              segments.reservedAt(memory.peak()->time).value);
}

TEST_F(CliSavedRun, ARunWithoutSegmentsSaysSo) {
    expectOneSentence(runProgram({"stats", "segments", m_path}), 1,
                      "The run was recorded on the CPU, whose memory has no segments.");
}

TEST(CliDamagedRun, SaysThatMemoryIsLostAndStatesNoneOfIt) {
    const std::filesystem::path sample = sampleRunPath("small-bf16-naive");
    const std::filesystem::path cut = std::filesystem::path(testing::TempDir()) / "cli_half.wgrun";
    std::filesystem::copy_file(sample, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, std::filesystem::file_size(sample) / 2);
    for (const char* const table : {"memory", "allocations", "segments"}) {
        const Outcome outcome = runProgram({"stats", table, cut.string()});
        EXPECT_EQ(outcome.status, 1);
        EXPECT_THAT(outcome.err, HasSubstr("The records of memory are not in the file")) << table;
    }
    const json rows = printedJson({"stats", "layers", cut.string()})["rows"];
    ASSERT_FALSE(rows.empty());
    for (const json& row : rows) {
        EXPECT_TRUE(row["activations_bytes"].is_null());
        EXPECT_TRUE(row["memory_bytes"].is_null());
    }
    std::filesystem::remove(cut);
}

}  // namespace warpglass::test::saved_run_memory_test
