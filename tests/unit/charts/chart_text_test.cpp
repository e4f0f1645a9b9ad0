#include "ui/charts/chart_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpglass::ui::chart_text_test {

TEST(LinearTicks, AreRoundAndReachTheTop) {
    for (double top = 1e-3; top < 1e15; top *= 1.37) {
        for (const int most : {3, 4, 9}) {
            const std::vector<double> ticks = linearTicks(top, most);
            ASSERT_GE(ticks.size(), 2u) << top;
            EXPECT_LE(ticks.size(), static_cast<std::size_t>(most) + 1) << top;
            EXPECT_EQ(ticks.front(), 0);
            EXPECT_LE(ticks.back(), top * (1 + 1e-6));
            EXPECT_GT(ticks.back() + ticks[1], top * (1 - 1e-6)) << "another would fit";
            const double mantissa = ticks[1] / std::pow(10, std::floor(std::log10(ticks[1]) + 1e-9));
            EXPECT_TRUE(std::fabs(mantissa - 1) < 1e-6 || std::fabs(mantissa - 2) < 1e-6 ||
                        std::fabs(mantissa - 5) < 1e-6)
                << ticks[1];
        }
    }
    EXPECT_EQ(linearTicks(0, 5), std::vector<double>{0});
    EXPECT_EQ(linearTicks(NAN, 5), std::vector<double>{0});
}

TEST(Decades, AreThePowersOfTenWithin) {
    EXPECT_EQ(decades(1, 1000), (std::vector<double>{1, 10, 100, 1000}));
    EXPECT_EQ(decades(3, 90), (std::vector<double>{10}));
    EXPECT_TRUE(decades(3, 9).empty());
    EXPECT_TRUE(decades(0, 9).empty());
    EXPECT_TRUE(decades(10, 1).empty());
}

TEST(RateText, HasAUnitASecond) {
    EXPECT_EQ(byteRateText(4.1e12), "4.10\u202FTB/s");
    EXPECT_EQ(byteRateText(999.6e9), "1.00\u202FTB/s");
    EXPECT_EQ(byteRateText(23.4e9), "23.4\u202FGB/s");
    EXPECT_EQ(flopRateText(689e12), "689\u202FTFLOP/s");
    EXPECT_EQ(durationExact(1234567.4), "1,234,567 ns");
}

}  // namespace warpglass::ui::chart_text_test
