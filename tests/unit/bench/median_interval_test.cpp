#include "tests/bench/recording/median_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warpglass::bench::median_interval_test {

TEST(MedianInterval, OfFewValuesIsAllOfThemAndSaysHowMuchThatIsWorth) {
    const MedianInterval one = medianInterval({3});
    EXPECT_EQ(one.median, 3);
    EXPECT_EQ(one.low, 3);
    EXPECT_EQ(one.high, 3);
    EXPECT_EQ(one.confidence, 0);
    const MedianInterval four = medianInterval({4, 1, 3, 2});
    EXPECT_EQ(four.median, 2.5);
    EXPECT_EQ(four.low, 1);
    EXPECT_EQ(four.high, 4);
    EXPECT_NEAR(four.confidence, 1 - 2.0 / 16, 1e-12);
}

// Tables of the sign test: for 12 values the third from each end, for 20 the sixth.
TEST(MedianInterval, HasTheRanksOfTheSignTest) {
    const auto ranks = [](int count) {
        std::vector<double> values;
        for (int i = count; i > 0; --i)
            values.push_back(i);
        const MedianInterval interval = medianInterval(values);
        EXPECT_GE(interval.confidence, 0.95);
        EXPECT_EQ(interval.high, count + 1 - interval.low);
        return interval.low;
    };
    EXPECT_EQ(ranks(6), 1);
    EXPECT_EQ(ranks(12), 3);
    EXPECT_EQ(ranks(20), 6);
}

// The values scatter as badly as those of a busy host.
TEST(MedianInterval, HoldsTheMedianAsOftenAsItSays) {
    std::mt19937 random(1);
    std::lognormal_distribution<double> skewed(0, 1.5);
    for (const std::size_t count : {5u, 8u, 12u, 25u}) {
        int held = 0;
        double said = 0;
        constexpr int kTrials = 20000;
        for (int trial = 0; trial < kTrials; ++trial) {
            std::vector<double> values(count);
            for (double& value : values)
                value = skewed(random);
            const MedianInterval interval = medianInterval(values);
            held += interval.low <= 1 && 1 <= interval.high;  // the distribution's median
            said = interval.confidence;
        }
        const double deviation = std::sqrt(said * (1 - said) / kTrials);
        EXPECT_NEAR(held / double(kTrials), said, 5 * deviation) << count;
    }
}

TEST(MedianInterval, ReadsAsItsMedianAndItsEnds) {
    EXPECT_EQ(text(medianInterval({1, 2, 3}), 1), "2.0 [1.0, 3.0]");
}

}  // namespace warpglass::bench::median_interval_test
