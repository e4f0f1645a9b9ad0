#include "engine/query/memory/memory_statistics.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "engine/query/memory/memory_before_backward.h"
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

TEST(MemoryBeforeBackward, IsWhatIsAllocatedWhenThePhaseBegins) {
    const auto run = traceOf(R"(
        info config.warmup 1 state finished steps.completed 4
        counter "memory reserved" 2097152 5 ; counter "memory reserved" 4194304 250
        step 0 0-100
          forward 10-40 | alloc 100 20-90 activations
          backward 50-90
        step 1 100-200
          forward 110-140 | alloc 1000 120-190 activations
          backward 150-190 | alloc 7 151-160 temporaries
        step 2 200-300
          forward 210-240 | alloc 3000 220-290 activations
          backward 250-290
        step 3 300-400
          forward 310-340 | alloc 5000 320-390 activations
    )");
    const auto steps = memoryBeforeBackward(timelineOf(run));
    ASSERT_EQ(steps.size(), 2u) << "neither the warm-up nor the step without a backward pass";
    EXPECT_EQ(steps[0].step, 1);
    EXPECT_EQ(steps[0].time, Nanoseconds(150));
    EXPECT_EQ(steps[0].allocated, Bytes(1000));
    EXPECT_EQ(steps[0].reserved, Bytes(2097152));
    EXPECT_EQ(steps[1].allocated, Bytes(3000));
    EXPECT_EQ(steps[1].reserved, Bytes(4194304));
    EXPECT_EQ(mostBeforeBackward(steps)->step, 2);
    EXPECT_FALSE(mostBeforeBackward({}));
}

TEST(MemoryBeforeBackward, OfAReplayedStepIsByTheGpusPhases) {
    const auto run = traceOf(R"(
        info config.warmup 0 state finished steps.completed 2
        step 0 0-100
          forward 10-40 | alloc 100 20-90 activations
          backward 50-90
          gpu backward 60-95
        step 1 100-200
          replay 101-110
          gpu forward 110-150
          gpu backward 150-190
          alloc 700 120-180 activations
    )");
    const auto steps = memoryBeforeBackward(timelineOf(run));
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].time, Nanoseconds(50)) << "where the host went through it, its time counts";
    EXPECT_EQ(steps[1].time, Nanoseconds(150));
    EXPECT_EQ(steps[1].allocated, Bytes(700));
    EXPECT_FALSE(steps[1].reserved);
}

TEST(MemoryBeforeBackward, AgreesWithASumOverEveryAllocation) {
    std::mt19937_64 random(20261123);
    for (int round = 0; round < 20; ++round) {
        struct Allocation {
            std::int64_t bytes, from, to;
        };
        std::vector<Allocation> allocations;
        std::string text = "info config.warmup 0 state finished steps.completed 6\n";
        for (int step = 0; step < 6; ++step) {
            const std::int64_t begin = step * 1000;
            text += "step " + std::to_string(step) + " " + std::to_string(begin) + "-" +
                    std::to_string(begin + 999) + "\n";
            text += "  backward " + std::to_string(begin + 500) + "-" + std::to_string(begin + 900) + "\n";
            for (int i = 0; i < 10; ++i) {
                const auto from = begin + static_cast<std::int64_t>(random() % 400) * 2 + 1;
                const auto to = from + 2 + static_cast<std::int64_t>(random() % 1000) * 2;
                const auto bytes = 1 + static_cast<std::int64_t>(random() % 1000);
                allocations.push_back({bytes, from, to});
                text += "  alloc " + std::to_string(bytes) + " " + std::to_string(from) + "-" +
                        std::to_string(to) + " activations\n";
            }
        }
        const auto steps = memoryBeforeBackward(timelineOf(traceOf(text + "end 9000\n")));
        ASSERT_EQ(steps.size(), 6u);
        for (const BeforeBackward& step : steps) {
            std::int64_t alive = 0;
            for (const Allocation& a : allocations)
                alive += a.from <= step.time.value && a.to > step.time.value ? a.bytes : 0;
            EXPECT_EQ(step.allocated.value, alive) << "step " << step.step;
        }
    }
}

TEST(MemoryBeforeBackward, IsNothingWithoutMemoryOrMeasuredSteps) {
    EXPECT_TRUE(memoryBeforeBackward(timelineOf(traceOf())).empty());
    EXPECT_TRUE(memoryBeforeBackward(timelineOf(traceOf("step 0 0-9 | backward 2-5"))).empty());
    EXPECT_TRUE(memoryBeforeBackward(timelineOf(traceOf(R"(
        info config.warmup 2 state finished steps.completed 1
        step 0 0-9 | backward 2-5 | alloc 9 3 activations
    )")))
                    .empty());
}

}  // namespace warpglass::test::memory_statistics_test
