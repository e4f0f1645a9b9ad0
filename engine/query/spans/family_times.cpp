#include "engine/query/spans/family_times.h"

#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

std::shared_ptr<const FamilyTimes::Chunk> sum(const Snapshot& snapshot, const SpanLane& lane,
                                              std::size_t index, std::uint32_t rows,
                                              OpFamilyCache& families) {
    const SpanChunk* const spans = lane.chunk(index);
    if (!spans)
        return nullptr;
    auto chunk = std::make_shared<FamilyTimes::Chunk>();
    chunk->rows = rows;
    for (std::uint32_t i = 0; i < rows; ++i) {
        const auto family = static_cast<std::size_t>(families.familyOf(
            snapshot, NameId(spans->name[i]), PlaceId(spans->place[i]), DetailId(spans->detail[i])));
        // A damaged file's durations may be anything.
        std::int64_t& block = chunk->blocks[i / kBlockRows][family];
        block = wrappingAdd(block, spans->duration[i]);
        std::int64_t& super = chunk->superBlocks[i / kSuperBlockRows][family];
        super = wrappingAdd(super, spans->duration[i]);
    }
    return chunk;
}

}  // namespace

FamilyTimes::FamilyTimes(const Snapshot& snapshot, const FamilyTimes* earlier) {
    OpFamilyCache families;
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kGpuStream)) {
        Lane& chunks = m_lanes[lane.id().index()];
        chunks.resize(lane.chunkCount());
        const auto known = earlier ? earlier->m_lanes.find(lane.id().index()) : m_lanes.end();
        for (std::size_t c = 0; c < chunks.size(); ++c) {
            const std::uint32_t rows = lane.rowsInChunk(c) / kBlockRows * kBlockRows;
            const bool isKnown = earlier && known != earlier->m_lanes.end() && c < known->second.size() &&
                                 known->second[c] && known->second[c]->rows == rows;
            chunks[c] = isKnown ? known->second[c] : sum(snapshot, lane, c, rows, families);
        }
    }
}

const FamilyTimes::Chunk* FamilyTimes::chunk(LaneId lane, std::size_t index) const {
    const auto found = m_lanes.find(lane.index());
    return found != m_lanes.end() && index < found->second.size() ? found->second[index].get() : nullptr;
}

}  // namespace warpglass
