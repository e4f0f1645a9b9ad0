// Which group of a SpanGrouping each place belongs to, as dense numbers.
//
// Internal to engine/query.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/query/grouped_statistics.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class PlaceGroups {
public:
    PlaceGroups(const Snapshot& snapshot, SpanGrouping grouping);

    std::size_t count() const { return m_names.size(); }
    /// Of an id beyond the snapshot, as of none.
    std::uint32_t of(std::uint32_t place) const {
        return m_groups[std::min<std::size_t>(place, m_groups.size() - 1)];
    }
    const std::string& name(std::uint32_t group) const { return m_names[group]; }

private:
    std::vector<std::uint32_t> m_groups;  // by place; the last for ids beyond the snapshot
    std::vector<std::string> m_names;
};

/// Whether `group` is `within` or lies in it: a module in a module, a part in its module.
bool groupIsWithin(SpanGrouping grouping, std::string_view group, std::string_view within);

}  // namespace warpglass
