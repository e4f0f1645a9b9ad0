// What a small area of color before a cell's text stands for.
#pragma once

#include <cstdint>

namespace warpglass {

struct Swatch {
    enum Kind : std::uint8_t { kFamily, kCategory, kPhase };
    Kind kind = kFamily;
    std::uint8_t value = 0;  // an OpFamily, a Category or a Phase

    bool operator==(const Swatch&) const = default;
};

}  // namespace warpglass
