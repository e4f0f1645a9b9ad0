// Loops over small collections, said in a line. Pure.
#pragma once

#include <functional>
#include <iterator>
#include <vector>

namespace warpglass {

/// What `of`, a function or a member, makes of each item, in their order.
template <class Result, class Items, class Of>
std::vector<Result> mapped(Items&& items, Of of) {
    std::vector<Result> all;
    if constexpr (requires { std::size(items); })
        all.reserve(std::size(items));
    for (auto&& item : items)
        all.emplace_back(std::invoke(of, item));
    return all;
}

/// The sum of what `of`, a function or a member, makes of each item, in their order.
template <class Sum, class Items, class Of>
Sum sumOver(const Items& items, Of of) {
    Sum sum{};
    for (const auto& item : items)
        sum += std::invoke(of, item);
    return sum;
}

}  // namespace warpglass
