// A median of few measurements, with an interval that holds it on a host of any noise: order statistics
// assume nothing of how the measurements scatter, but that each is a fair one.
#pragma once

#include <string>
#include <vector>

namespace warpglass::bench {

struct MedianInterval {
    double median = 0;
    double low = 0;
    double high = 0;
    /// How probable it is that the true median lies from `low` to `high`; below 0.95 for fewer than 6 values.
    double confidence = 0;
};

/// The narrowest pair of values, equally far from both ends in order, that has 95% confidence; the least and
/// the greatest where there are too few. Precondition: values is not empty.
MedianInterval medianInterval(std::vector<double> values);

/// "1.21 [1.15, 1.30]".
std::string text(const MedianInterval& interval, int decimals);

}  // namespace warpglass::bench
