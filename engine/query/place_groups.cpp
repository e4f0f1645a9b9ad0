#include "engine/query/place_groups.h"

#include <unordered_map>

#include "engine/query/span_scan.h"

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

bool groupIsWithin(SpanGrouping grouping, std::string_view group, std::string_view within) {
    if (grouping != SpanGrouping::kModule || group == within)
        return grouping == SpanGrouping::kFlat || group == within;
    return !within.empty() && isWithin(group.substr(0, group.find('/')), within);
}

}  // namespace warpglass
