#include "ui/charts/byte_ticks.h"

#include <array>
#include <cstdio>
#include <string_view>

#include "engine/base/format.h"

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

std::string byteTickLabel(std::int64_t bytes, std::int64_t step, std::int64_t highest) {
    static constexpr std::array<std::string_view, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    constexpr std::int64_t kFinest = 8;  // of a unit: three decimals
    std::size_t unit = 0;
    std::int64_t size = 1;
    while (unit + 1 < kUnits.size() && highest / size >= 1024 && step >= size * 1024 / kFinest) {
        size *= 1024;
        ++unit;
    }
    int decimals = 0;
    for (std::int64_t part = size; step % part != 0; part /= 2)
        ++decimals;
    std::string number = formatGrouped(bytes / size);
    if (decimals > 0) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "%.*f", decimals,
                      static_cast<double>(bytes) / static_cast<double>(size));
        number = text.data();
    }
    return number + "\u202F" + std::string(kUnits[unit]);
}

}  // namespace warpglass::ui
