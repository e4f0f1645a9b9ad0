// LibTorch's sums in types of few digits against the same sums computed bit by bit.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/plan/accumulation.h"
#include "engine/runner/runner_api.h"

namespace warpglass::test::accumulation_test {

/// The nearest number of the format, ties to the even significand; exact in double for all numbers here.
double rounded(NumberFormat format, double x) {
    if (x == 0)
        return 0;
    int exponent = 0;
    const double significand = std::frexp(x, &exponent);  // [0.5, 1)
    const double scaled = std::ldexp(significand, fractionBits(format) + 1);
    const double down = std::floor(scaled);
    const double rest = scaled - down;
    double whole = down;
    if (rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0))
        whole += 1;
    return std::ldexp(whole, exponent - fractionBits(format) - 1);
}

std::vector<double> bitByBit(const Accumulation& way) {
    const auto round = [&](double x) { return rounded(way.sum, x); };
    // A term is a number of the float type first: LibTorch takes 0.01 as double and rounds once.
    const double term = rounded(way.term, way.value);
    const double added = way.castFirst || way.compensated ? round(term) : term;
    double sum = 0, lost = 0;
    std::vector<double> sums;
    for (std::int64_t i = 0; i < way.terms; ++i) {
        if (way.compensated) {
            const double corrected = round(added - lost);
            const double next = round(sum + corrected);
            lost = round(round(next - sum) - corrected);
            sum = next;
        } else {
            sum = round(sum + added);
        }
        sums.push_back(sum);
    }
    return sums;
}

TEST(Accumulation, EveryWayIsAsComputedBitByBit) {
    Runner* runner = warpglassRunner(kRunnerAbi);
    ASSERT_NE(runner, nullptr);
    for (Accumulation way : accumulationWays()) {
        way.terms = 3000;
        const auto sums = runner->accumulate(way);
        ASSERT_TRUE(sums) << sums.message();
        EXPECT_EQ(*sums, bitByBit(way)) << accumulationWords(way);
    }
}

TEST(Accumulation, AThousandHundredthsGiveTheTextbooksSums) {
    Runner* runner = warpglassRunner(kRunnerAbi);
    const auto last = [&](const Accumulation& way) { return runner->accumulate(way)->back(); };
    const auto ways = accumulationWays();
    EXPECT_NEAR(last(ways[0]), 10.0001, 5e-5);
    EXPECT_NEAR(last(ways[1]), 9.9531, 5e-5);
    EXPECT_NEAR(last(ways[2]), 10.0021, 5e-5);
    EXPECT_NEAR(last(ways[3]), 10.0021, 5e-5);
}

TEST(Accumulation, TheSpacingIsThatOfNeighboringFloats) {
    for (const float x : {1.0f, 1.5f, 2.0f, 9.99f, 1000.0f, 0.01f})
        EXPECT_EQ(spacingAt(NumberFormat::kFp32, x),
                  static_cast<double>(std::nextafter(x, INFINITY)) - static_cast<double>(x));
    EXPECT_EQ(spacingAt(NumberFormat::kFp16, 10), 0.0078125);
    EXPECT_EQ(spacingAt(NumberFormat::kBf16, 4), 0.03125);
}

}  // namespace warpglass::test::accumulation_test
