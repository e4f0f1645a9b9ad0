// What a search for spans found.
#pragma once

#include <memory>

#include "engine/query/statistics/span_search.h"
#include "engine/tables/column.h"

namespace warpglass {

struct MatchesShown {
    std::shared_ptr<const Snapshot> snapshot;
};
inline std::uint64_t rowKey(const SearchMatch& match) {
    // A lane has fewer rows than 2⁴⁰: a hundred years of them.
    return (std::uint64_t{match.at.lane.value} << 40) ^ match.at.row;
}
const TableDescription<SearchMatch, MatchesShown>& matchesTable();

}  // namespace warpglass
