// What a search for spans found, by name and match by match.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/query/spans/kernel_works.h"
#include "engine/query/statistics/span_search.h"
#include "engine/tables/column.h"

namespace warpglass {

struct MatchesShown {
    std::shared_ptr<const Snapshot> snapshot;
    /// How many whole steps were searched; 0 for others or for parts of them.
    std::int64_t steps = 0;
    /// What its kernels are called by what they do; null where nothing was searched.
    std::shared_ptr<const KernelWorks> works = {};
};
inline std::uint64_t rowKey(const SearchGroup& group) {
    return (static_cast<std::uint64_t>(group.of.kind) << 32) ^ group.of.name.value;
}
const TableDescription<SearchGroup, MatchesShown>& searchGroupsTable();
inline std::uint64_t rowKey(const SearchMatch& match) {
    // A lane has fewer rows than 2⁴⁰: a hundred years of them.
    return (std::uint64_t{match.at.lane.value} << 40) ^ match.at.row;
}
const TableDescription<SearchMatch, MatchesShown>& matchesTable();

}  // namespace warpglass
