#include "engine/sweep/growth_words.h"

#include <array>
#include <cstdio>

namespace warpglass {

std::optional<Growth> growthOf(const SweepSlice& slice, std::size_t series) {
    if (!slice.x.isNumeric)
        return std::nullopt;
    std::vector<double> x, y;
    for (std::size_t i = 0; i < slice.points[series].size(); ++i) {
        if (slice.points[series][i].isMeasured()) {
            x.push_back(slice.x.values[i].number);
            y.push_back(slice.points[series][i].value);
        }
    }
    return powerLaw(x, y);
}

std::string growthWords(const Growth& growth) {
    std::array<char, 64> text{};
    if (growth.margin)
        std::snprintf(text.data(), text.size(), "n^%.2f ± %.2f", growth.exponent, *growth.margin);
    else
        std::snprintf(text.data(), text.size(), "n^%.2f", growth.exponent);
    return text.data();
}

}  // namespace warpglass
