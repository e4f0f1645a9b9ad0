#include "engine/query/memory_statistics.h"

#include <gtest/gtest.h>

#include "engine/trace/trace_writer.h"
#include "tests/support/allocator_model.h"

namespace warpglass {
namespace {

/// Two steps of forward [+0, +50) and backward [+50, +100), with allocations at chosen moments.
class MemoryStatisticsTest : public testing::Test {
protected:
    AllocationId add(std::int64_t t, std::int64_t bytes, Category category) {
        return m_writer.appendAllocation(Nanoseconds(t), {.bytes = bytes, .category = category});
    }

    void record() {
        const TrackId steps = m_writer.addTrack(TrackKind::kStep, "steps");
        const TrackId phases = m_writer.addTrack(TrackKind::kPhase, "phases");
        m_writer.setInfo("config.warmup", "1");
        add(5, 1000, Category::kWeights);
        for (std::int32_t step = 0; step < 2; ++step) {
            const std::int64_t begin = 100 + 100 * step;
            const std::int64_t scale = step + 1;
            m_writer.beginSpan(steps, Nanoseconds(begin), m_writer.internName("step " + std::to_string(step)),
                               {}, step);
            m_writer.beginSpan(phases, Nanoseconds(begin), m_writer.internName("forward"), {}, step);
            const AllocationId kept = add(begin + 10, 200 * scale, Category::kActivations);
            m_writer.endSpan(phases, Nanoseconds(begin + 50));
            m_writer.beginSpan(phases, Nanoseconds(begin + 50), m_writer.internName("backward"), {}, step);
            const AllocationId scratch = add(begin + 60, 50, Category::kTemporaries);
            m_writer.appendFree(Nanoseconds(begin + 70), scratch);
            m_writer.appendFree(Nanoseconds(begin + 80), kept);
            if (step == 0) {
                m_writer.endSpan(phases, Nanoseconds(begin + 100));
                m_writer.endSpan(steps, Nanoseconds(begin + 100));
            }
        }
        m_writer.commit(Nanoseconds(295));
        m_timeline.update(m_writer.feed()->latest());
    }

    TraceWriter m_writer;
    MemoryTimeline m_timeline;
};

TEST_F(MemoryStatisticsTest, findsThePeakOfRunPhasesAndSteps) {
    record();
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
    const TrackId phases = m_writer.addTrack(TrackKind::kPhase, "phases");
    for (const std::int64_t begin : {0, 100, 200, 300}) {
        m_writer.beginSpan(phases, Nanoseconds(begin), m_writer.internName("forward"), {}, 0);
        const std::int64_t bytes = begin == 100 || begin == 200 ? 500 : 300;
        m_writer.appendFree(Nanoseconds(begin + 20), add(begin + 10, bytes, Category::kTemporaries));
        m_writer.endSpan(phases, Nanoseconds(begin + 50));
    }
    m_writer.commit(Nanoseconds(400));
    m_timeline.update(m_writer.feed()->latest());
    const MemoryStatistics statistics = memoryStatistics(m_timeline);
    ASSERT_EQ(statistics.phases.size(), 1u);
    EXPECT_EQ(statistics.phases[0].instances, 4);
    EXPECT_EQ(statistics.phases[0].peak, Bytes(500));
    EXPECT_EQ(statistics.phases[0].peakTime, Nanoseconds(110));
}

TEST_F(MemoryStatisticsTest, isEmptyWithoutEventsAndWithoutSnapshot) {
    EXPECT_EQ(memoryStatistics(m_timeline).run.instances, 0);
    const TrackId phases = m_writer.addTrack(TrackKind::kPhase, "phases");
    m_writer.appendSpan(phases, 0, {.start = 0, .duration = 5, .name = m_writer.internName("forward")});
    m_writer.commit(Nanoseconds(5));
    m_timeline.update(m_writer.feed()->latest());
    const MemoryStatistics statistics = memoryStatistics(m_timeline);
    EXPECT_EQ(statistics.run.instances, 0);
    EXPECT_TRUE(statistics.phases.empty());
    EXPECT_TRUE(statistics.steps.empty());
}

TEST(RoundingTotals, addUpWhatWasAskedForAndGiven) {
    const auto run = test::makeAllocatorRun(3000, 4);
    MemoryTimeline timeline;
    timeline.update(run);
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

}  // namespace
}  // namespace warpglass
