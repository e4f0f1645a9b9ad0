#include "engine/sweep/growth.h"
#include "tests/support/must.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace warpglass::test::growth_test {

TEST(Growth, OfAnExactPowerIsThatPower) {
    const std::vector<double> x = {128, 256, 512, 1024};
    std::vector<double> y;
    for (const double value : x)
        y.push_back(3.5 * value * value);
    const auto growth = must(fitGrowth(x, y));
    EXPECT_NEAR(growth.exponent, 2, 1e-12);
    EXPECT_NEAR(growth.factor, 3.5, 1e-9);
    EXPECT_NEAR(growth.rSquared, 1, 1e-12);
    ASSERT_TRUE(growth.margin);
    EXPECT_NEAR(*growth.margin, 0, 1e-6);
}

TEST(Growth, OfTwoPointsHasNoMargin) {
    const auto growth = must(fitGrowth(std::vector<double>{1, 2}, std::vector<double>{5, 5}));
    EXPECT_EQ(growth.exponent, 0);
    EXPECT_NEAR(growth.factor, 5, 1e-12);
    EXPECT_EQ(growth.rSquared, 1);
    EXPECT_FALSE(growth.margin);
}

TEST(Growth, NeedsTwoDifferentPositiveFiniteNumbers) {
    const double infinite = std::numeric_limits<double>::infinity();
    using Numbers = std::vector<double>;
    EXPECT_FALSE(fitGrowth(Numbers{}, Numbers{}));
    EXPECT_FALSE(fitGrowth(Numbers{1}, Numbers{1}));
    EXPECT_FALSE(fitGrowth(Numbers{2, 2, 2}, Numbers{1, 2, 3}));
    EXPECT_FALSE(fitGrowth(Numbers{1, 2}, Numbers{1}));
    EXPECT_FALSE(fitGrowth(Numbers{0, 2}, Numbers{1, 2}));
    EXPECT_FALSE(fitGrowth(Numbers{1, 2}, Numbers{-1, 2}));
    EXPECT_FALSE(fitGrowth(Numbers{1, 2}, Numbers{1, infinite}));
    EXPECT_FALSE(fitGrowth(Numbers{1, std::nan("")}, Numbers{1, 2}));
}

/// The textbook's sums over the raw logarithms, and quantiles of Student's distribution from its tables.
TEST(Growth, HasTheSlopeIntervalAndFitOfTheTextbook) {
    const std::vector<std::pair<std::size_t, double>> quantiles = {
        {3, 12.7062}, {4, 4.3027}, {5, 3.1824}, {7, 2.5706}, {12, 2.2281}, {32, 2.0423}, {122, 1.9799}};
    std::mt19937_64 random(11);
    for (const auto& [count, quantile] : quantiles) {
        std::vector<double> x, y;
        double n = 0, su = 0, sv = 0, suu = 0, suv = 0, svv = 0;
        for (std::size_t i = 0; i < count; ++i) {
            x.push_back(static_cast<double>(8 + random() % 5000 + 5000 * i));
            y.push_back(0.3 * std::pow(x.back(), 1.7) * (1 + static_cast<double>(random() % 100) / 300));
            const double u = std::log(x.back()), v = std::log(y.back());
            n += 1;
            su += u;
            sv += v;
            suu += u * u;
            suv += u * v;
            svv += v * v;
        }
        const double slope = (n * suv - su * sv) / (n * suu - su * su);
        const double correlation = (n * suv - su * sv) / std::sqrt((n * suu - su * su) * (n * svv - sv * sv));
        const double error = slope * std::sqrt((1 / (correlation * correlation) - 1) / (n - 2));
        const auto growth = must(fitGrowth(x, y));
        EXPECT_NEAR(growth.exponent, slope, 1e-8);
        EXPECT_NEAR(growth.factor, std::exp((sv - slope * su) / n), 1e-6);
        EXPECT_NEAR(growth.rSquared, correlation * correlation, 1e-8);
        ASSERT_TRUE(growth.margin);
        EXPECT_NEAR(*growth.margin, quantile * error, 1e-4 * quantile * error + 1e-9);
    }
}

