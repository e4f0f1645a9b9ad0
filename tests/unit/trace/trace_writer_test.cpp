#include "engine/trace/trace_writer.h"

#include <gmock/gmock.h>

#include <random>

namespace warpglass::test::trace_writer_test {

using ::testing::ElementsAre;

std::uint64_t lossOf(const Snapshot& snapshot, std::string_view name) {
    for (const LossCount& loss : snapshot.losses()) {
        if (loss.name == name)
            return loss.count;
    }
    return 0;
}

TEST(TraceWriter, InternsEqualNamesAndPlacesOnce) {
    TraceWriter w;
    const NameId a = w.internName("aten::mm");
    EXPECT_EQ(w.internName(std::string("aten::") + "mm"), a);
    EXPECT_NE(w.internName("aten::add"), a);
    const Place place{Phase::kForward, a, {}};
    EXPECT_EQ(w.internPlace(place), w.internPlace(place));
    EXPECT_NE(w.internPlace(place), w.internPlace({Phase::kBackward, a, {}}));
}

TEST(TraceWriter, NestsSpansByDepthAndTakesChildrenFromSelfTime) {
    TraceWriter w;
    const TrackId t = w.addTrack(TrackKind::kCpuThread, "main");
    const NameId outer = w.internName("outer"), inner = w.internName("inner");
    w.beginSpan(t, Nanoseconds(10), outer, {}, 0);
    w.beginSpan(t, Nanoseconds(20), inner, {}, 0);
    w.endSpan(t, Nanoseconds(25));
    w.beginSpan(t, Nanoseconds(30), inner, {}, 0);
    w.endSpan(t, Nanoseconds(42));
    w.endSpan(t, Nanoseconds(50));
    w.commit(Nanoseconds(50));

    const auto s = w.feed()->latest();
    const auto lanes = s->lanesOf(t);
    ASSERT_EQ(lanes.size(), 2u);
    EXPECT_EQ(*lanes[0].row(0), (SpanRow{.start = 10, .duration = 40, .self = 23, .name = outer, .step = 0}));
    EXPECT_EQ(*lanes[1].row(1), (SpanRow{.start = 30, .duration = 12, .self = 12, .name = inner, .step = 0}));
    EXPECT_TRUE(s->losses().empty());
}

TEST(TraceWriter, ShowsOpenSpansAndClosesThemAtTheEnd) {
    TraceWriter w;
    const TrackId t = w.addTrack(TrackKind::kModule, "modules");
    w.beginSpan(t, Nanoseconds(1), w.internName("blocks.0"), {}, 4);
    w.beginSpan(t, Nanoseconds(2), w.internName("blocks.0.attn"), {}, 4);
    w.commit(Nanoseconds(7));
    const auto live = w.feed()->latest();
    ASSERT_EQ(live->openSpans().size(), 2u);
    EXPECT_EQ(live->openSpans()[1].start, 2);
    EXPECT_EQ(live->lane(live->openSpans()[1].lane).depth(), 1u);
    EXPECT_EQ(live->range().end, Nanoseconds(7));

    w.endAllSpans(Nanoseconds(9));
    w.commit(Nanoseconds(9));
    const auto ended = w.feed()->latest();
    EXPECT_TRUE(ended->openSpans().empty());
    EXPECT_EQ(ended->spanCount(), 2u);
    EXPECT_EQ(live->spanCount(), 0u) << "an earlier snapshot must not change";
}

TEST(TraceWriter, CountsWhatBreaksAnInvariantInsteadOfStoringIt) {
    TraceWriter w;
    const TrackId t = w.addTrack(TrackKind::kCpuThread, "main");
    EXPECT_TRUE(w.appendSpan(t, 0, {.start = 10, .duration = 10}));
    EXPECT_FALSE(w.appendSpan(t, 0, {.start = 19, .duration = 1}));
    EXPECT_FALSE(w.appendSpan(t, 0, {.start = 30, .duration = -1}));
    EXPECT_TRUE(w.appendSpan(t, 0, {.start = 20, .duration = 0}));
    w.endSpan(t, Nanoseconds(40));
    w.commit(Nanoseconds(40));
    const auto s = w.feed()->latest();
    EXPECT_EQ(s->spanCount(), 2u);
    EXPECT_EQ(lossOf(*s, "overlapping span"), 2u);
    EXPECT_EQ(lossOf(*s, "end of a span that never began"), 1u);
}

TEST(TraceWriter, KeepsProvisionalCategoriesOutOfEarlierSnapshots) {
    TraceWriter w;
    const AllocationId a =
        w.appendAllocation(Nanoseconds(5), {.bytes = 1, .category = Category::kTemporaries});
    w.commit(Nanoseconds(5));
    const auto before = w.feed()->latest();
    w.setCategory(a, Category::kActivations);
    w.commit(Nanoseconds(6));
    const auto changed = w.feed()->latest();
    w.settle();
    const AllocationId b = w.appendAllocation(Nanoseconds(7), {.bytes = 2, .category = Category::kInput});
    w.appendFree(Nanoseconds(6), a);  // late: raised to 7
    w.commit(Nanoseconds(7));
    const auto settled = w.feed()->latest();

    EXPECT_EQ(before->categoryOf(a), Category::kTemporaries);
    EXPECT_EQ(changed->categoryOf(a), Category::kActivations);
    EXPECT_EQ(settled->categoryOf(a), Category::kActivations);
    EXPECT_EQ(settled->categoryOf(b), Category::kInput);
    EXPECT_EQ(settled->settledAllocationCount(), 1u);
    EXPECT_TRUE(w.isSettled(a));
    EXPECT_FALSE(w.isSettled(b));
    EXPECT_EQ(settled->memoryEvent(2)->time, 7);
    EXPECT_EQ(settled->memoryEvent(2)->action, MemoryAction::kFree);
    EXPECT_EQ(settled->memoryEvent(2)->allocation, a);
}

// The mip-map against a plain loop, over more than one chunk and a partial block.
TEST(TraceWriter, MipMapEqualsABruteForceSummary) {
    std::mt19937_64 random(7);
    TraceWriter w;
    const TrackId t = w.addTrack(TrackKind::kCpuThread, "main");
    std::vector<SpanRow> rows;
    std::int64_t clock = 0;
    for (std::uint32_t i = 0; i < kChunkRows + 5000; ++i) {
        clock += static_cast<std::int64_t>(random() % 50);
        SpanRow row{.start = clock,
                    .duration = static_cast<std::int64_t>(random() % 300),
                    .name = NameId(random() % 9)};
        row.self = row.duration;
        clock = row.end();
        rows.push_back(row);
        ASSERT_TRUE(w.appendSpan(t, 0, row));
    }
    w.commit(Nanoseconds(0));
    const auto s = w.feed()->latest();
    const SpanLane lane = s->lane(LaneId(0));
    ASSERT_EQ(lane.chunkCount(), 2u);
    const auto expectSummary = [&](const SpanSummary& block, std::size_t chunk, std::uint32_t from,
                                   std::uint32_t n) {
        SpanSummary expected{.start = rows[chunk * kChunkRows + from].start, .count = n};
        for (std::uint32_t i = from; i < from + n; ++i) {
            const SpanRow& row = rows[chunk * kChunkRows + i];
            expected.end = row.end();
            expected.busy += row.duration;
            if (row.duration > expected.longestDuration) {
                expected.longestDuration = row.duration;
                expected.longestRow = i;
                expected.longestName = row.name;
            }
        }
        EXPECT_EQ(block.start, expected.start);
        EXPECT_EQ(block.end, expected.end);
        EXPECT_EQ(block.busy, expected.busy);
        EXPECT_EQ(block.count, n);
        EXPECT_EQ(block.longestRow, expected.longestRow);
        EXPECT_EQ(block.longestName, expected.longestName);
    };
    for (std::size_t chunk = 0; chunk < 2; ++chunk) {
        const std::uint32_t n = lane.rowsInChunk(chunk);
        for (std::uint32_t b = 0; b < n / kBlockRows; ++b)
            expectSummary(lane.mip(chunk).blocks[b], chunk, b * kBlockRows, kBlockRows);
        for (std::uint32_t b = 0; b < n / kSuperBlockRows; ++b)
            expectSummary(lane.mip(chunk).superBlocks[b], chunk, b * kSuperBlockRows, kSuperBlockRows);
    }
}

TEST(TraceWriter, KeepsInfoAndCountersInOrder) {
    TraceWriter w;
    w.setInfo("state", "recording");
    w.appendCounter(Nanoseconds(3), w.internName("loss"), 9.5);
    w.appendCounter(Nanoseconds(4), w.internName("loss"), 9.25);
    w.commit(Nanoseconds(4));
    const auto live = w.feed()->latest();
    w.setInfo("state", "finished");
    w.commit(Nanoseconds(5));
    EXPECT_EQ(live->info().get("state"), "recording");
    EXPECT_EQ(w.feed()->latest()->info().get("state"), "finished");
    std::vector<double> values;
    for (std::uint64_t i = 0; i < live->counterSampleCount(); ++i)
        values.push_back(live->counterSample(i)->value);
    EXPECT_THAT(values, ElementsAre(9.5, 9.25));
}

}  // namespace warpglass::test::trace_writer_test
