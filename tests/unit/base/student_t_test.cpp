#include "engine/base/student_t.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpglass::test::student_t_test {

TEST(StudentT, HasTheQuantilesOfTheTables) {
    const std::pair<std::size_t, double> table[] = {{1, 12.7062}, {2, 4.3027},  {3, 3.1824},  {5, 2.5706},
                                                    {10, 2.2281}, {30, 2.0423}, {60, 2.0003}, {120, 1.9799}};
    for (const auto& [degrees, quantile] : table)
        EXPECT_NEAR(studentQuantile95(degrees), quantile, 1e-4) << degrees;
    EXPECT_NEAR(studentQuantile95(1'000'000'000), 1.96, 3e-3);
}

/// The density, integrated, in another way than the quantile is found.
TEST(StudentT, LeavesTheTwentiethPartBeyondIt) {
    for (const double degrees : {1., 2., 4., 7., 15., 50., 300.}) {
        const double t = studentQuantile95(static_cast<std::size_t>(degrees));
        const double scale = std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) /
                             std::sqrt(degrees * std::acos(-1.0));
        constexpr int kPieces = 20000;
        double within = 0;
        for (int i = 0; i < kPieces; ++i) {
            const double x = (i + 0.5) * t / kPieces;
            within += 2 * scale * std::pow(1 + x * x / degrees, -(degrees + 1) / 2) * t / kPieces;
        }
        EXPECT_NEAR(within, 0.95, 1e-6) << degrees;
    }
}

}  // namespace warpglass::test::student_t_test
