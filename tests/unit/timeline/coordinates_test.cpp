#include "ui/timeline/timeline_coordinates.h"

#include <gtest/gtest.h>

#include <random>

namespace warpglass::ui::coordinates_test {

constexpr TimeRange range(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

TEST(TimelineCoordinates, EdgesMapToEdges) {
    EXPECT_EQ(timeToPixel(Nanoseconds(100), range(100, 300), 800), 0);
    EXPECT_EQ(timeToPixel(Nanoseconds(300), range(100, 300), 800), 800);
    EXPECT_EQ(timeToPixel(Nanoseconds(50), range(100, 300), 800), -200);
    EXPECT_EQ(pixelToTime(800, range(100, 300), 800), Nanoseconds(300));
    EXPECT_EQ(pixelToTime(-200, range(100, 300), 800), Nanoseconds(50));
    EXPECT_EQ(pixelsToDuration(400, range(100, 300), 800), Nanoseconds(100));
}

TEST(TimelineCoordinates, DegenerateViewsGiveTheirBegin) {
    EXPECT_EQ(timeToPixel(Nanoseconds(7), range(5, 5), 800), 0);
    EXPECT_EQ(pixelToTime(10, range(5, 9), 0), Nanoseconds(5));
    EXPECT_EQ(pixelToTime(10, range(5, 9), -3), Nanoseconds(5));
}

TEST(TimelineCoordinates, RoundTripIsWithinANanosecond) {
    std::mt19937_64 random(11);
    for (int i = 0; i < 20'000; ++i) {
        const auto begin = static_cast<std::int64_t>(random() % 10'000'000'000'000);
        const auto duration = static_cast<std::int64_t>(100 + random() % (1ull << (10 + random() % 34)));
        const TimeRange visible = range(begin, begin + duration);
        const double width = static_cast<double>(1 + random() % 4000);
        const Nanoseconds t(begin +
                            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(duration)));
        const Nanoseconds back = pixelToTime(timeToPixel(t, visible, width), visible, width);
        ASSERT_LE(std::abs((back - t).value), 1) << begin << ' ' << duration << ' ' << width;
    }
}

__extension__ typedef __int128 Wide;

TEST(ColumnMap, AgreesWithExactArithmetic) {
    std::mt19937_64 random(12);
    for (int i = 0; i < 400; ++i) {
        const auto begin = static_cast<std::int64_t>(random() % 1'000'000'000'000);
        const auto duration = static_cast<std::int64_t>(1 + random() % (1ull << (1 + random() % 40)));
        const int width = static_cast<int>(1 + random() % 3000);
        const ColumnMap map(range(begin, begin + duration), width);
        for (int k = 0; k < 200; ++k) {
            std::int64_t d = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(duration));
            if (k % 3 == 0)  // edges of columns are where doubles go wrong
                d = std::min<std::int64_t>(
                    duration - 1, static_cast<std::int64_t>(
                                      Wide(duration) * (static_cast<int>(random() % 3000) % width) / width) +
                                      static_cast<std::int64_t>(random() % 2));
            const auto column = static_cast<int>(Wide(d) * width / duration);
            const auto end = static_cast<int>((Wide(d) * width + duration - 1) / duration);
            ASSERT_EQ(map.columnOf(begin + d), column)
                << begin << ' ' << duration << ' ' << width << ' ' << d;
            ASSERT_EQ(map.endColumnOf(begin + d), end)
                << begin << ' ' << duration << ' ' << width << ' ' << d;
        }
    }
}

TEST(ColumnMap, TimesOutsideGoToTheNearestColumn) {
    const ColumnMap map(range(1000, 2000), 10);
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(map.columnOf(kLeast), 0);
    EXPECT_EQ(map.columnOf(kMost), 9);
    EXPECT_EQ(map.endColumnOf(kLeast), 0);
    EXPECT_EQ(map.endColumnOf(kMost), 10);
}

TEST(ColumnMap, HoldsForTheLongestTimes) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    const ColumnMap map(range(0, kMost), 4000);
    EXPECT_EQ(map.columnOf(kMost / 2), 1999);
    EXPECT_EQ(map.endColumnOf(kMost / 2), 2000);
}

}  // namespace warpglass::ui::coordinates_test
