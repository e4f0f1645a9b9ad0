#include "engine/query/compare/mean_spread.h"

#include <algorithm>
#include <cmath>

#include "engine/base/student_t.h"

namespace warpglass {
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

std::optional<double> differenceMargin(const SampleMean& a, const SampleMean& b) {
    if (a.count < 2 || b.count < 2)
        return std::nullopt;
    // The variance of a mean; that of the difference is the sum of both.
    const auto variance = [](const SampleMean& of) {
        return of.standardDeviation * of.standardDeviation / static_cast<double>(of.count);
    };
    const double ofA = variance(a), ofB = variance(b), sum = ofA + ofB;
    if (sum == 0)
        return 0;
    const double degrees =
        sum * sum /
        (ofA * ofA / static_cast<double>(a.count - 1) + ofB * ofB / static_cast<double>(b.count - 1));
    // This is not a number for figures that no run has.
    if (!(degrees > 0))
        return std::nullopt;
    constexpr double kMany = 1e6;
    const auto whole = static_cast<std::size_t>(std::clamp(degrees, 1.0, kMany));
    return studentQuantile95(whole) * std::sqrt(sum);
}

bool isWithinSpread(const SampleMean& a, const SampleMean& b) {
    const std::optional<double> margin = differenceMargin(a, b);
    return margin && std::abs(a.mean - b.mean) < *margin;
}

}  // namespace warpglass
