// Geometry against a brute-force oracle that looks at every span and every column with exact arithmetic.
#include "ui/timeline/geometry_builder.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/first_of.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/timeline/random_lane.h"

namespace warpglass::ui::geometry_builder_test {

__extension__ typedef __int128 Wide;

/// The columns of one span, by definition.
struct Columns {
    int first, end;
};
Columns columnsOf(const SpanRow& span, TimeRange view, int width) {
    const Wide duration = view.duration().value;
    const std::int64_t from = std::max(span.start, view.begin.value);
    const std::int64_t to = std::min(span.end(), view.end.value);
    const int first = static_cast<int>(Wide(from - view.begin.value) * width / duration);
    const int end = static_cast<int>((Wide(to - view.begin.value) * width + duration - 1) / duration);
    return {first, std::max(end, first + 1)};
}

bool inView(const SpanRow& span, TimeRange view) {
    return span.end() > view.begin.value && span.start < view.end.value;
}

std::vector<TimelineRect> build(const Snapshot& snapshot, TimeRange view, int width,
                                LaneId lane = LaneId(0)) {
    GeometryBuilder builder;
    std::vector<TimelineRect> rects;
    builder.buildLane(snapshot, snapshot.lane(lane), TrackKind::kCpuThread, ColumnMap(view, width), rects);
    return rects;
}

void check(const std::vector<SpanRow>& spans, const Snapshot& snapshot, TimeRange view, int width) {
    SCOPED_TRACE(testing::Message() << "[" << view.begin.value << ", " << view.end.value << ") on " << width);
    const std::vector<TimelineRect> rects = build(snapshot, view, width);

    std::vector<bool> expected(static_cast<std::size_t>(width)), covered(static_cast<std::size_t>(width));
    std::uint64_t inViewCount = 0;
    std::uint64_t firstInView = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (!inView(spans[i], view))
            continue;
        if (inViewCount++ == 0)
            firstInView = i;
        const Columns columns = columnsOf(spans[i], view, width);
        for (int c = columns.first; c < columns.end; ++c)
            expected[static_cast<std::size_t>(c)] = true;
    }

    std::uint64_t nextRow = firstInView;
    int lastX0 = 0;
    for (const TimelineRect& rect : rects) {
        ASSERT_GE(rect.x0, lastX0);
        ASSERT_LT(rect.x0, rect.x1);
        ASSERT_LE(rect.x1, width);
        lastX0 = rect.x0;
        for (int c = rect.x0; c < rect.x1; ++c)
            covered[static_cast<std::size_t>(c)] = true;

        // Every span in view is in exactly one rectangle, in order.
        ASSERT_EQ(rect.firstRow, nextRow);
        nextRow += rect.count;
        ASSERT_LE(nextRow, firstInView + inViewCount);
        ASSERT_GE(rect.row, rect.firstRow);
        ASSERT_LT(rect.row, nextRow);
        const SpanRow& named = spans[rect.row];
        ASSERT_EQ(rect.name, named.name);
        ASSERT_EQ(rect.begin, spans[rect.firstRow].start);
        ASSERT_EQ(rect.end, spans[nextRow - 1].end());
        if (!rect.merged())
            continue;
        ASSERT_LE(rect.x1 - rect.x0, 2 * kRunColumns) << "a merged run keeps the lane's texture";
        for (std::uint64_t row = rect.firstRow; row < nextRow; ++row) {
            const Columns columns = columnsOf(spans[row], view, width);
            ASSERT_LT(columns.end - columns.first, kMergeColumns) << "a wide span stands alone";
            ASSERT_LE(spans[row].duration, named.duration) << "the widest lends its name";
            ASSERT_TRUE(spans[row].start >= view.begin.value && spans[row].end() <= view.end.value)
                << "what the view cuts stands alone";
        }
    }
    ASSERT_EQ(nextRow, firstInView + inViewCount) << "counts add up to the spans in view";
    ASSERT_EQ(covered, expected);
}

