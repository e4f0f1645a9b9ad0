#include "ui/models/time_axis.h"

#include <gtest/gtest.h>

#include <random>

namespace warpglass::ui::time_axis_test {

constexpr TimeRange range(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

struct TimeAxisTest : testing::Test {
    TimeAxisTest() {
        axis.setFullRange(range(0, 1'000'000));
        QObject::connect(&axis, &TimeAxis::fullRangeChanged, [this] { ++full; });
        QObject::connect(&axis, &TimeAxis::visibleRangeChanged, [this] { ++visible; });
        QObject::connect(&axis, &TimeAxis::cursorChanged, [this] { ++cursor; });
        QObject::connect(&axis, &TimeAxis::pinnedCursorChanged, [this] { ++pinned; });
        QObject::connect(&axis, &TimeAxis::selectionChanged, [this] { ++selection; });
        QObject::connect(&axis, &TimeAxis::followingChanged, [this](bool on) { following.push_back(on); });
    }
    TimeAxis axis;
    int full = 0, visible = 0, cursor = 0, pinned = 0, selection = 0;
    std::vector<bool> following;
};

TEST_F(TimeAxisTest, ANewRunIsShownWhole) {
    EXPECT_EQ(axis.visibleRange(), range(0, 1'000'000));
    EXPECT_TRUE(axis.following());
    EXPECT_FALSE(axis.canZoomBack());
}

TEST_F(TimeAxisTest, ASpanAnIdleStretchAndAnAllocationLetGoOfEachOther) {
    axis.setSelectedSpan(SpanRef{LaneId(1), 2});
    axis.inspect(AllocationId(7));
    EXPECT_EQ(axis.selectedAllocation(), AllocationId(7));
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_EQ(selection, 2);
    axis.inspect(AllocationId(7));
    EXPECT_EQ(selection, 2) << "nothing changes";
    const TimeAxis::State state = axis.state();
    axis.inspect(SelectedIdle{});
    EXPECT_FALSE(axis.selectedAllocation());
    axis.setSelectedSpan(std::nullopt);
    EXPECT_FALSE(axis.selectedIdle());
    EXPECT_EQ(selection, 4);
    axis.restore(state);
    EXPECT_EQ(axis.selectedAllocation(), AllocationId(7));
    EXPECT_EQ(selection, 5);
}

TEST_F(TimeAxisTest, FollowingAGrowingRunShowsAllOfIt) {
    axis.setFullRange(range(0, 2'000'000));
    EXPECT_EQ(axis.visibleRange(), range(0, 2'000'000));
    EXPECT_EQ(visible, 1);
    axis.setFullRange(range(0, 2'000'000));
    EXPECT_EQ(full, 1);
    EXPECT_EQ(visible, 1);
    EXPECT_FALSE(axis.canZoomBack()) << "growth is not a zoom";
}

TEST_F(TimeAxisTest, OnceZoomedAtTheEndFollowingKeepsTheWidthAndTheNewestMoment) {
    axis.setVisibleRange(range(900'000, 1'000'000));
    EXPECT_TRUE(axis.following());
    axis.setFullRange(range(0, 3'000'000));
    EXPECT_EQ(axis.visibleRange(), range(2'900'000, 3'000'000));
}

TEST_F(TimeAxisTest, LookingElsewhereStopsFollowing) {
    axis.setVisibleRange(range(200'000, 300'000));
    EXPECT_FALSE(axis.following());
    EXPECT_EQ(following, std::vector<bool>{false});
    axis.setFullRange(range(0, 3'000'000));
    EXPECT_EQ(axis.visibleRange(), range(200'000, 300'000));
    axis.setFollowing(true);
    EXPECT_EQ(axis.visibleRange(), range(2'900'000, 3'000'000));
    EXPECT_EQ(following, (std::vector<bool>{false, true}));
}

TEST_F(TimeAxisTest, FittingAllFollowsAgain) {
    axis.setVisibleRange(range(200'000, 300'000));
    axis.fitAll();
    EXPECT_TRUE(axis.following());
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), range(200'000, 300'000));
}

TEST_F(TimeAxisTest, TheVisibleRangeStaysInTheRunAndIsNeverTooNarrow) {
    axis.setVisibleRange(range(-500, 99'500));
    EXPECT_EQ(axis.visibleRange(), range(0, 100'000)) << "moved in, at its width";
    axis.setVisibleRange(range(950'000, 1'050'000));
    EXPECT_EQ(axis.visibleRange(), range(900'000, 1'000'000));
    axis.setVisibleRange(range(-5, 5'000'000));
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
    axis.setVisibleRange(range(500, 500));
    EXPECT_EQ(axis.visibleRange(), range(450, 550));
    axis.setVisibleRange(range(700, 600));
    EXPECT_EQ(axis.visibleRange(), range(600, 700)) << "a reversed range is meant the other way round";
}

TEST_F(TimeAxisTest, ARunShorterThanTheLeastWidthIsShownWhole) {
    TimeAxis small;
    small.setFullRange(range(0, 30));
    small.zoomAt(Nanoseconds(10), 0.1);
    EXPECT_EQ(small.visibleRange(), range(0, 30));
    small.setFullRange(range(0, 0));
    EXPECT_EQ(small.fullRange(), range(0, 1));
}

TEST_F(TimeAxisTest, ZoomKeepsTheMomentUnderTheCursorWhereItIs) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t begin = static_cast<std::int64_t>(random() % 800'000);
        axis.setVisibleRange(range(begin, begin + 1000 + static_cast<std::int64_t>(random() % 100'000)),
                             false);
        const TimeRange before = axis.visibleRange();
        const Nanoseconds anchor =
            before.begin + Nanoseconds(static_cast<std::int64_t>(
                               random() % static_cast<std::uint64_t>(before.duration().value)));
        axis.zoomAt(anchor, 0.8);
        const TimeRange after = axis.visibleRange();
        ASSERT_NEAR(static_cast<double>(after.duration().value),
                    0.8 * static_cast<double>(before.duration().value), 1);
        const auto share = [&](TimeRange r) {
            return static_cast<double>((anchor - r.begin).value) / static_cast<double>(r.duration().value);
        };
        ASSERT_NEAR(share(after), share(before), 2.0 / static_cast<double>(after.duration().value));
    }
}

TEST_F(TimeAxisTest, ZoomingInAndOutEndsAtTheLimits) {
    for (int i = 0; i < 200; ++i)
        axis.zoomAt(Nanoseconds(400'000), 0.5);
    EXPECT_EQ(axis.visibleRange().duration(), TimeAxis::kMinimumWidth);
    EXPECT_TRUE(axis.visibleRange().contains(Nanoseconds(400'000)));
    for (int i = 0; i < 200; ++i)
        axis.zoomAt(Nanoseconds(400'000), 2);
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
}

TEST_F(TimeAxisTest, ANonsensicalZoomFactorDoesNothing) {
    for (const double factor :
         {0.0, -1.0, 1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        axis.zoomAt(Nanoseconds(5), factor);
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
    EXPECT_EQ(visible, 0);
}

TEST_F(TimeAxisTest, ZoomBackGoesThroughEveryRangeThatWasSet) {
    const std::vector<TimeRange> ranges = {range(0, 500'000), range(100'000, 200'000),
                                           range(150'000, 160'000)};
    for (const TimeRange r : ranges)
        axis.setVisibleRange(r);
    axis.setVisibleRange(range(1000, 2000), false);
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), ranges[1]);
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), ranges[0]);
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
    EXPECT_FALSE(axis.canZoomBack());
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
}

TEST_F(TimeAxisTest, ManySmallStepsOfOneGestureAreFewStepsBack) {
    for (int i = 0; i < 5; ++i)
        axis.zoomAt(Nanoseconds(500'000), 0.8);  // to a third: one entry
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
    EXPECT_FALSE(axis.canZoomBack());

    for (int i = 0; i < 30; ++i)
        axis.zoomAt(Nanoseconds(500'000), 0.8);  // to a thousandth: several
    int steps = 0;
    while (axis.canZoomBack() && steps < 100) {
        axis.zoomBack();
        ++steps;
    }
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
    EXPECT_GE(steps, 4);
    EXPECT_LE(steps, 6);
}

TEST_F(TimeAxisTest, ATurnOfDirectionIsANewStepBack) {
    axis.zoomAt(Nanoseconds(500'000), 0.5);
    const TimeRange half = axis.visibleRange();
    axis.panBy(Nanoseconds(10'000));
    const TimeRange panned = axis.visibleRange();
    axis.zoomAt(Nanoseconds(500'000), 1.2);
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), panned);
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), half);
}

TEST_F(TimeAxisTest, ZoomForwardTakesEveryStepBackBack) {
    std::vector<TimeRange> shown{axis.visibleRange()};
    for (const TimeRange r : {range(0, 500'000), range(100'000, 200'000), range(150'000, 160'000)}) {
        axis.setVisibleRange(r);
        shown.push_back(axis.visibleRange());
    }
    EXPECT_FALSE(axis.canZoomForward());
    for (int round = 0; round < 3; ++round) {
        for (std::size_t i = shown.size() - 1; i > 0; --i) {
            axis.zoomBack();
            EXPECT_EQ(axis.visibleRange(), shown[i - 1]);
        }
        for (std::size_t i = 1; i < shown.size(); ++i) {
            EXPECT_TRUE(axis.canZoomForward());
            axis.zoomForward();
            EXPECT_EQ(axis.visibleRange(), shown[i]);
        }
        EXPECT_FALSE(axis.canZoomForward());
    }
}

TEST_F(TimeAxisTest, AnyOtherChangeOfTheRangeEndsZoomingForward) {
    const auto stepBack = [&] {
        axis.setVisibleRange(range(100'000, 200'000));
        axis.setVisibleRange(range(120'000, 150'000));
        axis.zoomBack();
        EXPECT_TRUE(axis.canZoomForward());
    };
    stepBack();
    axis.panBy(Nanoseconds(1000));
    EXPECT_FALSE(axis.canZoomForward());
    stepBack();
    axis.zoomAt(Nanoseconds(150'000), 0.9);
    EXPECT_FALSE(axis.canZoomForward());
    stepBack();
    axis.setVisibleRange(range(0, 10'000));
    EXPECT_FALSE(axis.canZoomForward());
    stepBack();
    axis.reset();
    EXPECT_FALSE(axis.canZoomForward());
}

TEST_F(TimeAxisTest, TheZoomStackIsBounded) {
    for (std::int64_t i = 0; i < 500; ++i)
        axis.setVisibleRange(range(i * 1000, i * 1000 + 500));
    std::size_t steps = 0;
    for (; axis.canZoomBack(); ++steps)
        axis.zoomBack();
    EXPECT_EQ(steps, ZoomHistory::kMost);
}

TEST_F(TimeAxisTest, PanningStopsAtTheEndsWithoutChangingTheWidth) {
    axis.setVisibleRange(range(400'000, 500'000));
    axis.panBy(Nanoseconds(-10'000'000));
    EXPECT_EQ(axis.visibleRange(), range(0, 100'000));
    axis.panBy(Nanoseconds(10'000'000));
    EXPECT_EQ(axis.visibleRange(), range(900'000, 1'000'000));
    visible = 0;
    axis.panBy(Nanoseconds(1));
    EXPECT_EQ(visible, 0);
}

TEST_F(TimeAxisTest, CursorAndSelectionTellOnlyOfChanges) {
    axis.setCursor(Nanoseconds(5));
    axis.setCursor(Nanoseconds(5));
    EXPECT_EQ(cursor, 1);
    axis.setPinnedCursor(Nanoseconds(9));
    axis.setPinnedCursor(Nanoseconds(9));
    EXPECT_EQ(pinned, 1);
    EXPECT_EQ(axis.effectiveCursor(), Nanoseconds(5));
    axis.setCursor(std::nullopt);
    EXPECT_EQ(axis.effectiveCursor(), Nanoseconds(9));
    axis.setSelectedRange(range(5, 10));
    axis.setSelectedRange(range(5, 10));
    EXPECT_EQ(selection, 1);
    axis.setSelectedRange(range(5, 5));
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_EQ(selection, 2);
    axis.setSelectedSpan(SpanRef{LaneId(1), 7});
    axis.setSelectedSpan(SpanRef{LaneId(1), 7});
    EXPECT_EQ(selection, 3);
}

TEST_F(TimeAxisTest, ResetForgetsTheRun) {
    axis.setVisibleRange(range(5000, 6000));
    axis.setCursor(Nanoseconds(5));
    axis.setPinnedCursor(Nanoseconds(5));
    axis.setSelectedRange(range(5, 10));
    axis.setSelectedSpan(SpanRef{LaneId(1), 7});
    axis.reset();
    EXPECT_FALSE(axis.cursor() || axis.pinnedCursor() || axis.selectedRange() || axis.selectedSpan());
    EXPECT_FALSE(axis.canZoomBack());
    EXPECT_TRUE(axis.following());
    axis.setFullRange(range(0, 777));
    EXPECT_EQ(axis.visibleRange(), range(0, 777));
}

}  // namespace warpglass::ui::time_axis_test
