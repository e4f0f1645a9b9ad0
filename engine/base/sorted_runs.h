// Sorting what was put together of a few sequences mostly in order already, as the rows of lanes are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace warpglass {

/// Sorts `all`, of which each run ends before the index in `ends` and begins where the one before it ends;
/// the last ends at all.size(). What is equal stays in its order. O(n log runs) where every run is in order,
/// else O(n log n) for it.
template <class T, class Less>
void sortRuns(std::vector<T>& all, std::vector<std::size_t> ends, Less less) {
    const auto at = [&all](std::size_t index) { return all.begin() + static_cast<std::ptrdiff_t>(index); };
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        if (!std::is_sorted(at(begin), at(end), less))
            std::stable_sort(at(begin), at(end), less);
        begin = end;
    }
    while (ends.size() > 1) {
        std::vector<std::size_t> merged;
        begin = 0;
        for (std::size_t i = 0; i < ends.size(); i += 2) {
            const std::size_t last = ends[std::min(i + 1, ends.size() - 1)];
            std::inplace_merge(at(begin), at(ends[i]), at(last), less);
            merged.push_back(last);
            begin = last;
        }
        ends = std::move(merged);
    }
}

}  // namespace warpglass
