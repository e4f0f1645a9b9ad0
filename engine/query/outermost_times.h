// How long each group of a tree of ops took, and all of them: an op within another of the group counts in the
// other's time and not once more, on each thread.
//
// Told the spans that count, those of a lane in order of time; whether one is around another is looked up in
// the lanes above, the nearest kMostAbove of them, which costs a step in each. Several may be told parts of
// the spans and then merged. Internal to engine/query. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/query/grouped_statistics.h"
#include "engine/query/place_groups.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class OutermostTimes {
public:
    /// No run nests so deep; a file from outside may say that it does.
    static constexpr std::size_t kMostAbove = 256;

    /// All outlive this. `grouping`: that of the groups; kFlat where all() alone is asked for.
    OutermostTimes(const Snapshot& snapshot, const PlaceGroups& groups, SpanGrouping grouping);

    /// A span that counts. `counts(chunk, row)`: whether another of the track does.
    template <class Counts>
    void add(const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, Counts&& counts) {
        if (m_lane != lane.id())
            beginLane(lane);
        const std::int64_t begin = chunk.start[i], end = chunk.end(i);
        const std::uint32_t group = m_groups->of(chunk.place[i]);
        std::uint32_t shared = 0;
        bool outermost = true;
        for (Cursor& above : m_above) {
            if (!above.findEndingAfter(begin) || above.begin() > begin || above.end() < end ||
                !counts(*above.chunk, above.row()))
                continue;
            const std::uint32_t other = m_groups->of(above.chunk->place[above.row()]);
            if (other == group)
                return;  // all groups that hold the one hold the other
            shared = std::max(shared, sharedLevels(group, other));
            outermost = false;
        }
        const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(chunk.duration[i], 0));
        if (outermost)
            m_all += time;
        if (shared == 0)
            m_apart[group] += time;
        else
            m_within[keyOf(group, shared)] += time;
    }
    void merge(const OutermostTimes& other);

    /// Of every group of the tree, by its path.
    std::unordered_map<std::string, Nanoseconds> times() const;
    /// Of all spans that count, whatever their groups.
    Nanoseconds all() const { return Nanoseconds(static_cast<std::int64_t>(m_all)); }

private:
    /// Goes along a lane, forwards only.
    struct Cursor {
        SpanLane lane;
        std::uint64_t at = 0;
        const SpanChunk* chunk = nullptr;
        std::uint64_t first = 0;  // of the chunk

        std::uint32_t row() const { return static_cast<std::uint32_t>(at - first); }
        std::int64_t begin() const { return chunk->start[row()]; }
        std::int64_t end() const { return chunk->end(row()); }
        /// The first span that ends after a moment; false when there is none.
        bool findEndingAfter(std::int64_t time);
    };
    static std::uint64_t keyOf(std::uint32_t group, std::uint32_t other) {
        return std::uint64_t{group} << 32 | other;
    }
    void beginLane(const SpanLane& lane);
    /// How many levels of the tree hold both groups, from the root.
    std::uint32_t sharedLevels(std::uint32_t a, std::uint32_t b);

    const PlaceGroups* m_groups;
    SpanGrouping m_grouping;
    std::unordered_map<TrackId, std::vector<SpanLane>> m_lanes;  // of each thread, the outermost first
    LaneId m_lane{};
    std::vector<Cursor> m_above;  // the innermost first
    // ns of the spans that are within none that counts; of those of a group: within none that counts of a
    // group beside it in the tree; and within one that shares so many of its levels, by group and number.
    // Sums of a file from outside may wrap.
    std::uint64_t m_all = 0;
    std::vector<std::uint64_t> m_apart;
    std::unordered_map<std::uint64_t, std::uint64_t> m_within;
    std::unordered_map<std::uint64_t, std::uint32_t> m_shared;  // by pair of groups
};

}  // namespace warpglass
