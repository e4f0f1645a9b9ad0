#include "ui/timeline/timeline_geometry.h"

#include <gtest/gtest.h>

#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"

namespace warpglass::ui::timeline_geometry_test {

constexpr TimeRange range(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

TEST(TimelineGeometry, BuildsARowOnceUntilRangeOrWidthChange) {
    const auto snapshot = test::makeSyntheticRun();
    const TimelineRows rows(*snapshot);
    const std::size_t count = rows.rows().size();
    TimelineGeometry geometry;
    geometry.update(snapshot, rows.rows(), snapshot->range(), 1000);
    EXPECT_EQ(geometry.builds(), 0u) << "only what is asked for";
    geometry.build(0, 2);
    EXPECT_EQ(geometry.builds(), 2u);
    geometry.build(0, count);
    EXPECT_EQ(geometry.builds(), count);
    geometry.update(snapshot, rows.rows(), snapshot->range(), 1000);
    geometry.build(0, count);
    EXPECT_EQ(geometry.builds(), count);
    geometry.update(snapshot, rows.rows(), snapshot->range(), 1001);
    geometry.build(0, count);
    EXPECT_EQ(geometry.builds(), 2 * count);
    geometry.update(snapshot, rows.rows(), range(0, snapshot->range().end.value / 2), 1001);
    geometry.build(0, count);
    EXPECT_EQ(geometry.builds(), 3 * count);
}

/// Whether a row is what its lane looks like when built from nothing.
bool isFresh(TimelineGeometry& geometry, std::size_t i, const Snapshot& snapshot) {
    const TimelineRow& row = geometry.rows()[i];
    const SpanLane lane = snapshot.lane(row.lane);
    std::vector<TimelineRect> rects;
    std::vector<ColumnStack> stacks;
    GeometryBuilder builder;
    builder.buildLane(snapshot, lane, row.kind, geometry.map(), rects);
    stackLane(snapshot, lane, row.kind, geometry.map(), nullptr, builder.families(), rects, stacks);
    return geometry.rects(i) == rects && geometry.stacks(i) == stacks;
}

TEST(TimelineGeometry, AGrowingRunRebuildsOnlyWhatChangesAndIsNeverOutOfDate) {
    test::TraceText run("op aten::mm 0-100 ; op aten::mm 0-100 thread \"autograd 1\"");

    TimelineGeometry geometry;
    const TimeRange view = range(0, 1000);
    const auto refresh = [&] {
        const auto snapshot = run.snapshot();
        const TimelineRows rows(*snapshot);
        geometry.update(snapshot, rows.rows(), view, 500);
        const std::uint64_t before = geometry.builds();
        geometry.build(0, rows.rows().size());
        for (std::size_t row = 0; row < rows.rows().size(); ++row)
            EXPECT_TRUE(isFresh(geometry, row, *snapshot)) << row;
        return geometry.builds() - before;
    };
    EXPECT_EQ(refresh(), 2u);

    run.add("op aten::mm 200-250 thread \"autograd 1\" ; end 300");
    EXPECT_EQ(refresh(), 1u) << "only the lane that grew";

    run.add("op aten::mm 400- ; end 500");
    EXPECT_EQ(refresh(), 1u);
    run.add("end 600");
    EXPECT_EQ(refresh(), 1u) << "an open span grows with the run";
    run.writer.endAllSpans(Nanoseconds(600));
    run.add("");
    EXPECT_EQ(refresh(), 1u) << "and ends";

    // Past the view: the first such span still counts as growth, later ones don't.
    run.add("op aten::mm 2000-2050 thread \"autograd 1\" ; end 3000");
    EXPECT_EQ(refresh(), 1u);
    run.add("op aten::mm 3000-3050 thread \"autograd 1\" ; end 4000");
    EXPECT_EQ(refresh(), 0u);

    // A new lane moves the rows below it; they keep their rectangles.
    run.writer.appendSpan(TrackId(0), 1, {.start = 10, .duration = 20, .self = 20, .step = 0});
    run.add("");
    EXPECT_EQ(refresh(), 1u);
}

TEST(TimelineGeometry, ManyLargeLanesBuiltByThreadsAreTheSame) {
    const auto snapshot = test::makeManySpans(1'000'000, 12);
    const TimelineRows rows(*snapshot);
    TimelineGeometry geometry;
    for (const std::int64_t zoom : {1, 7, 300}) {
        const TimeRange view = range(0, snapshot->range().end.value / zoom);
        geometry.update(snapshot, rows.rows(), view, 900);
        geometry.build(0, rows.rows().size());
        for (std::size_t row = 0; row < rows.rows().size(); ++row)
            EXPECT_TRUE(isFresh(geometry, row, *snapshot)) << row;
    }
}

TEST(TimelineGeometry, AHitIsWhatIsUnderTheColumnElseTheNearest) {
    const auto snapshot =
        test::traceOf("op aten::mm 100-200 ; op aten::mm 300-301 ; op aten::mm 310-400 ; end 1000");
    TimelineGeometry geometry;
    geometry.update(snapshot, TimelineRows(*snapshot).rows(), range(0, 1000), 1000);
    const auto row = [&](int column, int reach) -> std::optional<std::uint64_t> {
        const TimelineRect* rect = geometry.rectAt(0, column, reach);
        return rect ? std::optional(rect->row) : std::nullopt;
    };
    EXPECT_EQ(row(100, 0), 0u);
    EXPECT_EQ(row(199, 0), 0u);
    EXPECT_FALSE(row(200, 0));
    EXPECT_EQ(row(201, 2), 0u);
    EXPECT_EQ(row(298, 2), 1u);
    EXPECT_EQ(row(303, 5), 1u);
    EXPECT_EQ(row(308, 5), 2u);
    EXPECT_FALSE(row(297, 2));
    EXPECT_FALSE(row(500, 2));
    EXPECT_FALSE(row(0, 2));
}

TEST(TimelineGeometry, AStripIsBuiltAgainWhereAnyOfItsLanesGrowsOrGoesOn) {
    test::TraceText run("op aten::mm 0-100 | op aten::add 20-40");
    const auto keys = TimelineRows(*run.snapshot()).keys();
    RowArrangement arrangement;
    for (const std::string& key : keys)
        arrangement.setFolded(key, true);
    TimelineGeometry geometry;
    const auto refresh = [&] {
        const auto snapshot = run.snapshot();
        const TimelineRows rows(*snapshot, arrangement);
        geometry.update(snapshot, rows.rows(), range(0, 1000), 50);
        const std::uint64_t before = geometry.builds();
        geometry.build(0, rows.rows().size());
        EXPECT_TRUE(rows.rows().size() == 1 && rows.rows()[0].strip);
        std::vector<ColumnStack> stacks;
        OpFamilyCache families;
        stackStrip(*snapshot, snapshot->lanesOf(rows.rows()[0].track), rows.rows()[0].kind, geometry.map(),
                   nullptr, families, stacks);
        EXPECT_FALSE(stacks.empty());
        EXPECT_EQ(geometry.stacks(0), stacks);
        return geometry.builds() - before;
    };
    EXPECT_EQ(refresh(), 1u);
    EXPECT_EQ(refresh(), 0u);
    run.add("op aten::mm 200-300 | op aten::add 220-290 | op aten::copy_ 230-280");
    EXPECT_EQ(refresh(), 1u) << "with a lane that was not there before";
    run.add("op aten::mm 400- ; end 500");
    EXPECT_EQ(refresh(), 1u);
    run.add("end 600");
    EXPECT_EQ(refresh(), 1u) << "an open span grows with the run";
    run.writer.endAllSpans(Nanoseconds(600));
    run.add("");
    EXPECT_EQ(refresh(), 1u) << "and ends";
    run.add("end 700");
    EXPECT_EQ(refresh(), 0u);
}

TEST(TimelineGeometry, HitsAgreeWithALookAtEveryRectangle) {
    const auto snapshot = test::makeSyntheticRun();
    const TimelineRows rows(*snapshot);
    TimelineGeometry geometry;
    geometry.update(snapshot, rows.rows(), snapshot->range(), 700);
    for (std::size_t r = 0; r < rows.rows().size(); ++r) {
        const auto& rects = geometry.rects(r);
        for (int column = 0; column < 700; ++column) {
            const TimelineRect* expected = nullptr;
            for (const TimelineRect& rect : rects) {
                if (rect.x0 <= column && column < rect.x1)
                    expected = &rect;
            }
            ASSERT_EQ(geometry.rectAt(r, column, 0), expected) << r << ' ' << column;
        }
    }
}

}  // namespace warpglass::ui::timeline_geometry_test
