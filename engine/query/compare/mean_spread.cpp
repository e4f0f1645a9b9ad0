#include "engine/query/compare/mean_spread.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpglass {
namespace {

/// 97.5 % quantiles of Student's distribution of 1, 2, … degrees of freedom; of more the next lower one in
/// the list, which only asks for more.
constexpr std::array kQuantiles = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                   2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                   2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
constexpr double kQuantileOfMany = 1.980;  // from 120 on

double quantile(double degrees) {
    if (degrees >= 120)
        return kQuantileOfMany;
    const double within = std::clamp(degrees, 1.0, static_cast<double>(kQuantiles.size()));
    return kQuantiles.at(static_cast<std::size_t>(within) - 1);
}

}  // namespace

SampleMean meanOf(const std::vector<double>& samples) {
    SampleMean of;
    of.count = static_cast<std::int64_t>(samples.size());
    if (samples.empty())
        return of;
    const auto n = static_cast<double>(samples.size());
    for (const double sample : samples)
        of.mean += sample / n;
    double squares = 0;
    for (const double sample : samples)
        squares += (sample - of.mean) * (sample - of.mean);
    of.standardDeviation = samples.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return of;
}

bool isWithinSpread(const SampleMean& a, const SampleMean& b) {
    if (a.count < 2 || b.count < 2)
        return false;
    // Of the mean, and so of the difference their sum.
    const auto variance = [](const SampleMean& of) {
        return of.standardDeviation * of.standardDeviation / static_cast<double>(of.count);
    };
    const double ofA = variance(a), ofB = variance(b), sum = ofA + ofB;
    if (!(sum > 0))
        return false;  // all samples are alike
    const double degrees =
        sum * sum /
        (ofA * ofA / static_cast<double>(a.count - 1) + ofB * ofB / static_cast<double>(b.count - 1));
    // Of figures that no run has it is not a number.
    return degrees > 0 && std::abs(a.mean - b.mean) < quantile(degrees) * std::sqrt(sum);
}

}  // namespace warpglass
