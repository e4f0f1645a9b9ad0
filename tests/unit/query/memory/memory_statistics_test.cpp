#include "engine/query/memory/memory_statistics.h"

#include <gtest/gtest.h>

#include "tests/support/allocator_model.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::memory_statistics_test {

struct MemoryStatisticsTest : testing::Test {
    void open(std::string_view text) { m_timeline.update(traceOf(text)); }

    MemoryTimeline m_timeline;
};

TEST_F(MemoryStatisticsTest, findsThePeakOfRunPhasesAndSteps) {
    open(R"(
        info config.warmup 1
        alloc 1000 5 weights
        step 0 100-200
          forward 100-150 | alloc 200 110-180 activations
          backward 150-200 | alloc 50 160-170 temporaries
        step 1 200-
          forward 200-250 | alloc 400 210-280 activations
          backward 250- | alloc 50 260-270 temporaries
        end 295
    )");
    const MemoryStatistics statistics = memoryStatistics(m_timeline);
    EXPECT_EQ(statistics.run.peak, Bytes(1450));
    EXPECT_EQ(statistics.run.peakTime, Nanoseconds(260));

    ASSERT_EQ(statistics.phases.size(), 2u);
    const MemoryStatisticsRow& forward = statistics.phases[0];
    EXPECT_EQ(forward.name, "forward");
    EXPECT_EQ(forward.instances, 2);
    EXPECT_EQ(forward.peak, Bytes(1400));
    EXPECT_EQ(forward.peakTime, Nanoseconds(210));
    EXPECT_EQ(forward.atBegin, Bytes(1000));
    EXPECT_EQ(forward.atEnd, Bytes(1400));
    EXPECT_EQ(forward.atPeak[static_cast<std::size_t>(Category::kActivations)], 400);
    EXPECT_EQ(forward.atPeak[static_cast<std::size_t>(Category::kWeights)], 1000);
    EXPECT_EQ(statistics.phases[1].name, "backward");
    EXPECT_EQ(statistics.phases[1].peak, Bytes(1450));
    EXPECT_EQ(statistics.phases[1].atEnd, Bytes(1000)) << "the open backward lasts to the snapshot's end";

    ASSERT_EQ(statistics.steps.size(), 2u);
    EXPECT_EQ(statistics.steps[0].name, "step 0");
    EXPECT_TRUE(statistics.steps[0].warmup);
    EXPECT_EQ(statistics.steps[0].peak, Bytes(1250));
    EXPECT_FALSE(statistics.steps[1].warmup);
    EXPECT_EQ(statistics.steps[1].step, 1);
    EXPECT_EQ(statistics.steps[1].peak, Bytes(1450));
}

TEST_F(MemoryStatisticsTest, aPhaseHasTheFiguresOfItsFirstHighestRange) {
    open(R"(
        forward 0-50    | alloc 300 10-20 temporaries
        forward 100-150 | alloc 500 110-120 temporaries
        forward 200-250 | alloc 500 210-220 temporaries
        forward 300-350 | alloc 300 310-320 temporaries
    )");
    const MemoryStatistics statistics = memoryStatistics(m_timeline);
    ASSERT_EQ(statistics.phases.size(), 1u);
    EXPECT_EQ(statistics.phases[0].instances, 4);
    EXPECT_EQ(statistics.phases[0].peak, Bytes(500));
    EXPECT_EQ(statistics.phases[0].peakTime, Nanoseconds(110));
}

TEST_F(MemoryStatisticsTest, isEmptyWithoutEventsAndWithoutSnapshot) {
    EXPECT_EQ(memoryStatistics(m_timeline).run.instances, 0);
    open("forward 0-5");
    const MemoryStatistics statistics = memoryStatistics(m_timeline);
    EXPECT_EQ(statistics.run.instances, 0);
    EXPECT_TRUE(statistics.phases.empty());
    EXPECT_TRUE(statistics.steps.empty());
}

TEST(RoundingTotals, addUpWhatWasAskedForAndGiven) {
    const auto run = makeAllocatorRun(3000, 4);
    const MemoryTimeline timeline = timelineOf(run);
    const Nanoseconds t(run->range().end.value / 2);
    RoundingTotals alive, all;
    for (std::uint64_t i = 0; i < run->allocationCount(); ++i) {
        const AllocationRow row = *run->allocation(AllocationId(i));
        all.asked += Bytes(row.requested);
        all.given += Bytes(row.bytes);
        const auto freed = timeline.freedAt(AllocationId(i));
        if (timeline.allocatedAt(AllocationId(i)) > t || (freed && *freed <= t))
            continue;
        alive.asked += Bytes(row.requested);
        alive.given += Bytes(row.bytes);
        ++alive.allocations;
    }
    ASSERT_GT(alive.allocations, 20);
    ASSERT_GT(alive.lost().value, 0);
    const auto byCategory = roundingAt(timeline, t);
    const RoundingTotals& activations = byCategory[static_cast<std::size_t>(Category::kActivations)];
    EXPECT_EQ(activations.asked, alive.asked);
    EXPECT_EQ(activations.given, alive.given);
    EXPECT_EQ(activations.allocations, alive.allocations);
    EXPECT_EQ(byCategory[static_cast<std::size_t>(Category::kWeights)].allocations, 0);
    EXPECT_EQ(roundingOfRun(*run).asked, all.asked);
    EXPECT_EQ(roundingOfRun(*run).given, all.given);
    EXPECT_EQ(roundingOfRun(*run).allocations, static_cast<std::int64_t>(run->allocationCount()));
}

}  // namespace warpglass::test::memory_statistics_test
