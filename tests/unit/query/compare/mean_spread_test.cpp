#include "engine/query/compare/mean_spread.h"
#include "tests/support/must.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace warpglass::test::mean_spread_test {

TEST(MeanSpread, SumsUpSamples) {
    const SampleMean of = meanOf({2, 4, 4, 4, 5, 5, 7, 9});
    EXPECT_EQ(of.count, 8);
    EXPECT_NEAR(of.mean, 5, 1e-12);
    EXPECT_NEAR(of.standardDeviation, std::sqrt(32.0 / 7), 1e-12);
    EXPECT_EQ(meanOf({3}).standardDeviation, 0);
    EXPECT_EQ(meanOf({}).count, 0);
}

TEST(MeanSpread, TwoNoisyRunsOfThreeStepsAreNotToldApart) {
    EXPECT_TRUE(isWithinSpread({3, 266e6, 48e6}, {3, 275e6, 52e6}));
    EXPECT_FALSE(isWithinSpread({3, 266e6, 1e6}, {3, 275e6, 1e6}));
    EXPECT_FALSE(isWithinSpread({3000, 266e6, 48e6}, {3000, 275e6, 52e6})) << "of many steps it is known";
}

TEST(MeanSpread, OfFewerThanTwoSamplesOrOfNoSpreadNothingIsJudged) {
    EXPECT_FALSE(isWithinSpread({1, 1.0, 0}, {5, 1.1, 3}));
    EXPECT_FALSE(isWithinSpread({5, 1.0, 3}, {1, 1.1, 0}));
    EXPECT_FALSE(isWithinSpread({}, {}));
    EXPECT_FALSE(isWithinSpread({3, 1.0, 0}, {3, 1.1, 0}));
}

TEST(MeanSpread, OfADifferenceHasAMarginWhereBothAreKnown) {
    // Two samples of four with a deviation of 2 each: √2 of the difference, at six degrees of freedom.
    const auto margin = must(differenceMargin({4, 10, 2}, {4, 9, 2}));
    EXPECT_NEAR(margin, 2.447 * std::sqrt(2.0), 1e-2);
    EXPECT_EQ(differenceMargin({3, 1, 0}, {3, 2, 0}), 0);
    EXPECT_FALSE(differenceMargin({1, 1, 0}, {3, 2, 1}));
    EXPECT_FALSE(differenceMargin({3, 1, NAN}, {3, 2, 1}));
}

/// How probable it is that samples of one mean lie as far apart, from the density of Student's distribution.
double chanceOf(double t, double degrees) {
    const double scale = std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) /
                         std::sqrt(degrees * std::acos(-1.0));
    // With x = √ν · tan(u) the density's power is one of a cosine.
    const double end = std::atan(t / std::sqrt(degrees));
    constexpr int kPieces = 4000;
    double within = 0;
    for (int i = 0; i < kPieces; ++i)
        within += std::pow(std::cos((i + 0.5) * end / kPieces), degrees - 1) * end / kPieces;
    return 1 - 2 * scale * std::sqrt(degrees) * within;
}

TEST(MeanSpread, AgreesWithStudentsDistribution) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> counts(2, 12);
    std::uniform_real_distribution<double> deviations(0.2, 3), shifts(0, 6);
    int within = 0, apart = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const auto sample = [&](double mean) {
            std::normal_distribution<double> normal(mean, deviations(random));
            std::vector<double> samples(static_cast<std::size_t>(counts(random)));
            for (double& value : samples)
                value = normal(random);
            return meanOf(samples);
        };
        const SampleMean a = sample(100), b = sample(100 + shifts(random));
        const double ofA = a.standardDeviation * a.standardDeviation / static_cast<double>(a.count);
        const double ofB = b.standardDeviation * b.standardDeviation / static_cast<double>(b.count);
        const double degrees =
            std::floor(std::pow(ofA + ofB, 2) / (ofA * ofA / static_cast<double>(a.count - 1) +
                                                 ofB * ofB / static_cast<double>(b.count - 1)));
        const double chance = chanceOf(std::abs(a.mean - b.mean) / std::sqrt(ofA + ofB), degrees);
        if (std::abs(chance - 0.05) < 1e-3)
            continue;  // as the quantiles are rounded
        EXPECT_EQ(isWithinSpread(a, b), chance > 0.05) << degrees << ' ' << chance;
        ++(chance > 0.05 ? within : apart);
    }
    EXPECT_GT(within, 100);
    EXPECT_GT(apart, 100);
}

}  // namespace warpglass::test::mean_spread_test
