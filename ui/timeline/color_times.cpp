#include "ui/timeline/color_times.h"

#include <algorithm>

namespace warpglass::ui {

ColorTimes::Chunk::Chunk(const Snapshot& snapshot, TrackKind kind, const SpanChunk& spans, std::uint32_t rows,
                         OpFamilyCache& families)
    : m_parts(rows),
      m_stride(colorsOf(kind).count * (nests(kind) ? 2 : 1)),
      m_blocks(m_stride * (rows / kBlockRows)),
      m_superBlocks(m_stride * (rows / kSuperBlockRows + 1)) {
    const ColorRange colors = colorsOf(kind);
    // A damaged file's durations may be anything.
    const auto add = [](std::int64_t& sum, std::int64_t time) { sum = wrappingAdd(sum, time); };
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::size_t part =
            colors.partOf(colorOf(snapshot, kind, NameId(spans.name[i]), PlaceId(spans.place[i]),
                                  DetailId(spans.detail[i]), families));
        m_parts[i] = static_cast<std::uint8_t>(part);
        const std::uint32_t block = i / kBlockRows, super = i / kSuperBlockRows;
        add(m_blocks[at(block, Of::kSpans) + part], spans.duration[i]);
        add(m_superBlocks[at(super, Of::kSpans) + part], spans.duration[i]);
        if (nests(kind)) {
            add(m_blocks[at(block, Of::kSelf) + part], spans.self[i]);
            add(m_superBlocks[at(super, Of::kSelf) + part], spans.self[i]);
        }
    }
}

bool ColorTimes::Chunk::has(std::uint8_t part) const {
    for (std::size_t at = part; at < m_superBlocks.size(); at += m_stride) {
        if (m_superBlocks[at] > 0)
            return true;
    }
    return false;
}

bool ColorTimes::has(std::uint8_t part) const {
    return std::ranges::any_of(m_lanes, [part](const auto& lane) {
        return std::ranges::any_of(lane.second,
                                   [part](const auto& chunk) { return chunk && chunk->has(part); });
    });
}

ColorTimes::ColorTimes(const Snapshot& snapshot, std::initializer_list<TrackKind> kinds,
                       const ColorTimes* earlier) {
    OpFamilyCache families;
    const auto add = [&](const SpanLane& lane, TrackKind kind) {
        Lane& chunks = m_lanes[lane.id().index()];
        chunks.resize(lane.chunkCount());
        const auto known = earlier ? earlier->m_lanes.find(lane.id().index()) : m_lanes.end();
        for (std::size_t c = 0; c < chunks.size(); ++c) {
            const std::uint32_t rows = lane.rowsInChunk(c) / kBlockRows * kBlockRows;
            const bool isKnown = earlier && known != earlier->m_lanes.end() && c < known->second.size() &&
                                 known->second[c] && known->second[c]->rows() == rows;
            if (isKnown)
                chunks[c] = known->second[c];
            else if (const SpanChunk* const spans = lane.chunk(c))
                chunks[c] = std::make_shared<const Chunk>(snapshot, kind, *spans, rows, families);
        }
    };
    for (const TrackKind kind : kinds) {
        for (const TrackId track : snapshot.tracksOfKind(kind)) {
            for (const SpanLane& lane : snapshot.lanesOf(track))
                add(lane, kind);
        }
    }
}

const ColorTimes::Chunk* ColorTimes::chunk(LaneId lane, std::size_t index) const {
    const auto found = m_lanes.find(lane.index());
    return found != m_lanes.end() && index < found->second.size() ? found->second[index].get() : nullptr;
}

}  // namespace warpglass::ui
