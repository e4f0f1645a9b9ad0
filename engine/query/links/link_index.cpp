#include "engine/query/links/link_index.h"

#include <algorithm>

#include "engine/query/links/graph_captures.h"

namespace warpglass {

namespace {

bool hasCorrelations(TrackKind kind) {
    return kind == TrackKind::kApiThread || kind == TrackKind::kGpuSync || isGpuTrack(kind);
}

}  // namespace

void LinkIndex::update(const Snapshot& snapshot) {
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i) {
        const SpanLane lane = snapshot.lane(LaneId(i));
        if (lane.track().index() >= snapshot.trackCount())
            continue;
        const TrackKind kind = snapshot.track(lane.track()).kind;
        if (!hasCorrelations(kind))
            continue;
        auto known = std::ranges::find(m_lanes, lane.id(), &Lane::id);
        if (known == m_lanes.end())
            known = m_lanes.insert(m_lanes.end(), Lane{lane.id(), kind, {}, 0});
        known->chunks.resize(lane.chunkCount());
        for (std::size_t c = static_cast<std::size_t>(known->rows / kChunkRows); c < lane.chunkCount(); ++c) {
            Chunk& chunk = known->chunks[c];
            const std::uint32_t rows = lane.rowsInChunk(c);
            if (const SpanChunk* columns = chunk.rows < rows ? lane.chunk(c) : nullptr) {
                for (std::uint32_t r = chunk.rows; r < rows; ++r) {
                    const std::uint64_t id = columns->link[r];
                    chunk.ascending = chunk.ascending && (r == 0 || columns->link[r - 1] <= id);
                    chunk.least = std::min(chunk.least, id);
                    chunk.greatest = std::max(chunk.greatest, id);
                }
            }
            chunk.rows = rows;  // a damaged chunk's rows are in no one's reach
        }
        known->rows = lane.rows();
    }
    // A graph's nodes come with its first replay, when the capture is all there; that some of it is lost may
    // only be seen later.
    const std::size_t damage = snapshot.damage().count();
    if (m_details != snapshot.detailCount() || m_losses != snapshot.losses().size() || m_damage != damage) {
        m_details = snapshot.detailCount();
        m_losses = snapshot.losses().size();
        m_damage = damage;
        auto calls = callsOfGraphNodes(snapshot, *this);
        m_captured =
            calls.empty()
                ? nullptr
                : std::make_shared<const std::unordered_map<std::uint64_t, SpanRef>>(std::move(calls));
    }
}

bool LinkIndex::covers(const Snapshot& snapshot) const {
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i) {
        const SpanLane lane = snapshot.lane(LaneId(i));
        if (lane.track().index() >= snapshot.trackCount() ||
            !hasCorrelations(snapshot.track(lane.track()).kind))
            continue;
        const auto known = std::ranges::find(m_lanes, lane.id(), &Lane::id);
        if (known == m_lanes.end() || known->rows < lane.rows())
            return false;
    }
    return true;
}

template <class Passes, class Fn>
void LinkIndex::find(const Snapshot& snapshot, std::uint64_t id, Passes&& passes, Fn&& fn) const {
    if (id == 0)
        return;
    for (const Lane& lane : m_lanes) {
        if (!passes(lane.kind) || lane.id.index() >= snapshot.laneCount())
            continue;
        const SpanLane rows = snapshot.lane(lane.id);
        for (std::size_t c = 0; c < std::min(lane.chunks.size(), rows.chunkCount()); ++c) {
            const Chunk& chunk = lane.chunks[c];
            if (id < chunk.least || id > chunk.greatest)
                continue;
            const SpanChunk* columns = rows.chunk(c);
            if (!columns)
                continue;
            const std::uint64_t* const begin = columns->link;
            const std::uint64_t* const end = begin + std::min(chunk.rows, rows.rowsInChunk(c));
            const std::uint64_t* at =
                chunk.ascending ? std::lower_bound(begin, end, id) : std::find(begin, end, id);
            while (at != end && *at == id) {
                const auto row = static_cast<std::uint64_t>(at - begin);
                if (!fn(SpanRef{lane.id, static_cast<std::uint64_t>(c) * kChunkRows + row}))
                    return;
                at = chunk.ascending ? at + 1 : std::find(at + 1, end, id);
            }
        }
    }
}

std::optional<SpanRef> LinkIndex::call(const Snapshot& snapshot, std::uint64_t id) const {
    std::optional<SpanRef> found;
    find(
        snapshot, id, [](TrackKind kind) { return kind == TrackKind::kApiThread; },
        [&](SpanRef ref) {
            found = ref;
            return false;
        });
    return found;
}

std::vector<SpanRef> LinkIndex::work(const Snapshot& snapshot, std::uint64_t id, std::size_t most) const {
    std::vector<SpanRef> found;
    if (most == 0)
        return found;
    find(snapshot, id, isGpuTrack, [&](SpanRef ref) {
        found.push_back(ref);
        return found.size() < most;
    });
    return found;
}

std::optional<SpanRef> LinkIndex::wait(const Snapshot& snapshot, std::uint64_t id) const {
    std::optional<SpanRef> found;
    find(
        snapshot, id, [](TrackKind kind) { return kind == TrackKind::kGpuSync; },
        [&](SpanRef ref) {
            found = ref;
            return false;
        });
    return found;
}

std::optional<SpanRef> LinkIndex::captured(std::uint64_t node) const {
    if (!m_captured)
        return std::nullopt;
    const auto found = m_captured->find(node);
    return found == m_captured->end() ? std::nullopt : std::optional(found->second);
}

}  // namespace warpglass
