#include "tests/bench/recording/median_interval.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/base/check.h"

namespace warpglass::bench {
namespace {

constexpr double kWanted = 0.95;

/// That at most `most` of `count` throws of a fair coin show heads.
double probabilityOfAtMost(std::size_t most, std::size_t count) {
    double term = std::pow(0.5, static_cast<double>(count)), sum = 0;
    for (std::size_t i = 0; i <= most; ++i) {
        sum += term;
        term *= static_cast<double>(count - i) / static_cast<double>(i + 1);
    }
    return sum;
}

}  // namespace

MedianInterval medianInterval(std::vector<double> values) {
    WG_CHECK(!values.empty());
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    MedianInterval result{.median = (values[(n - 1) / 2] + values[n / 2]) / 2};
    // Values `cut` and n - 1 - cut miss the median when at most `cut` values lie on one side of it.
    std::size_t cut = 0;
    while (cut + 1 < (n + 1) / 2 && 1 - 2 * probabilityOfAtMost(cut + 1, n) >= kWanted)
        ++cut;
    result.low = values[cut];
    result.high = values[n - 1 - cut];
    result.confidence = std::max(0.0, 1 - 2 * probabilityOfAtMost(cut, n));
    return result;
}

std::string text(const MedianInterval& interval, int decimals) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "%.*f [%.*f, %.*f]", decimals, interval.median, decimals,
                  interval.low, decimals, interval.high);
    return buffer;
}

}  // namespace warpglass::bench
