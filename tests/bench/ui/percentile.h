// What a share of some measurements is not above.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// 0 of none.
inline double percentile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}
