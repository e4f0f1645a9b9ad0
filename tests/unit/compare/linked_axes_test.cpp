#include "ui/compare/linked_axes.h"

#include <gtest/gtest.h>

#include <random>

namespace warpglass::ui::linked_axes_test {

struct LinkedAxesTest : testing::Test {
    void align(std::int64_t momentA, std::int64_t momentB, std::int64_t lengthA, std::int64_t lengthB) {
        a.setFullRange({Nanoseconds(0), Nanoseconds(lengthA)});
        b.setFullRange({Nanoseconds(0), Nanoseconds(lengthB)});
        a.setFollowing(false);
        b.setFollowing(false);
        link.align(Nanoseconds(momentA), Nanoseconds(momentB), Nanoseconds(lengthA), Nanoseconds(lengthB));
    }
    void expectAligned() {
        EXPECT_EQ(a.visibleRange().begin + link.offset(), b.visibleRange().begin);
        EXPECT_EQ(a.visibleRange().end + link.offset(), b.visibleRange().end);
    }

    TimeAxis a, b;
    LinkedAxes link{a, b};
};

TEST_F(LinkedAxesTest, EitherMovesTheOtherWhateverTheirLengths) {
    std::mt19937_64 random(8);
    const auto upTo = [&random](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    for (int round = 0; round < 200; ++round) {
        const std::int64_t lengthA = 10'000 + upTo(1'000'000), lengthB = 10'000 + upTo(1'000'000);
        align(upTo(lengthA), upTo(lengthB), lengthA, lengthB);
        for (int move = 0; move < 20; ++move) {
            TimeAxis& moved = random() % 2 ? a : b;
            const TimeRange visible = moved.visibleRange();
            switch (random() % 4) {
                case 0:
                    moved.setVisibleRange({Nanoseconds(upTo(lengthA)), Nanoseconds(upTo(2 * lengthA))});
                    break;
                case 1:
                    moved.zoomAt(visible.begin + Nanoseconds(upTo(visible.duration().value)),
                                 random() % 2 ? 0.5 : 2.5);
                    break;
                case 2:
                    moved.panBy(Nanoseconds(upTo(lengthA) - lengthA / 2));
                    break;
                default:
                    moved.fitAll();
            }
            expectAligned();
        }
    }
}

TEST_F(LinkedAxesTest, OneHistoryHoldsTheMovesOfBoth) {
    align(0, 1'000, 1'000'000, 1'000'000);
    const TimeRange all = a.visibleRange();
    b.setVisibleRange({Nanoseconds(101'000), Nanoseconds(201'000)});
    const TimeRange first = a.visibleRange();
    EXPECT_EQ(first, (TimeRange{Nanoseconds(100'000), Nanoseconds(200'000)}));
    a.setVisibleRange({Nanoseconds(110'000), Nanoseconds(120'000)});
    b.panBy(Nanoseconds(30'000));
    EXPECT_EQ(a.visibleRange().begin, Nanoseconds(140'000));
    a.zoomBack();
    EXPECT_EQ(a.visibleRange().begin, Nanoseconds(110'000));
    a.zoomBack();
    EXPECT_EQ(a.visibleRange(), first);
    a.zoomBack();
    EXPECT_EQ(a.visibleRange(), all);
    expectAligned();
}

TEST_F(LinkedAxesTest, AMeasuredRangeIsOverTheSameMomentsInBoth) {
    align(3'000, 500, 10'000, 20'000);
    b.setSelectedRange(TimeRange{Nanoseconds(1'000), Nanoseconds(2'000)});
    EXPECT_EQ(a.selectedRange(), (TimeRange{Nanoseconds(3'500), Nanoseconds(4'500)}));
    a.setSelectedRange(std::nullopt);
    EXPECT_FALSE(b.selectedRange());
}

TEST_F(LinkedAxesTest, FittingShowsAllOfBoth) {
    align(3'000, 500, 10'000, 20'000);
    a.fitAll();
    expectAligned();
    EXPECT_LE(a.visibleRange().begin, Nanoseconds(0));
    EXPECT_LE(b.visibleRange().begin, Nanoseconds(0));
    EXPECT_GE(a.visibleRange().end, Nanoseconds(10'000));
    EXPECT_GE(b.visibleRange().end, Nanoseconds(20'000));
}

TEST_F(LinkedAxesTest, TheCursorIsOneMoment) {
    align(3'000, 500, 10'000, 20'000);
    a.setCursor(Nanoseconds(3'100));
    EXPECT_EQ(b.cursor(), Nanoseconds(600));
    b.setPinnedCursor(Nanoseconds(700));
    EXPECT_EQ(a.pinnedCursor(), Nanoseconds(3'200));
    a.setCursor(std::nullopt);
    EXPECT_FALSE(b.cursor());
}

}  // namespace warpglass::ui::linked_axes_test
