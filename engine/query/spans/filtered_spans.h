// The spans of one kind of track that pass a SpanFilter, ranges and all: the loop under every table,
// histogram and search over spans.
//
// Internal to engine/query. Damaged chunks are passed over. A range on the CPU's side (SpanFilter::byLaunch)
// costs a table of launches first.
#pragma once

#include <optional>
#include <vector>

#include "engine/base/collect.h"
#include "engine/query/spans/span_filter.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {

class FilteredSpans {
public:
    /// All outlive this.
    FilteredSpans(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind)
        : m_filter(filter), m_rows(snapshot, filter), m_lanes(lanesOfKind(snapshot, kind)) {
        if (filter.byLaunch && isGpuTrack(kind) && !filter.ranges.empty())
            m_launches.emplace(snapshot);
    }

    /// Calls fn(lane, chunk, row within the chunk, row within the lane), lane by lane in order of time.
    template <class Fn>
    void forEach(Fn&& fn) const {
        forEachOf(stretches(), fn);
    }

    /// Whether it is one of them, of a track of the kind.
    bool takes(const SpanChunk& chunk, std::uint32_t i) const {
        if (!m_rows.passes(chunk, i))
            return false;
        if (m_launches)
            return m_launches->startsIn(chunk.link[i], m_filter.ranges);
        return m_filter.ranges.empty() || startsInside(Nanoseconds(chunk.start[i]), m_filter.ranges);
    }

    /// Rows of a lane, [begin, end), that may pass.
    struct Stretch {
        std::size_t lane = 0;
        std::uint64_t begin = 0, end = 0;
    };
    /// All there are, in order.
    std::vector<Stretch> stretches() const {
        std::vector<Stretch> all;
        const bool everything = m_launches || m_filter.ranges.empty();
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            if (everything)
                all.push_back({i, 0, m_lanes[i].rows()});
            for (std::size_t r = 0; !everything && r < m_filter.ranges.size(); ++r)
                all.push_back({i, m_lanes[i].firstStartingAt(m_filter.ranges[r].begin),
                               m_lanes[i].firstStartingAt(m_filter.ranges[r].end)});
        }
        return all;
    }
    /// One of `parts` about equal parts of them, for a thread each.
    static std::vector<Stretch> part(const std::vector<Stretch>& all, std::size_t part, std::size_t parts) {
        const std::uint64_t rows = rowsOf(all);
        // Rows [from, to) of all stretches after one another.
        const std::uint64_t from = rows * part / parts, to = rows * (part + 1) / parts;
        std::vector<Stretch> some;
        std::uint64_t before = 0;
        for (const Stretch& each : all) {
            if (each.end <= each.begin)
                continue;
            const std::uint64_t length = each.end - each.begin;
            const std::uint64_t first = std::max(from, before), last = std::min(to, before + length);
            if (first < last)
                some.push_back({each.lane, each.begin + (first - before), each.begin + (last - before)});
            before += length;
        }
        return some;
    }
    static std::uint64_t rowsOf(const std::vector<Stretch>& all) {
        return sumOver<std::uint64_t>(
            all, [&](const Stretch& each) { return each.end > each.begin ? each.end - each.begin : 0; });
    }
    /// forEach() of some of the rows. Any thread.
    template <class Fn>
    void forEachOf(const std::vector<Stretch>& some, Fn&& fn) const {
        for (const Stretch& each : some) {
            const SpanLane& lane = m_lanes[each.lane];
            const auto stretch = [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end,
                                     std::uint64_t first) {
                if (m_rows.passesAll() && !m_launches) {
                    for (std::uint32_t i = begin; i < end; ++i)
                        fn(lane, chunk, i, first + i);
                    return;
                }
                for (std::uint32_t i = begin; i < end; ++i) {
                    if (m_rows.passes(chunk, i) &&
                        (!m_launches || m_launches->startsIn(chunk.link[i], m_filter.ranges)))
                        fn(lane, chunk, i, first + i);
                }
            };
            lane.forEachChunk(each.begin, each.end, stretch);
        }
    }

private:
    const SpanFilter& m_filter;
    RowFilter m_rows;
    std::vector<SpanLane> m_lanes;
    std::optional<LaunchTimes> m_launches;
};

}  // namespace warpglass
