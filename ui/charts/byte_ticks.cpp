#include "ui/charts/byte_ticks.h"

#include <array>
#include <cstdio>
#include <string_view>

namespace warpglass::ui {

std::vector<std::int64_t> byteTicks(std::int64_t top, int most) {
    if (top < 1 || most < 1)
        return {};
    std::int64_t step = 1;
    constexpr std::int64_t kLargestStep = std::int64_t{1} << 62;
    while (top / step > most && step < kLargestStep)
        step *= 2;
    std::vector<std::int64_t> ticks;
    for (std::int64_t i = 1; i <= top / step; ++i)
        ticks.push_back(i * step);
    return ticks;
}

std::string byteTickLabel(std::int64_t bytes) {
    static constexpr std::array<std::string_view, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    std::int64_t size = 1;
    while (unit + 1 < kUnits.size() && bytes / size >= 1024) {
        size *= 1024;
        ++unit;
    }
    std::array<char, 32> number{};
    // A multiple of a power of two has few digits after the point.
    std::snprintf(number.data(), number.size(), "%.4g",
                  static_cast<double>(bytes) / static_cast<double>(size));
    return std::string(number.data()) + "\u2009" + std::string(kUnits[unit]);
}

}  // namespace warpglass::ui
