// Whether two runs' means differ by more than their samples do: Welch's t-test for samples of unlike
// variances (B. L. Welch, "The generalization of 'Student's' problem when several different population
// variances are involved", Biometrika 34, 1947), two-sided at a level of 5%.
//
// Means a and b of n samples each with the sample standard deviations s differ where
//     |a − b| ≥ t(ν) · √(sa²/na + sb²/nb),
// with the 97.5% quantile t(ν) of Student's distribution, 12.7 at ν = 1, 2.78 at 4, 1.98 at 120
// (engine/base/student_t.h), and Welch's and Satterthwaite's degrees of freedom, rounded down,
//     ν = (sa²/na + sb²/nb)² / ((sa²/na)²/(na − 1) + (sb²/nb)²/(nb − 1)).
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpglass {

/// Mean and spread of a sample, in any unit.
struct SampleMean {
    std::int64_t count = 0;
    double mean = 0;
    double standardDeviation = 0;  // of the sample, over n − 1; 0 for one
};

SampleMean meanOf(const std::vector<double>& samples);

/// Half of the 95% confidence interval of the difference of both means: the right-hand side above; 0 where
/// all samples are alike. Nothing where either has fewer than two samples: nothing is known of its spread.
std::optional<double> differenceMargin(const SampleMean& a, const SampleMean& b);

/// Whether their difference is within what their spread allows. False where either has fewer than two
/// samples: nothing is known of its spread.
bool isWithinSpread(const SampleMean& a, const SampleMean& b);

}  // namespace warpglass
