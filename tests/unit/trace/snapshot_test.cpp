#include "engine/trace/snapshot.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/trace/missing_records.h"
#include "engine/trace/trace_writer.h"

namespace warpglass::test::snapshot_test {

struct Lane {
    TraceWriter writer;
    std::vector<SpanRow> rows;
    std::shared_ptr<const Snapshot> snapshot;

    explicit Lane(std::size_t count, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const TrackId t = writer.addTrack(TrackKind::kCpuThread, "main");
        std::int64_t clock = 0;
        for (std::size_t i = 0; i < count; ++i) {
            clock += static_cast<std::int64_t>(random() % 20);
            // Zero-length spans and touching neighbors included.
            const SpanRow row{.start = clock, .duration = static_cast<std::int64_t>(random() % 40)};
            clock = row.end();
            rows.push_back(row);
            EXPECT_TRUE(writer.appendSpan(t, 0, row));
        }
        writer.commit(Nanoseconds(0));
        snapshot = writer.feed()->latest();
    }
    SpanLane lane() const { return snapshot->lane(LaneId(0)); }
};

TEST(SpanLane, RangeSearchEqualsALinearScan) {
    const Lane fixture(kChunkRows + 1000, 11);
    const SpanLane lane = fixture.lane();
    std::mt19937_64 random(12);
    const std::int64_t end = fixture.rows.back().end();
    for (int k = 0; k < 3000; ++k) {
        // Every third probe is an exact start or end, where off-by-one errors live.
        const SpanRow& picked = fixture.rows[random() % fixture.rows.size()];
        std::int64_t t = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end + 100)) - 50;
        if (k % 3 == 1)
            t = picked.start;
        if (k % 3 == 2)
            t = picked.end();
        const auto ending = std::partition_point(fixture.rows.begin(), fixture.rows.end(),
                                                 [&](const SpanRow& r) { return r.end() <= t; });
        const auto starting = std::partition_point(fixture.rows.begin(), fixture.rows.end(),
                                                   [&](const SpanRow& r) { return r.start < t; });
        ASSERT_EQ(lane.firstEndingAfter(Nanoseconds(t)),
                  static_cast<std::uint64_t>(ending - fixture.rows.begin()));
        ASSERT_EQ(lane.firstStartingAt(Nanoseconds(t)),
                  static_cast<std::uint64_t>(starting - fixture.rows.begin()));
    }
}

TEST(SpanLane, VisitsEveryRowOnceAcrossChunks) {
    const Lane fixture(2 * kChunkRows + 3, 13);
    const SpanLane lane = fixture.lane();
    std::uint64_t next = 5;
    lane.forEachChunk(5, lane.rows(), [&](const SpanChunk& c, auto from, auto to, auto first) {
        for (auto i = from; i < to; ++i, ++next) {
            ASSERT_EQ(first + i, next);
            ASSERT_EQ(c.row(i), fixture.rows[next]);
        }
    });
    EXPECT_EQ(next, lane.rows());
    EXPECT_EQ(lane.chunkRange(1).begin.value, fixture.rows[kChunkRows].start);
    EXPECT_EQ(lane.chunkRange(2).end.value, fixture.rows.back().end());
}

TEST(SpanLane, AnEmptyLaneHasNoRowsAnywhere) {
    TraceWriter w;
    const TrackId t = w.addTrack(TrackKind::kStep, "steps");
    w.beginSpan(t, Nanoseconds(0), {}, {}, 0);
    w.commit(Nanoseconds(1));
    const auto s = w.feed()->latest();
    ASSERT_EQ(s->laneCount(), 1u);
    EXPECT_EQ(s->lane(LaneId(0)).firstEndingAfter(Nanoseconds(0)), 0u);
    EXPECT_EQ(s->lane(LaneId(0)).firstStartingAt(Nanoseconds(0)), 0u);
}

TEST(Snapshot, UnknownIdsGiveEmptyAnswers) {
    TraceWriter w;
    w.internName("a");
    w.commit(Nanoseconds(0));
    const auto s = w.feed()->latest();
    EXPECT_EQ(s->name(NameId()), "");
    EXPECT_EQ(s->name(NameId(7)), "");
    EXPECT_EQ(s->place(PlaceId(3)), Place());
    EXPECT_FALSE(s->allocation(AllocationId(0)));
    EXPECT_EQ(s->categoryOf(AllocationId(0)), Category::kUnknown);
    EXPECT_FALSE(s->findName("b").valid());
    EXPECT_EQ(s->findName("a"), NameId(0));
}

TEST(RunInfo, SetsReplacesAndReadsIntegers) {
    RunInfo info;
    info.set("config.warmup", "2");
    info.set("state", "recording");
    info.set("config.warmup", "3");
    EXPECT_EQ(info.pairs().size(), 2u);
    EXPECT_EQ(info.getInteger("config.warmup"), 3);
    EXPECT_EQ(info.getInteger("state"), std::nullopt);
    EXPECT_EQ(info.getInteger("absent"), std::nullopt);
    EXPECT_EQ(info.get("absent"), "");
}

TEST(MissingRecords, AreReadBackAsTheyWereStated) {
    RunInfo info;
    EXPECT_FALSE(statedMissing(info).any());
    MissingRecords missing;
    missing.of(RecordKind::kKernels) = {5396, 5396};
    missing.of(RecordKind::kOps) = {1284, 12600, 1000};
    stateMissing(info, missing);
    EXPECT_TRUE(statesMissing(info));
    EXPECT_EQ(info.get("missing.kernels"), "5396 of 5396");
    EXPECT_EQ(info.get("missing.ops"), "1284 of 12600 (1000 amidst others)");
    EXPECT_FALSE(info.has("missing.steps"));
    const MissingRecords stated = statedMissing(info);
    EXPECT_TRUE(stated.any());
    EXPECT_TRUE(stated.lacksAll(RecordKind::kKernels));
    EXPECT_EQ(stated.of(RecordKind::kOps).missing, 1284u);
    EXPECT_EQ(stated.of(RecordKind::kOps).total, 12600u);
    EXPECT_EQ(stated.of(RecordKind::kOps).amidst, 1000u);
    EXPECT_FALSE(stated.lacks(RecordKind::kSteps));
}

TEST(MissingRecords, OfACopyThatIsOpenedTheGapsAreNotCountedTwice) {
    RunInfo info;
    MissingRecords missing;
    missing.of(RecordKind::kOps) = {1284, 12600, 1000};
    stateMissing(info, missing);
    // The copy ends where what is there ends; in it the gaps alone can be seen.
    missing.of(RecordKind::kOps) = {1000, 12316, 1000};
    stateMissing(info, missing);
    EXPECT_EQ(info.get("missing.ops"), "1284 of 12600 (1000 amidst others)");
}

TEST(MissingRecords, OfAnyTextAreNoMoreThanThereCanBe) {
    RunInfo info;
    info.set("missing.any", "yes");
    info.set("missing.ops", "99999999999999999999999 of many");
    info.set("missing.steps", "7 of 5 (9 amidst others)");
    const MissingRecords stated = statedMissing(info);
    EXPECT_FALSE(stated.lacks(RecordKind::kOps));
    EXPECT_EQ(stated.of(RecordKind::kSteps).total, 7u);
    EXPECT_EQ(stated.of(RecordKind::kSteps).amidst, 7u);
}

}  // namespace warpglass::test::snapshot_test