std::vector<TimeRange> randomViews(std::mt19937_64& random, std::int64_t end, int count) {
    std::vector<TimeRange> views{{Nanoseconds(0), Nanoseconds(end)}};
    for (int i = 0; i < count; ++i) {
        const std::int64_t width = std::max<std::int64_t>(1, end >> (random() % 30));
        const auto begin =
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(std::max<std::int64_t>(1, end)));
        views.push_back({Nanoseconds(begin), Nanoseconds(begin + width)});
    }
    return views;
}

class GeometryOracle : public testing::TestWithParam<std::size_t> {};

TEST_P(GeometryOracle, CoversTheSameColumnsAndCountsEverySpanOnce) {
    std::mt19937_64 random(GetParam());
    const std::vector<SpanRow> spans = test::randomSpans(random, GetParam());
    const auto snapshot = test::snapshotOf({spans});
    ASSERT_EQ(snapshot->spanCount(), spans.size());
    for (const TimeRange view : randomViews(random, spans.back().end() + 1, 40)) {
        for (const int width : {1, 2, 37, 640, 1600})
            ASSERT_NO_FATAL_FAILURE(check(spans, *snapshot, view, width));
    }
}

// Less than a block, whole blocks, a super-block and a bit, more than a chunk.
INSTANTIATE_TEST_SUITE_P(Sizes, GeometryOracle, testing::Values(1, 63, 64, 65, 1000, 4096, 9000, 70'000));

TEST(GeometryBuilder, WholeNanosecondColumnsAreExactToo) {
    // Views in which every column edge is a whole number, and spans that end exactly there.
    std::vector<SpanRow> spans;
    for (std::int64_t i = 0; i < 5000; ++i)
        spans.push_back({i * 10, i % 3 == 0 ? 0 : 10, 0, NameId(1), PlaceId(0), 0, 0});
    const auto snapshot = test::snapshotOf({spans});
    for (const std::int64_t perColumn : {1, 5, 10, 20, 50, 640, 1280}) {
        for (const std::int64_t begin : {0, 10, 1000})
            check(spans, *snapshot, {Nanoseconds(begin), Nanoseconds(begin + perColumn * 100)}, 100);
    }
}

TEST(GeometryBuilder, ABlockThatEndsInAnEmptySpanOnAColumnsEdgeCoversThatColumn) {
    std::vector<SpanRow> spans;
    for (const std::int64_t begin : {0, 5 * 630}) {
        for (std::int64_t i = 0; i < 64; ++i)
            spans.push_back({begin + i * 10, i == 63 ? 0 : 10, 0, NameId(1), PlaceId(0), 0, 0});
    }
    check(spans, *test::snapshotOf({spans}), {Nanoseconds(0), Nanoseconds(6300)}, 10);
}

TEST(GeometryBuilder, AGapInsideABlockStaysFreeAtEveryZoom) {
    // Two groups of 32 spans a block, and nothing between the groups.
    std::vector<SpanRow> spans;
    for (std::int64_t group = 0; group < 40; ++group) {
        for (std::int64_t i = 0; i < 32; ++i)
            spans.push_back({group * 1000 + i * 10, 5, 0, NameId(1), PlaceId(0), 0, 0});
    }
    const auto snapshot = test::snapshotOf({spans});
    for (std::int64_t perColumn = 100; perColumn < 1000; perColumn += 7)
        check(spans, *snapshot, {Nanoseconds(0), Nanoseconds(perColumn * 50)}, 50);
}

TEST(GeometryBuilder, ABlockThatTheViewCutsIsNotTakenWhole) {
    const auto snapshot = test::makeManySpans(20'000, 1);
    const SpanLane lane = snapshot->lane(LaneId(0));
    std::vector<SpanRow> spans;
    for (std::uint64_t row = 0; row < lane.rows(); ++row)
        spans.push_back(*lane.row(row));
    for (std::size_t row = 0; row + 5000 < spans.size(); row += 10 * kBlockRows) {
        const std::int64_t middle = spans[row].start + spans[row].duration / 2;
        check(spans, *snapshot, {Nanoseconds(middle), Nanoseconds(middle + 40'000'000)}, 40);
        check(spans, *snapshot, {Nanoseconds(middle - 40'000'000), Nanoseconds(middle)}, 40);
    }
}

TEST(GeometryBuilder, AnEmptyLaneAndAnEmptyViewGiveNothing) {
    const auto snapshot = test::snapshotOf({{{100, 50, 50, NameId(0), PlaceId(0), 0, 0}}});
    EXPECT_TRUE(build(*snapshot, {Nanoseconds(0), Nanoseconds(100)}, 800).empty());
    EXPECT_TRUE(build(*snapshot, {Nanoseconds(150), Nanoseconds(900)}, 800).empty());
    EXPECT_EQ(build(*snapshot, {Nanoseconds(0), Nanoseconds(101)}, 800).size(), 1u);
    EXPECT_EQ(build(*snapshot, {Nanoseconds(120), Nanoseconds(130)}, 800).size(), 1u);
}

TEST(GeometryBuilder, AnOverviewIsBoundedByItsColumns) {
    std::mt19937_64 random(5);
    const auto snapshot = test::snapshotOf({test::randomSpans(random, 200'000)});
    for (const int width : {200, 1600})
        EXPECT_LE(build(*snapshot, snapshot->range(), width).size(), static_cast<std::size_t>(2 * width));
}

TEST(GeometryBuilder, OpenSpansReachTheSnapshotsEndAndStandAlone) {
    const auto snapshot =
        test::traceOf("in phase forward | op aten::mm 0-400 ; op aten::mm 500- | op aten::mm 600-\nend 1000");

    const auto outer = build(*snapshot, {Nanoseconds(0), Nanoseconds(1000)}, 100);
    ASSERT_EQ(outer.size(), 2u);
    EXPECT_FALSE(outer[0].open());
    EXPECT_TRUE(outer[1].open());
    EXPECT_EQ(outer[1].x0, 50);
    EXPECT_EQ(outer[1].x1, 100);
    EXPECT_EQ(outer[1].count, 1u);
    const auto inner = build(*snapshot, {Nanoseconds(0), Nanoseconds(1000)}, 100, LaneId(1));
    ASSERT_EQ(inner.size(), 1u);
    EXPECT_EQ(inner[0].x0, 60);
    EXPECT_EQ(inner[0].end, 1000);
    EXPECT_TRUE(build(*snapshot, {Nanoseconds(0), Nanoseconds(450)}, 100, LaneId(1)).empty());
}

TEST(GeometryBuilder, RowsOfADamagedChunkAreLeftOut) {
    std::mt19937_64 random(9);
    const std::vector<SpanRow> spans = test::randomSpans(random, 3 * kChunkRows + 500);
    const auto damaged = test::withDamagedChunk(*test::snapshotOf({spans}), 1, false);
    const auto isLost = [](std::uint64_t row) { return row / kChunkRows == 1; };
    for (const TimeRange view : randomViews(random, spans.back().end() + 1, 30)) {
        const int width = 700;
        std::vector<bool> expected(width), covered(width);
        std::uint64_t expectedCount = 0, count = 0;
        for (std::size_t i = 0; i < spans.size(); ++i) {
            if (isLost(i) || !inView(spans[i], view))
                continue;
            ++expectedCount;
            const Columns columns = columnsOf(spans[i], view, width);
            for (int c = columns.first; c < columns.end; ++c)
                expected[static_cast<std::size_t>(c)] = true;
        }
        for (const TimelineRect& rect : build(*damaged, view, width)) {
            count += rect.count;
            EXPECT_EQ(isLost(rect.firstRow), isLost(rect.firstRow + rect.count - 1));
            for (int c = rect.x0; c < rect.x1; ++c)
                covered[static_cast<std::size_t>(c)] = true;
        }
        ASSERT_EQ(count, expectedCount);
        ASSERT_EQ(covered, expected);
    }
}

TEST(GeometryBuilder, AnOverviewReadsNoChunkWhereTheMipMapTells) {
    // The rows of chunk 1 can't be read, its mip-map can: from afar nothing is missing.
    const auto whole = test::makeManySpans(3 * kChunkRows, 1);
    const auto damaged = test::withDamagedChunk(*whole, 1, true);
    std::uint64_t count = 0;
    for (const TimelineRect& rect : build(*damaged, damaged->range(), 600))
        count += rect.count;
    EXPECT_EQ(count, whole->spanCount());
}

TEST(GeometryBuilder, NonsenseGivesRectanglesWithinTheView) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        std::mt19937_64 random(seed);
        const auto snapshot = test::scrambledSnapshot(random, 3000 + seed * 30'000);
        for (const TimeRange view : randomViews(random, snapshot->range().end.value, 30)) {
            for (const TimelineRect& rect : build(*snapshot, view, 500)) {
                ASSERT_GE(rect.x0, 0);
                ASSERT_LT(rect.x0, rect.x1);
                ASSERT_LE(rect.x1, 500);
            }
        }
    }
}

TEST(GeometryBuilder, ColorsSayWhatATrackShows) {
    const auto snapshot = test::traceOf(R"(
        in phase backward module blocks.0.attn | module blocks.0.attn 0-100 | op aten::mm 0-100
        in phase backward | module blocks.0.ffn 100-200
        in phase backward module blocks.0.attn | part scores 200-300
    )");

    GeometryBuilder builder;
    std::vector<TimelineRect> rects;
    const ColumnMap map(snapshot->range(), 300);
    builder.buildLane(*snapshot, snapshot->lane(LaneId(0)), TrackKind::kModule, map, rects);
    ASSERT_EQ(rects.size(), 3u);
    EXPECT_EQ(rects[0].color, ColorKey::of(Phase::kBackward));
    EXPECT_EQ(rects[1].color, ColorKey::neutral());
    EXPECT_EQ(rects[2].color, ColorKey::of(Phase::kBackward));
    builder.buildLane(*snapshot, snapshot->lane(LaneId(0)), TrackKind::kPhase, map, rects);
    EXPECT_EQ(rects[1].color, ColorKey::of(Phase::kBackward));
    builder.buildLane(*snapshot, snapshot->lane(LaneId(1)), TrackKind::kCpuThread, map, rects);
    ASSERT_EQ(rects.size(), 1u);
    EXPECT_EQ(rects[0].color, ColorKey::of(OpFamily::kMatmul));
}

TEST(GeometryBuilder, RunsKeepTheirSpansWhileTheViewPansByWholeColumns) {
    const auto snapshot = test::makeManySpans(100'000, 1);
    const std::int64_t perColumn = 50'000;
    const auto at = [&](std::int64_t column) {
        return build(*snapshot, {Nanoseconds(column * perColumn), Nanoseconds((column + 800) * perColumn)},
                     800);
    };
    const auto before = at(1000), after = at(1013);
    // Away from the edges every rectangle is there again, 13 columns further left.
    std::size_t compared = 0;
    for (const TimelineRect& rect : before) {
        if (rect.x0 < 40 || rect.x1 > 760)
            continue;
        const TimelineRect& found = test::firstOf(after, [&](const TimelineRect& other) {
            return other.firstRow == rect.firstRow && other.count == rect.count;
        });
        EXPECT_EQ(found.x0, rect.x0 - 13);
        EXPECT_EQ(found.x1, rect.x1 - 13);
        ++compared;
    }
    EXPECT_GT(compared, 100u);
}

}  // namespace warpglass::ui::geometry_builder_test
