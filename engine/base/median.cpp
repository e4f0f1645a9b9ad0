#include "engine/base/median.h"

#include <algorithm>

namespace warpglass {

double medianOf(std::vector<double> values) {
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

}  // namespace warpglass