TEST(Growth, IsNoPowerLawWhereOneDoesNotFit) {
    const std::vector<double> x = {128, 256, 512, 1024, 2048};
    EXPECT_TRUE(powerLaw(x, std::vector<double>{1, 4, 16, 64, 256}));
    EXPECT_FALSE(powerLaw(std::span(x).first(2), std::vector<double>{1, 4})) << "through two every law goes";
    EXPECT_FALSE(powerLaw(x, std::vector<double>{5, 5.2, 4.9, 5.1, 5})) << "noise";
    EXPECT_FALSE(powerLaw(x, std::vector<double>{1, 9, 2, 11, 3}));
    // Three points that a power explains to nine tenths, with an exponent of 0.71 ± 1.28.
    const std::vector<double> few = {1, 2, 4}, scattered = {1, 1.45, 2.68};
    const auto fitted = must(fitGrowth(few, scattered));
    ASSERT_TRUE(fitted.margin);
    EXPECT_GT(fitted.rSquared, kLeastExplained);
    EXPECT_GT(*fitted.margin, kWidestMargin * fitted.exponent);
    EXPECT_FALSE(powerLaw(few, scattered));
}

TEST(Growth, OfTheTailIsThatOfTheGreaterHalfInWhateverOrder) {
    std::vector<std::pair<double, double>> points;
    for (const double x : {64., 128., 256., 512., 1024., 2048., 4096.})
        points.emplace_back(x, x < 512 ? 1000. : x * x / 100);  // launching hides how short ones grow
    std::vector<double> x, y;
    for (std::size_t i = 2; i < points.size(); ++i) {
        x.push_back(points[i].first);
        y.push_back(points[i].second);
    }
    const double expected = fitGrowth(x, y)->exponent;
    EXPECT_GT(expected, 1.8);
    std::mt19937_64 random(3);
    for (int i = 0; i < 20; ++i) {
        std::ranges::shuffle(points, random);
        const auto tail = must(tailPowerLaw(points));
        EXPECT_TRUE(tail.isOfTail);
        EXPECT_EQ(tail.growth.exponent, expected) << "256 to 4096";
    }
    std::ranges::sort(points);
    points.erase(points.begin(), points.begin() + 3);
    const auto whole = must(tailPowerLaw(points));
    EXPECT_FALSE(whole.isOfTail) << "of four all count";
    EXPECT_NEAR(whole.growth.exponent, 2, 1e-9);
    EXPECT_FALSE(tailPowerLaw({{1, 1}, {2, 4}}));
    EXPECT_FALSE(tailPowerLaw({}));
    EXPECT_FALSE(tailPowerLaw({{1, 3}, {2, 1}, {4, 3}, {8, 1}}));
}

TEST(FlatStart, EndsWhereTheTimeBeginsToGrow) {
    // Unsorted; 2× takes 1.1× the time, then 2× takes 1.8×.
    const auto start = must(flatStart({{512, 198}, {128, 100}, {256, 110}}));
    EXPECT_EQ(start.to, 256);
    EXPECT_DOUBLE_EQ(start.timesX, 2);
    EXPECT_DOUBLE_EQ(start.timesY, 1.1);
    EXPECT_FALSE(start.isWhole);
    EXPECT_TRUE(must(flatStart({{128, 100}, {256, 90}, {512, 104}})).isWhole) << "times scatter";
}

TEST(FlatStart, IsNoneWhereTheTimeGrowsOrFallsAtOnce) {
    EXPECT_FALSE(flatStart({{128, 100}, {256, 140}, {512, 150}}));
    EXPECT_FALSE(flatStart({{128, 100}, {256, 60}}));
    EXPECT_FALSE(flatStart({{128, 100}}));
    EXPECT_FALSE(flatStart({}));
    EXPECT_FALSE(flatStart({{128, 100}, {256, 0}}));
    // 1.18× at each of three doublings is slow, and so is all of it.
    const auto slow = must(flatStart({{1, 100}, {2, 118}, {4, 139}, {8, 164}}));
    EXPECT_EQ(slow.to, 8);
}

}  // namespace warpglass::test::growth_test
