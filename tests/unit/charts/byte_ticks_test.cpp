#include "ui/charts/byte_ticks.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::byte_ticks_test {

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

TEST(ByteTicks, LabelsOfAnAxisHaveOneUnitAndAsManyDecimals) {
    constexpr std::int64_t kMiB = 1LL << 20, kGiB = 1LL << 30;
    EXPECT_EQ(byteTickLabel(64 * kMiB, 64 * kMiB, 512 * kMiB), "64\u202FMiB");
    EXPECT_EQ(byteTickLabel(7 * kGiB / 2, kGiB / 4, 4 * kGiB), "3.50\u202FGiB");
    EXPECT_EQ(byteTickLabel(4 * kGiB, kGiB / 4, 4 * kGiB), "4.00\u202FGiB");
    EXPECT_EQ(byteTickLabel(768 * kMiB, 256 * kMiB, kGiB), "0.75\u202FGiB");
    EXPECT_EQ(byteTickLabel(3, 1, 9), "3\u202FB");
    EXPECT_EQ(byteTickLabel(1LL << 62, 1LL << 61, 1LL << 62), "4\u202FEiB");
    std::uint64_t random = 5;
    for (int i = 0; i < 500; ++i) {
        const auto top =
            static_cast<std::int64_t>(test::nextRandom(random) >> (1 + test::nextRandom(random) % 62));
        const auto ticks = byteTicks(top, 9);
        std::set<std::string> units, labels;
        std::set<std::size_t> decimals;
        for (const std::int64_t tick : ticks) {
            const std::string text = byteTickLabel(tick, ticks.front(), ticks.back());
            const std::size_t end = text.find("\u202F"), point = text.find('.');
            units.insert(text.substr(end));
            decimals.insert(point == std::string::npos ? 0 : end - point);
            labels.insert(text);
        }
        EXPECT_LE(units.size(), 1u) << top;
        EXPECT_LE(decimals.size(), 1u) << top;
        EXPECT_EQ(labels.size(), ticks.size()) << top;
    }
}

TEST(ByteTicks, NoTwoLabelsOfAZoomedAxisAreAlike) {
    EXPECT_EQ(byteTickLabel(3LL << 29, 1LL << 29, 3LL << 29), "1.5\u202FGiB");
    EXPECT_EQ(byteTickLabel(9LL << 27, 1LL << 27, 9LL << 27), "1.125\u202FGiB");
    EXPECT_EQ(byteTickLabel(17LL << 26, 1LL << 26, 17LL << 26), "1,088\u202FMiB");
    EXPECT_EQ(byteTickLabel((40LL << 30) + (1LL << 20), 1LL << 20, 41LL << 30), "40,961\u202FMiB");
    for (const std::int64_t step : {1LL, 512LL, 1LL << 17, 1LL << 28, 1LL << 40}) {
        const std::int64_t from = (5LL << 30) / step * step;
        std::set<std::string> labels;
        for (std::int64_t tick = 1; tick <= 40; ++tick)
            labels.insert(byteTickLabel(from + tick * step, step, from + 40 * step));
        EXPECT_EQ(labels.size(), 40u) << step;
    }
}

}  // namespace warpglass::ui::byte_ticks_test
