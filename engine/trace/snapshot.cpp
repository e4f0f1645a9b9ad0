#include "engine/trace/snapshot.h"

#include "engine/base/check.h"

namespace warpglass {

std::uint32_t SpanLane::rowsInChunk(std::size_t chunk) const {
    const std::uint64_t first = static_cast<std::uint64_t>(chunk) * kChunkRows;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(m_rows - first, kChunkRows));
}

TimeRange SpanLane::chunkRange(std::size_t i) const {
    if (i < m_store->mounted.size())
        return {Nanoseconds(m_store->mounted[i].begin), Nanoseconds(m_store->mounted[i].end)};
    const SpanChunk* rows = chunk(i);
    return {Nanoseconds(rows->start[0]), Nanoseconds(rows->end(rowsInChunk(i) - 1))};
}

std::optional<SpanRow> SpanLane::row(std::uint64_t index) const {
    WG_DCHECK(index < m_rows);
    const SpanChunk* rows = chunk(static_cast<std::size_t>(index / kChunkRows));
    if (!rows)
        return std::nullopt;
    return rows->row(static_cast<std::uint32_t>(index % kChunkRows));
}

namespace {

/// The first index in [0, size) for which `holds` (false … false true … true), size if none.
template <class Predicate>
std::size_t firstWhere(std::size_t size, Predicate&& holds) {
    std::size_t low = 0, high = size;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (holds(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace

std::uint64_t SpanLane::firstEndingAfter(Nanoseconds t) const {
    const std::size_t c = firstWhere(chunkCount(), [&](std::size_t i) { return chunkRange(i).end > t; });
    if (c == chunkCount())
        return m_rows;
    const std::uint64_t first = static_cast<std::uint64_t>(c) * kChunkRows;
    const SpanChunk* rows = chunk(c);
    if (!rows)
        return first;
    return first + firstWhere(rowsInChunk(c), [&](std::size_t i) {
               return rows->end(static_cast<std::uint32_t>(i)) > t.value;
           });
}

std::uint64_t SpanLane::firstStartingAt(Nanoseconds t) const {
    // The chunk that holds the boundary is the last one that begins before t.
    const std::size_t after =
        firstWhere(chunkCount(), [&](std::size_t i) { return chunkRange(i).begin >= t; });
    if (after == 0)
        return 0;
    const std::size_t c = after - 1;
    const std::uint64_t first = static_cast<std::uint64_t>(c) * kChunkRows;
    const SpanChunk* rows = chunk(c);
    if (!rows)
        return first + rowsInChunk(c);
    return first + firstWhere(rowsInChunk(c), [&](std::size_t i) { return rows->start[i] >= t.value; });
}

Snapshot::Snapshot(std::shared_ptr<const TraceColumns> columns, SnapshotSizes sizes,
                   std::vector<Category> tailCategories, std::vector<OpenSpan> openSpans,
                   std::shared_ptr<const RunInfo> info, std::vector<LossCount> losses, Nanoseconds end,
                   std::uint64_t epoch, std::shared_ptr<const KernelClocksList> clocks)
    : m_columns(std::move(columns)),
      m_sizes(std::move(sizes)),
      m_tailCategories(std::move(tailCategories)),
      m_openSpans(std::move(openSpans)),
      m_info(std::move(info)),
      m_losses(std::move(losses)),
      m_end(end),
      m_epoch(epoch),
      m_clocks(clocks ? std::move(clocks) : std::make_shared<const KernelClocksList>()) {
    WG_CHECK(m_sizes.settledAllocations + m_tailCategories.size() == m_sizes.allocations);
}

std::string_view Snapshot::name(NameId id) const {
    return id.index() < m_sizes.names ? std::string_view(m_columns->names[id.index()]) : std::string_view();
}

NameId Snapshot::findName(std::string_view text) const {
    for (std::size_t i = 0; i < m_sizes.names; ++i) {
        if (m_columns->names[i] == text)
            return NameId(i);
    }
    return {};
}

Place Snapshot::place(PlaceId id) const {
    return id.index() < m_sizes.places ? m_columns->places[id.index()] : Place();
}

std::optional<SpanDetail> Snapshot::detail(DetailId id) const {
    return id.index() < m_sizes.details ? std::optional(m_columns->details[id.index()]) : std::nullopt;
}

std::vector<TrackId> Snapshot::tracksOfKind(TrackKind kind) const {
    std::vector<TrackId> tracks;
    for (std::size_t i = 0; i < m_sizes.tracks; ++i) {
        if (m_columns->tracks[i].kind == kind)
            tracks.emplace_back(i);
    }
    return tracks;
}

SpanLane Snapshot::lane(LaneId id) const {
    return SpanLane(id, *m_columns->lanes[id.index()], m_sizes.laneRows[id.index()]);
}

std::vector<SpanLane> Snapshot::lanesOf(TrackId track) const {
    std::vector<SpanLane> lanes;
    for (std::size_t i = 0; i < laneCount(); ++i) {
        if (m_columns->lanes[i]->track == track)
            lanes.push_back(lane(LaneId(i)));
    }
    std::sort(lanes.begin(), lanes.end(), [](const auto& a, const auto& b) { return a.depth() < b.depth(); });
    return lanes;
}

std::uint64_t Snapshot::spanCount() const {
    std::uint64_t count = 0;
    for (std::uint64_t rows : m_sizes.laneRows)
        count += rows;
    return count;
}

std::optional<MemoryEvent> Snapshot::memoryEvent(std::uint64_t index) const {
    WG_DCHECK(index < m_sizes.memoryEvents);
    const MemoryEventChunk* chunk = memoryEventChunk(static_cast<std::size_t>(index / kChunkRows));
    if (!chunk)
        return std::nullopt;
    const auto i = index % kChunkRows;
    return MemoryEvent{chunk->time[i], AllocationId(chunk->allocation[i]), chunk->action[i]};
}

std::optional<AllocationRow> Snapshot::allocation(AllocationId id) const {
    if (id.index() >= m_sizes.allocations)
        return std::nullopt;
    const AllocationChunk* chunk = allocationChunk(id.index() / kChunkRows);
    if (!chunk)
        return std::nullopt;
    const auto i = id.index() % kChunkRows;
    return AllocationRow{chunk->address[i], chunk->requested[i],  chunk->bytes[i], PlaceId(chunk->place[i]),
                         chunk->step[i],    NameId(chunk->op[i]), categoryOf(id)};
}

std::optional<SegmentEvent> Snapshot::segmentEvent(std::uint64_t index) const {
    WG_DCHECK(index < m_sizes.segmentEvents);
    const SegmentEventChunk* chunk = segmentEventChunk(static_cast<std::size_t>(index / kChunkRows));
    if (!chunk)
        return std::nullopt;
    return chunk->row(static_cast<std::uint32_t>(index % kChunkRows));
}

std::optional<CounterSample> Snapshot::counterSample(std::uint64_t index) const {
    WG_DCHECK(index < m_sizes.counterSamples);
    const CounterChunk* chunk = counterChunk(static_cast<std::size_t>(index / kChunkRows));
    if (!chunk)
        return std::nullopt;
    const auto i = index % kChunkRows;
    return CounterSample{chunk->time[i], NameId(chunk->counter[i]), chunk->value[i]};
}

Category Snapshot::categoryOf(AllocationId id) const {
    if (id.index() >= m_sizes.allocations)
        return Category::kUnknown;
    if (id.index() >= m_sizes.settledAllocations)
        return m_tailCategories[id.index() - static_cast<std::size_t>(m_sizes.settledAllocations)];
    const AllocationChunk* chunk = allocationChunk(id.index() / kChunkRows);
    return chunk ? chunk->category[id.index() % kChunkRows] : Category::kUnknown;
}

namespace {

template <class Chunk>
std::uint64_t bytesOf(const ChunkDirectory<Chunk>& chunks, std::uint64_t rows) {
    std::uint64_t bytes = 0;
    for (std::uint64_t first = 0; first < rows; first += kChunkRows) {
        if (chunks[static_cast<std::size_t>(first / kChunkRows)]->inMemory())
            bytes += sizeof(Chunk) / kChunkRows * std::min<std::uint64_t>(kChunkRows, rows - first);
    }
    return bytes;
}

}  // namespace

std::uint64_t Snapshot::bytesInMemory() const {
    std::uint64_t bytes = bytesOf(m_columns->memoryEvents, m_sizes.memoryEvents) +
                          bytesOf(m_columns->allocations, m_sizes.allocations) +
                          bytesOf(m_columns->segmentEvents, m_sizes.segmentEvents) +
                          bytesOf(m_columns->counters, m_sizes.counterSamples);
    for (std::size_t lane = 0; lane < m_sizes.laneRows.size(); ++lane)
        bytes += bytesOf(m_columns->lanes[lane]->chunks, m_sizes.laneRows[lane]);
    return bytes;
}

}  // namespace warpglass
