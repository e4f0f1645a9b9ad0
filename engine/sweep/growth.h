// How a measure grows with a setting: a power law fitted to points.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpglass {

/// y = factor · x^exponent, by least squares of log y over log x.
struct Growth {
    double exponent = 0;
    /// Half of the 95% confidence interval of the exponent (Student's t, n − 2 degrees of freedom); nothing
    /// for two points.
    std::optional<double> margin;
    double factor = 0;
    /// For the logarithms, 0 … 1.
    double rSquared = 0;
};
/// Nothing for fewer than two different x, or with an x or y that is not positive and finite.
std::optional<Growth> fitGrowth(std::span<const double> x, std::span<const double> y);

/// fitGrowth() where there is a power law to speak of: nothing with fewer than three points (through two
/// every power law goes), where it says less than kLeastExplained of them, and where the margin is more than
/// kWidestMargin of the exponent (of three points that scatter, 95% of the exponents may well be of either
/// sign).
inline constexpr std::size_t kLeastPoints = 3;
inline constexpr double kLeastExplained = 0.9, kWidestMargin = 0.5;
std::optional<Growth> powerLaw(std::span<const double> x, std::span<const double> y);

struct TailGrowth {
    Growth growth;
    /// The smaller x are left out.
    bool isOfTail = false;
    /// The x that it was fitted from and to.
    double from = 0, to = 0;
};
/// powerLaw() of points in any order, and of more than four only of the greater half of the x, with one more:
/// where times are small, those of launching hide how they grow.
std::optional<TailGrowth> tailPowerLaw(std::vector<std::pair<double, double>> points);

/// Up to which x y is nearly the same, from the least x on.
struct FlatStart {
    double to = 0;
    /// From the least x to that one.
    double timesX = 1, timesY = 1;
    /// All of the points.
    bool isWhole = false;
};
/// For points in any order, how far y stays flat: as long as it goes with a power of x between −kFlatExponent
/// and kFlatExponent, from each point to the next and from the first on; twice the x then has 1.19 times the
/// y at most. Nothing where it changes at once, and with an x or y that is not positive and finite.
inline constexpr double kFlatExponent = 0.25;
std::optional<FlatStart> flatStart(std::vector<std::pair<double, double>> points);

}  // namespace warpglass
