// Which group of a SpanGrouping each place belongs to, as dense numbers, and which groups lie in which.
//
// Internal to engine/query.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/query/statistics/grouped_statistics.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class PlaceGroups {
public:
    PlaceGroups(const Snapshot& snapshot, SpanGrouping grouping);

    std::size_t count() const { return m_names.size(); }
    /// The group of a place; an id beyond the snapshot counts as no place.
    std::uint32_t of(std::uint32_t place) const {
        return m_groups[std::min<std::size_t>(place, m_groups.size() - 1)];
    }
    const std::string& name(std::uint32_t group) const { return m_names[group]; }

private:
    std::vector<std::uint32_t> m_groups;  // by place; the last for ids beyond the snapshot
    std::vector<std::string> m_names;
};

/// Which groups of the tree each group lies in, itself too, as dense numbers.
class GroupTree {
public:
    /// `groups`, of that grouping, outlives it.
    GroupTree(const PlaceGroups& groups, SpanGrouping grouping);

    /// As StatisticsNode::row.group has it.
    std::string_view path(std::size_t node) const { return m_paths[node]; }
    std::span<const std::uint32_t> around(std::uint32_t group) const {
        return std::span(m_nodes).subspan(m_first[group], m_first[group + 1] - m_first[group]);
    }

private:
    std::vector<std::string_view> m_paths;  // into the groups' names
    std::vector<std::uint32_t> m_nodes;     // of all groups, one after another
    std::vector<std::size_t> m_first;       // by group, and the end
};

/// Whether `group` is `within` or lies in it: a module in a module, a part in its module.
bool groupIsWithin(SpanGrouping grouping, std::string_view group, std::string_view within);

}  // namespace warpglass
