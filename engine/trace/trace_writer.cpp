#include "engine/trace/trace_writer.h"

#include <algorithm>
#include <initializer_list>

namespace warpglass {

namespace {

/// The chunk that holds the next row, made when the last one is full. A row that was given up for want of
/// memory may have left its chunk behind.
template <class Chunk>
Chunk& chunkForRow(ChunkDirectory<Chunk>& directory, std::uint64_t row) {
    if (directory.size() <= row / kChunkRows)
        directory.pushBack(ChunkSlot<Chunk>::makeEmpty());
    return *directory.mutableAt(static_cast<std::size_t>(row / kChunkRows))->writable();
}

/// Extends the mip-map with the block (and super-block) that the row completes, if it does.
void extendMip(const SpanChunk& chunk, SpanMip& mip, std::uint32_t row) {
    if ((row + 1) % kBlockRows != 0)
        return;
    SpanSummary block;
    for (std::uint32_t i = row + 1 - kBlockRows; i <= row; ++i)
        block.add(chunk, i);
    mip.blocks[row / kBlockRows] = block;

    if ((row + 1) % kSuperBlockRows != 0)
        return;
    SpanSummary super;
    for (std::uint32_t b = (row + 1 - kSuperBlockRows) / kBlockRows; b <= row / kBlockRows; ++b)
        super.add(mip.blocks[b]);
    mip.superBlocks[row / kSuperBlockRows] = super;
}

}  // namespace

TraceWriter::TraceWriter()
    : m_columns(std::make_shared<TraceColumns>()), m_feed(std::make_shared<TraceFeed>()) {}

TraceWriter::~TraceWriter() = default;

namespace {

/// 64-bit mixing by a large odd constant keeps small integers apart.
std::uint64_t mix(std::initializer_list<std::uint64_t> values) {
    std::uint64_t h = 0;
    for (const std::uint64_t value : values) {
        h = (h ^ value) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 32;
    }
    return h;
}

}  // namespace

std::size_t TraceWriter::PlaceHash::operator()(const Place& p) const noexcept {
    return static_cast<std::size_t>(mix({p.module.value, p.part.value, static_cast<std::uint64_t>(p.phase)}));
}

std::size_t TraceWriter::DetailHash::operator()(const SpanDetail& d) const noexcept {
    return static_cast<std::size_t>(
        mix({d.fullName.value, d.op.value, d.grid[0], d.grid[1], d.grid[2], d.block[0], d.block[1],
             d.graphNode, static_cast<std::uint64_t>(d.bytes), static_cast<std::uint64_t>(d.dynamicShared)}));
}

NameId TraceWriter::internName(std::string_view text) {
    WG_DCHECK(m_thread.isCurrent());
    if (const auto found = m_nameIds.find(text); found != m_nameIds.end())
        return found->second;
    if (m_columns->names.full()) {
        countLoss("name beyond the string pool");
        return {};
    }
    const NameId id(m_columns->names.size());
    const std::string& stored = m_columns->names.pushBack(std::string(text));
    m_nameIds.emplace(stored, id);
    return id;
}

PlaceId TraceWriter::internPlace(const Place& place) {
    WG_DCHECK(m_thread.isCurrent());
    if (const auto found = m_placeIds.find(place); found != m_placeIds.end())
        return found->second;
    if (m_columns->places.full()) {
        countLoss("place beyond the table");
        return {};
    }
    const PlaceId id(m_columns->places.size());
    m_columns->places.pushBack(place);
    m_placeIds.emplace(place, id);
    return id;
}

DetailId TraceWriter::internDetail(const SpanDetail& detail) {
    WG_DCHECK(m_thread.isCurrent());
    if (const auto found = m_detailIds.find(detail); found != m_detailIds.end())
        return found->second;
    if (m_columns->details.full()) {
        countLoss("detail of a kernel beyond the table");
        return {};
    }
    const DetailId id(m_columns->details.size());
    m_columns->details.pushBack(detail);
    m_detailIds.emplace(detail, id);
    return id;
}

TrackId TraceWriter::addTrack(TrackKind kind, std::string_view name) {
    const TrackId id(m_tracks.size());
    m_columns->tracks.pushBack({kind, internName(name)});
    m_tracks.emplace_back();
    return id;
}

LaneId TraceWriter::laneAt(TrackId track, std::uint32_t depth) {
    auto& lanes = m_tracks[track.index()].lanes;
    while (lanes.size() <= depth) {
        auto store = std::make_unique<LaneStore>();
        store->track = track;
        store->depth = static_cast<std::uint32_t>(lanes.size());
        lanes.emplace_back(m_lanes.size());
        m_columns->lanes.pushBack(std::move(store));
        m_lanes.emplace_back();
    }
    return lanes[depth];
}

bool TraceWriter::appendRow(LaneId lane, const SpanRow& row) {
    LaneState& state = m_lanes[lane.index()];
    if (row.duration < 0 || (state.rows > 0 && row.start < state.lastEnd)) {
        countLoss("overlapping span");
        return false;
    }
    LaneStore& store = *m_columns->lanes.mutableAt(lane.index());
    if (store.mips.size() <= state.rows / kChunkRows)
        store.mips.pushBack(std::make_unique<SpanMip>());
    SpanChunk& chunk = chunkForRow(store.chunks, state.rows);
    const auto i = static_cast<std::uint32_t>(state.rows % kChunkRows);
    chunk.start[i] = row.start;
    chunk.duration[i] = row.duration;
    chunk.self[i] = row.self;
    chunk.name[i] = row.name.value;
    chunk.place[i] = row.place.value;
    chunk.step[i] = row.step;
    chunk.link[i] = row.link;
    chunk.detail[i] = row.detail.value;
    extendMip(chunk, *store.mips.mutableAt(static_cast<std::size_t>(state.rows / kChunkRows)), i);
    ++state.rows;
    state.lastEnd = row.end();
    m_end = std::max(m_end, state.lastEnd);
    return true;
}

bool TraceWriter::appendSpan(TrackId track, std::uint32_t depth, const SpanRow& row) {
    WG_DCHECK(m_thread.isCurrent());
    return appendRow(laneAt(track, depth), row);
}

std::optional<std::int64_t> TraceWriter::lastEnd(TrackId track, std::uint32_t depth) const {
    const auto& lanes = m_tracks[track.index()].lanes;
    if (depth >= lanes.size() || m_lanes[lanes[depth].index()].rows == 0)
        return std::nullopt;
    return m_lanes[lanes[depth].index()].lastEnd;
}

void TraceWriter::beginSpan(TrackId track, Nanoseconds time, NameId name, PlaceId place, std::int32_t step,
                            std::uint64_t link) {
    WG_DCHECK(m_thread.isCurrent());
    auto& open = m_tracks[track.index()].open;
    laneAt(track, static_cast<std::uint32_t>(open.size()));
    open.push_back({{time.value, 0, 0, name, place, step, link, DetailId()}, 0});
}

void TraceWriter::endSpan(TrackId track, Nanoseconds time, DetailId detail) {
    WG_DCHECK(m_thread.isCurrent());
    auto& state = m_tracks[track.index()];
    if (state.open.empty()) {
        countLoss("end of a span that never began");
        return;
    }
    OpenRow ended = state.open.back();
    state.open.pop_back();
    ended.row.duration = std::max<std::int64_t>(0, time.value - ended.row.start);
    ended.row.self = std::max<std::int64_t>(0, ended.row.duration - ended.childTime);
    ended.row.detail = detail;
    if (!state.open.empty())
        state.open.back().childTime += ended.row.duration;
    appendRow(state.lanes[state.open.size()], ended.row);
}

std::size_t TraceWriter::openDepth(TrackId track) const {
    return m_tracks[track.index()].open.size();
}

void TraceWriter::endAllSpans(Nanoseconds time) {
    for (std::size_t t = 0; t < m_tracks.size(); ++t) {
        while (!m_tracks[t].open.empty())
            endSpan(TrackId(t), time);
    }
}

AllocationId TraceWriter::appendAllocation(Nanoseconds time, const AllocationRow& row) {
    WG_DCHECK(m_thread.isCurrent());
    const AllocationId id(m_allocations);
    // All memory first: an allocation is recorded whole or, when there is none, not at all.
    AllocationChunk& chunk = chunkForRow(m_columns->allocations, m_allocations);
    MemoryEventChunk& events = chunkForRow(m_columns->memoryEvents, m_memoryEvents);
    m_tailCategories.push_back(row.category);
    const auto i = m_allocations % kChunkRows;
    chunk.address[i] = row.address;
    chunk.requested[i] = row.requested;
    chunk.bytes[i] = row.bytes;
    chunk.place[i] = row.place.value;
    chunk.step[i] = row.step;
    chunk.op[i] = row.op.value;
    ++m_allocations;

    m_lastMemoryTime = std::max(m_lastMemoryTime, time.value);
    const auto e = m_memoryEvents % kChunkRows;
    events.time[e] = m_lastMemoryTime;
    events.allocation[e] = id.value;
    events.action[e] = MemoryAction::kAllocate;
    ++m_memoryEvents;
    m_end = std::max(m_end, m_lastMemoryTime);
    return id;
}

void TraceWriter::appendFree(Nanoseconds time, AllocationId allocation) {
    WG_DCHECK(m_thread.isCurrent());
    WG_DCHECK(allocation.value < m_allocations);
    m_lastMemoryTime = std::max(m_lastMemoryTime, time.value);
    MemoryEventChunk& events = chunkForRow(m_columns->memoryEvents, m_memoryEvents);
    const auto e = m_memoryEvents % kChunkRows;
    events.time[e] = m_lastMemoryTime;
    events.allocation[e] = allocation.value;
    events.action[e] = MemoryAction::kFree;
    ++m_memoryEvents;
    m_end = std::max(m_end, m_lastMemoryTime);
}

void TraceWriter::setCategory(AllocationId allocation, Category category) {
    WG_CHECK(!isSettled(allocation) && allocation.value < m_allocations);
    m_tailCategories[static_cast<std::size_t>(allocation.value - m_settledAllocations)] = category;
}

Category TraceWriter::category(AllocationId allocation) const {
    if (!isSettled(allocation))
        return m_tailCategories[static_cast<std::size_t>(allocation.value - m_settledAllocations)];
    return m_columns->allocations[allocation.index() / kChunkRows]
        ->get()
        ->category[allocation.index() % kChunkRows];
}

void TraceWriter::settle() {
    // Snapshots published so far read these rows' categories from their own copy, so this races with none.
    for (const Category category : m_tailCategories) {
        auto& slot =
            m_columns->allocations.mutableAt(static_cast<std::size_t>(m_settledAllocations / kChunkRows));
        slot->writable()->category[m_settledAllocations % kChunkRows] = category;
        ++m_settledAllocations;
    }
    m_tailCategories.clear();
}

void TraceWriter::appendSegmentEvent(const SegmentEvent& event) {
    WG_DCHECK(m_thread.isCurrent());
    SegmentEventChunk& chunk = chunkForRow(m_columns->segmentEvents, m_segmentEvents);
    const auto i = m_segmentEvents % kChunkRows;
    m_lastSegmentTime = std::max(m_lastSegmentTime, event.time);
    chunk.time[i] = m_lastSegmentTime;
    chunk.address[i] = event.address;
    chunk.bytes[i] = event.bytes;
    chunk.stream[i] = event.stream;
    chunk.pool[i] = event.pool;
    chunk.place[i] = event.place.value;
    chunk.step[i] = event.step;
    chunk.op[i] = event.op.value;
    chunk.allocation[i] = event.allocation.value;
    chunk.action[i] = event.action;
    ++m_segmentEvents;
    m_end = std::max(m_end, m_lastSegmentTime);
}

void TraceWriter::appendCounter(Nanoseconds time, NameId counter, double value) {
    WG_DCHECK(m_thread.isCurrent());
    CounterChunk& chunk = chunkForRow(m_columns->counters, m_counterSamples);
    const auto i = m_counterSamples % kChunkRows;
    chunk.time[i] = time.value;
    chunk.counter[i] = counter.value;
    chunk.value[i] = value;
    ++m_counterSamples;
    m_end = std::max(m_end, time.value);
}

void TraceWriter::setInfo(std::string_view key, std::string_view value) {
    m_info.set(key, value);
    m_publishedInfo.reset();
}

void TraceWriter::countLoss(std::string_view name, std::uint64_t count) {
    const auto found = std::find_if(m_losses.begin(), m_losses.end(),
                                    [&](const LossCount& loss) { return loss.name == name; });
    if (found != m_losses.end())
        found->count += count;
    else
        m_losses.push_back({std::string(name), count});
}

void TraceWriter::setKernelClocks(KernelClocksList clocks) {
    WG_DCHECK(m_thread.isCurrent());
    m_clocks = std::make_shared<const KernelClocksList>(std::move(clocks));
}

void TraceWriter::commit(Nanoseconds now) {
    WG_DCHECK(m_thread.isCurrent());
    m_end = std::max(m_end, now.value);

    SnapshotSizes sizes;
    sizes.laneRows.reserve(m_lanes.size());
    for (const LaneState& lane : m_lanes)
        sizes.laneRows.push_back(lane.rows);
    sizes.names = m_columns->names.size();
    sizes.places = m_columns->places.size();
    sizes.details = m_columns->details.size();
    sizes.tracks = m_tracks.size();
    sizes.memoryEvents = m_memoryEvents;
    sizes.allocations = m_allocations;
    sizes.settledAllocations = m_settledAllocations;
    sizes.segmentEvents = m_segmentEvents;
    sizes.counterSamples = m_counterSamples;

    std::vector<OpenSpan> openSpans;
    for (const TrackState& track : m_tracks) {
        for (std::size_t depth = 0; depth < track.open.size(); ++depth) {
            const SpanRow& row = track.open[depth].row;
            openSpans.push_back({track.lanes[depth], row.start, row.name, row.place, row.step});
        }
    }
    if (!m_publishedInfo)
        m_publishedInfo = std::make_shared<const RunInfo>(m_info);
    m_feed->publish(std::make_shared<const Snapshot>(m_columns, std::move(sizes), m_tailCategories,
                                                     std::move(openSpans), m_publishedInfo, m_losses,
                                                     Nanoseconds(m_end), ++m_epoch, m_clocks));
}

}  // namespace warpglass
