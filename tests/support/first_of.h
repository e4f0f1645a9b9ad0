// The one of many that a test is about.
#pragma once

#include <algorithm>
#include <source_location>

#include "tests/support/must.h"

namespace warpglass::test {

/// The first that `is` holds for. Where there is none the test fails, saying where, and ends.
template <class Range, class Is>
auto& firstOf(Range& range, Is&& is, std::source_location at = std::source_location::current()) {
    const auto found = std::find_if(std::begin(range), std::end(range), is);
    return *must(found == std::end(range) ? nullptr : &*found, at);
}

/// Its place among them.
template <class Range, class Is>
std::size_t placeOf(Range& range, Is&& is, std::source_location at = std::source_location::current()) {
    return static_cast<std::size_t>(&firstOf(range, is, at) - &*std::begin(range));
}

}  // namespace warpglass::test
