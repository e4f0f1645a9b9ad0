// Time by color of each 64 spans of a lane: the mip-map that lets a view draw a column of many spans as what
// it is made of. The trace's own mip-map knows the longest span of a block and how much of it is busy, and
// colors are known only here.
//
// Made in one walk over lanes of the given kinds, which reads their chunks, and extended from an earlier one
// as a run grows: only chunks that grew are read again. Kept: 1.9 bytes a kernel, 2.8 an op, whose self time
// is summed up as well. Immutable; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <vector>

#include "engine/trace/snapshot.h"
#include "ui/timeline/geometry_builder.h"

namespace warpglass::ui {

/// Whether spans of such a track's lanes lie within those of the lane above, and take of their self time.
constexpr bool nests(TrackKind kind) {
    return kind == TrackKind::kCpuThread || kind == TrackKind::kApiThread;
}

class ColorTimes {
public:
    enum class Of { kSpans, kSelf };
    /// Times for one chunk of a lane, with the same blocks and super-blocks as its SpanMip.
    class Chunk {
    public:
        Chunk(const Snapshot& snapshot, TrackKind kind, const SpanChunk& spans, std::uint32_t rows,
              OpFamilyCache& families);
        /// Below it rows are in complete blocks that are summed here.
        std::uint32_t rows() const { return static_cast<std::uint32_t>(m_parts.size()); }
        /// A row's, of colorsOf(kind): a look-up where frames read many rows. Precondition: row < rows().
        std::uint8_t part(std::uint32_t row) const { return m_parts[row]; }
        /// ns by part of colorsOf(kind), as many as those. Precondition for self time: the kind nests.
        const std::int64_t* block(std::uint32_t i, Of of) const { return &m_blocks[at(i, of)]; }
        const std::int64_t* superBlock(std::uint32_t i, Of of) const { return &m_superBlocks[at(i, of)]; }
        /// Whether a span below rows() has that part.
        bool has(std::uint8_t part) const;

    private:
        std::size_t at(std::uint32_t i, Of of) const {
            return i * m_stride + (of == Of::kSelf ? m_stride / 2 : 0);
        }

        std::vector<std::uint8_t> m_parts;
        std::size_t m_stride;
        std::vector<std::int64_t> m_blocks, m_superBlocks;
    };

    ColorTimes() = default;
    /// `earlier`: of an earlier snapshot of the same run and these kinds, or null.
    ColorTimes(const Snapshot& snapshot, std::initializer_list<TrackKind> kinds,
               const ColorTimes* earlier = nullptr);

    /// Whether a span in a complete block has that part. Precondition: all kinds have the same colors.
    bool has(std::uint8_t part) const;
    /// Null for other lanes, for chunks that were not there yet and for damaged ones.
    const Chunk* chunk(LaneId lane, std::size_t index) const;

private:
    using Lane = std::vector<std::shared_ptr<const Chunk>>;
    std::map<std::size_t, Lane> m_lanes;  // by LaneId::index()
};

}  // namespace warpglass::ui
