// The spans of one kind of track that pass a SpanFilter, ranges and all: the loop under every table,
// histogram and search over spans.
//
// Internal to engine/query. Damaged chunks are passed over. A range on the CPU's side (SpanFilter::byLaunch)
// costs a table of launches first.
#pragma once

#include <optional>
#include <vector>

#include "engine/query/span_scan.h"
#include "engine/query/statistics.h"

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
        static const std::vector<TimeRange> kEverything;
        const std::vector<TimeRange>& ranges = m_launches ? kEverything : m_filter.ranges;
        for (const SpanLane& lane : m_lanes) {
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
            if (ranges.empty())
                lane.forEachChunk(0, lane.rows(), stretch);
            for (const TimeRange& range : ranges)
                lane.forEachChunk(lane.firstStartingAt(range.begin), lane.firstStartingAt(range.end),
                                  stretch);
        }
    }

private:
    const SpanFilter& m_filter;
    RowFilter m_rows;
    std::vector<SpanLane> m_lanes;
    std::optional<LaunchTimes> m_launches;
};

}  // namespace warpglass
