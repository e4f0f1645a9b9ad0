// The spans of a CPU thread that are around one of its spans: those of the lanes above it that begin no later
// and end no earlier.
//
// Asked for the spans of a lane in order of time, a look costs a step in each lane above; the nearest
// kMostAbove of them are looked through. Internal to engine/query. Not thread-safe.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

class SpansAround {
public:
    /// No run nests so deep; a file from outside may say that it does.
    static constexpr std::size_t kMostAbove = 256;

    /// `snapshot` outlives this.
    explicit SpansAround(const Snapshot& snapshot);

    /// Calls fn(chunk, row) for each span around the one, the innermost first, until it returns false.
    template <class Fn>
    void forEach(const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, Fn&& fn) {
        if (m_lane != lane.id())
            beginLane(lane);
        const std::int64_t begin = chunk.start[i], end = chunk.end(i);
        for (Cursor& above : m_above) {
            if (!above.findEndingAfter(begin) || above.begin() > begin || above.end() < end)
                continue;
            if (!fn(*above.chunk, above.row()))
                return;
        }
    }

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
    void beginLane(const SpanLane& lane);

    std::unordered_map<TrackId, std::vector<SpanLane>> m_lanes;  // of each thread, the outermost first
    LaneId m_lane{};
    std::vector<Cursor> m_above;  // the innermost first
};

}  // namespace warpglass
