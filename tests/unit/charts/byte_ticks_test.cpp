#include "ui/charts/byte_ticks.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui {
namespace {

TEST(ByteTicks, AreAFewMultiplesOfOnePowerOfTwo) {
    std::uint64_t random = 11;
    for (int i = 0; i < 2000; ++i) {
        const int most = 1 + static_cast<int>(test::nextRandom(random) % 9);
        const auto top =
            static_cast<std::int64_t>(test::nextRandom(random) >> (1 + test::nextRandom(random) % 62));
        const auto ticks = byteTicks(top, most);
        if (top < 1) {
            EXPECT_TRUE(ticks.empty());
            continue;
        }
        ASSERT_FALSE(ticks.empty());
        const std::int64_t step = ticks.front();
        EXPECT_TRUE(std::has_single_bit(static_cast<std::uint64_t>(step)));
        EXPECT_LE(static_cast<int>(ticks.size()), most);
        EXPECT_TRUE(step == 1 || static_cast<int>(ticks.size()) > (most - 1) / 2) << top << " " << most;
        for (std::size_t k = 0; k < ticks.size(); ++k)
            EXPECT_EQ(ticks[k], static_cast<std::int64_t>(k + 1) * step);
        EXPECT_LE(ticks.back(), top);
        EXPECT_GT(ticks.back(), top - step);
    }
    EXPECT_TRUE(byteTicks(0, 5).empty());
    EXPECT_TRUE(byteTicks(-1, 5).empty());
}

TEST(ByteTicks, LabelsHaveNoTrailingZeros) {
    EXPECT_EQ(byteTickLabel(64LL << 20), "64\u2009MiB");
    EXPECT_EQ(byteTickLabel(3LL << 29), "1.5\u2009GiB");
    EXPECT_EQ(byteTickLabel(1023), "1023\u2009B");
    EXPECT_EQ(byteTickLabel(1024), "1\u2009KiB");
    EXPECT_EQ(byteTickLabel(std::int64_t{1} << 62), "4\u2009EiB");
}

}  // namespace
}  // namespace warpglass::ui
