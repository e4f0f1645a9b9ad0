#include "engine/trace/trace_feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "engine/trace/trace_writer.h"

namespace warpglass::test::trace_feed_test {

TEST(TraceFeed, IsEmptyBeforeTheFirstSnapshot) {
    TraceWriter writer;
    EXPECT_EQ(writer.feed()->latest(), nullptr);
    EXPECT_EQ(writer.feed()->epoch(), 0u);
}

TEST(TraceFeed, GivesTheNewestSnapshotToEveryReader) {
    TraceWriter writer;
    const auto feed = writer.feed();
    writer.commit(Nanoseconds(1));
    writer.commit(Nanoseconds(2));
    const auto a = feed->latest();
    EXPECT_EQ(a, feed->latest());
    EXPECT_EQ(a->epoch(), 2u);
    EXPECT_EQ(feed->epoch(), 2u);
    EXPECT_EQ(a->range().end, Nanoseconds(2));
}

TEST(TraceFeed, ASnapshotOutlivesItsWriterAndFeed) {
    std::shared_ptr<const Snapshot> snapshot;
    {
        TraceWriter writer;
        const TrackId track = writer.addTrack(TrackKind::kPhase, "phases");
        writer.appendSpan(track, 0,
                          {.start = 1, .duration = 2, .self = 2, .name = writer.internName("forward")});
        writer.commit(Nanoseconds(9));
        snapshot = writer.feed()->latest();
    }
    EXPECT_EQ(snapshot->name(snapshot->lane(LaneId(0)).row(0)->name), "forward");
}

// One writer, several readers: every row below a snapshot's counts is complete and never changes. Run under
// the thread sanitizer as well.
TEST(TraceFeed, ReadersNeverSeeAnUnfinishedRow) {
    constexpr std::int64_t kRows = 200'000;
    TraceWriter writer;
    const auto feed = writer.feed();
    std::atomic<bool> done{false};
    auto read = [&](std::atomic<std::uint64_t>& total) {
        std::uint64_t checked = 0;
        std::uint64_t lastEpoch = 0;
        for (;;) {
            const bool last = done.load();
            if (const auto snapshot = feed->latest(); snapshot && snapshot->laneCount() > 0) {
                ASSERT_GE(snapshot->epoch(), lastEpoch);
                lastEpoch = snapshot->epoch();
                const SpanLane lane = snapshot->lane(LaneId(0));
                ASSERT_GE(lane.rows(), checked);
                lane.forEachChunk(checked, lane.rows(),
                                  [&](const SpanChunk& c, auto from, auto to, auto first) {
                                      for (auto i = from; i < to; ++i) {
                                          ASSERT_EQ(c.start[i], static_cast<std::int64_t>(10 * (first + i)));
                                          ASSERT_EQ(snapshot->name(NameId(c.name[i])), "op");
                                      }
                                  });
                for (std::uint64_t a = 0; a < snapshot->allocationCount(); a += 997) {
                    const Category category = snapshot->categoryOf(AllocationId(a));
                    if (a < snapshot->settledAllocationCount()) {
                        ASSERT_EQ(category, Category::kActivations);
                    }
                }
                checked = lane.rows();
            }
            if (last)
                break;
        }
        total += checked;
    };
    std::vector<std::thread> readers;
    std::atomic<std::uint64_t> total{0};
    for (int i = 0; i < 3; ++i)
        readers.emplace_back([&] { read(total); });

    const TrackId track = writer.addTrack(TrackKind::kCpuThread, "main");
    const NameId op = writer.internName("op");
    for (std::int64_t i = 0; i < kRows; ++i) {
        writer.appendSpan(track, 0, {.start = 10 * i, .duration = 7, .self = 7, .name = op});
        const AllocationId a = writer.appendAllocation(
            Nanoseconds(10 * i), {.requested = 64, .bytes = 64, .category = Category::kTemporaries});
        if (i % 100 == 0) {
            for (AllocationId u(a); u.value < 0xffffffffu && !writer.isSettled(u); --u.value)
                writer.setCategory(u, Category::kActivations);
            writer.settle();
        }
        if (i % 50 == 0)
            writer.commit(Nanoseconds(10 * i));
    }
    writer.commit(Nanoseconds(10 * kRows));
    done = true;
    for (auto& reader : readers)
        reader.join();
    EXPECT_EQ(total.load(), 3u * kRows);
}

}  // namespace warpglass::test::trace_feed_test
