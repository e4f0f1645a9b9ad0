#include "engine/query/statistics/outermost_times.h"

namespace warpglass {

OutermostTimes::OutermostTimes(const Snapshot& snapshot, const PlaceGroups& groups, SpanGrouping grouping)
    : m_groups(&groups), m_grouping(grouping), m_around(snapshot), m_apart(groups.count()) {}

std::uint32_t OutermostTimes::sharedLevels(std::uint32_t a, std::uint32_t b) {
    const auto [known, fresh] = m_shared.try_emplace(keyOf(a, b), 0);
    if (!fresh || m_grouping != SpanGrouping::kModule)
        return known->second;  // of two phases there is no common group
    const std::string &pathA = m_groups->name(a), &pathB = m_groups->name(b);
    std::size_t begin = 0;
    for (std::size_t level = 0; begin < pathA.size() && begin < pathB.size(); ++level) {
        const std::size_t end = endOfPathLevel(pathA, level, begin);
        if (end != endOfPathLevel(pathB, level, begin) || pathA.compare(0, end, pathB, 0, end) != 0)
            break;
        ++known->second;
        begin = end + 1;
    }
    return known->second;
}

void OutermostTimes::merge(const OutermostTimes& other) {
    m_all += other.m_all;
    for (std::size_t group = 0; group < m_apart.size(); ++group)
        m_apart[group] += other.m_apart[group];
    for (const auto& [key, time] : other.m_within)
        m_within[key] += time;
}

std::unordered_map<std::string, Nanoseconds> OutermostTimes::times() const {
    std::unordered_map<std::string, Nanoseconds> times;
    // Every group that holds `group`, but for the outermost `without` levels.
    const auto add = [&](std::uint32_t group, std::uint32_t without, std::uint64_t time) {
        const std::string& path = m_groups->name(group);
        const auto addTo = [&](const std::string& to) {
            Nanoseconds& sum = times[to];
            sum = Nanoseconds(wrappingAdd(sum.value, static_cast<std::int64_t>(time)));
        };
        if (m_grouping != SpanGrouping::kModule || path.empty())
            return addTo(path);
        std::size_t begin = 0;
        for (std::size_t level = 0; begin < path.size(); ++level) {
            const std::size_t end = endOfPathLevel(path, level, begin);
            if (level >= without)
                addTo(path.substr(0, end));
            begin = end + 1;
        }
    };
    for (std::uint32_t group = 0; group < m_apart.size(); ++group) {
        if (m_apart[group] > 0)
            add(group, 0, m_apart[group]);
    }
    for (const auto& [key, time] : m_within)
        add(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), time);
    return times;
}

}  // namespace warpglass
