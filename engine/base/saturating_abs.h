// How large a signed number is, whichever way it goes.
#pragma once

#include <cstdint>
#include <limits>

namespace warpglass {

/// The absolute value; the largest int64 for the smallest, whose own has no room in one.
constexpr std::int64_t saturatingAbs(std::int64_t number) {
    using Limits = std::numeric_limits<std::int64_t>;
    return number == Limits::min() ? Limits::max() : number < 0 ? -number : number;
}

}  // namespace warpglass
