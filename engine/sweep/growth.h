// How a measure grows with a setting: a power law fitted to points.
#pragma once

#include <optional>
#include <span>

namespace warpglass {

/// y = factor · x^exponent, by least squares of log y over log x.
struct Growth {
    double exponent = 0;
    /// Half of the 95 % confidence interval of the exponent (Student's t, n − 2 degrees of freedom); nothing
    /// for two points.
    std::optional<double> margin;
    double factor = 0;
    /// Of the logarithms, 0 … 1.
    double rSquared = 0;
};
/// Nothing for fewer than two different x, or with an x or y that is not positive and finite.
std::optional<Growth> fitGrowth(std::span<const double> x, std::span<const double> y);

}  // namespace warpglass
