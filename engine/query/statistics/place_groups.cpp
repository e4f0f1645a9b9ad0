#include "engine/query/statistics/place_groups.h"

#include <unordered_map>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

namespace {

std::string groupOf(const Snapshot& snapshot, const Place& place, SpanGrouping grouping) {
    if (grouping == SpanGrouping::kFlat)
        return {};
    if (grouping == SpanGrouping::kPhase)
        return std::string(phaseName(place.phase));
    std::string path(snapshot.name(place.module));
    if (place.part.valid() && !path.empty())
        (path += '/') += snapshot.name(place.part);
    return path;
}

}  // namespace

PlaceGroups::PlaceGroups(const Snapshot& snapshot, SpanGrouping grouping) {
    std::unordered_map<std::string, std::uint32_t> known;
    m_groups.resize(snapshot.placeCount() + 1);
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const Place place = i < snapshot.placeCount() ? snapshot.place(PlaceId(i)) : Place();
        const auto [found, isNew] =
            known.emplace(groupOf(snapshot, place, grouping), static_cast<std::uint32_t>(m_names.size()));
        if (isNew)
            m_names.push_back(found->first);
        m_groups[i] = found->second;
    }
}

GroupTree::GroupTree(const PlaceGroups& groups, SpanGrouping grouping) {
    std::unordered_map<std::string_view, std::uint32_t> known;
    const auto add = [&](std::string_view path) {
        const auto [found, isNew] = known.emplace(path, static_cast<std::uint32_t>(m_paths.size()));
        if (isNew)
            m_paths.push_back(path);
        m_nodes.push_back(found->second);
    };
    for (std::uint32_t group = 0; group < groups.count(); ++group) {
        m_first.push_back(m_nodes.size());
        const std::string_view path = groups.name(group);
        if (grouping != SpanGrouping::kModule || path.empty()) {
            add(path);
            continue;
        }
        std::size_t begin = 0;
        for (std::size_t level = 0; begin < path.size(); ++level) {
            const std::size_t end = endOfPathLevel(path, level, begin);
            add(path.substr(0, end));
            begin = end + 1;
        }
    }
    m_first.push_back(m_nodes.size());
}

bool groupIsWithin(SpanGrouping grouping, std::string_view group, std::string_view within) {
    if (grouping != SpanGrouping::kModule || group == within)
        return grouping == SpanGrouping::kFlat || group == within;
    return !within.empty() && isWithin(group.substr(0, group.find('/')), within);
}

}  // namespace warpglass
