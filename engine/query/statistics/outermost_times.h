// How long each group of a tree of ops took, and all of them: an op within another of the group counts in the
// other's time and not once more, on each thread.
//
// Is given the spans that count, those of a lane in order of time; enclosing spans are looked up
// (spans_around.h). Several objects may each be given a part of the spans and then be merged. Internal to
// engine/query. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/query/spans/spans_around.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/statistics/place_groups.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class OutermostTimes {
public:
    /// All arguments outlive this. `grouping`: that of the groups; kFlat if only all() is needed.
    OutermostTimes(const Snapshot& snapshot, const PlaceGroups& groups, SpanGrouping grouping);

    /// A span that counts. `counts(chunk, row)`: whether another of the track does. Returns whether it is
    /// within another one of its name and group that counts, which then has its time: an op that calls itself
    /// (autocast's linear does) is one call.
    template <class Counts>
    bool add(const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, Counts&& counts) {
        const std::uint32_t group = m_groups->of(chunk.place[i]);
        std::uint32_t shared = 0;
        bool outermost = true, withinItsGroup = false, calledByItself = false;
        m_around.forEach(lane, chunk, i, [&](const SpanChunk& around, std::uint32_t row) {
            const bool sameName = around.name[row] == chunk.name[i];
            if ((withinItsGroup && !sameName) || !counts(around, row))
                return true;
            const std::uint32_t other = m_groups->of(around.place[row]);
            if (other == group) {
                withinItsGroup = true;  // all groups that hold the one hold the other
                calledByItself = sameName;
                return !calledByItself;
            }
            if (!withinItsGroup) {
                shared = std::max(shared, sharedLevels(group, other));
                outermost = false;
            }
            return true;
        });
        if (withinItsGroup)
            return calledByItself;
        const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(chunk.duration[i], 0));
        if (outermost)
            m_all += time;
        if (shared == 0)
            m_apart[group] += time;
        else
            m_within[keyOf(group, shared)] += time;
        return false;
    }
    void merge(const OutermostTimes& other);

    /// The times of every group of the tree, by its path.
    std::unordered_map<std::string, Nanoseconds> times() const;
    /// The time of all spans that count, in any group.
    Nanoseconds all() const { return Nanoseconds(static_cast<std::int64_t>(m_all)); }

private:
    static std::uint64_t keyOf(std::uint32_t group, std::uint32_t other) {
        return std::uint64_t{group} << 32 | other;
    }
    /// How many levels of the tree hold both groups, from the root.
    std::uint32_t sharedLevels(std::uint32_t a, std::uint32_t b);

    const PlaceGroups* m_groups;
    SpanGrouping m_grouping;
    SpansAround m_around;
    // ns of the spans that are within none that counts; of those of a group: within none that counts of a
    // group beside it in the tree; and within one that shares so many of its levels, by group and number.
    // Sums of a file from outside may wrap.
    std::uint64_t m_all = 0;
    std::vector<std::uint64_t> m_apart;
    std::unordered_map<std::uint64_t, std::uint64_t> m_within;
    std::unordered_map<std::uint64_t, std::uint32_t> m_shared;  // by pair of groups
};

}  // namespace warpglass
