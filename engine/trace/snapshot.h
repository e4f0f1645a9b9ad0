// An immutable view of a run up to one moment: what every view, query, file writer and test reads. A run
// being recorded and a reopened file give the same Snapshot; there is no second path.
//
// Thread-safe: any number of threads may read one. Reading a lazily opened chunk may block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/derived_facts.h"
#include "engine/trace/kernel_clocks.h"
#include "engine/trace/run_info.h"
#include "engine/trace/trace_columns.h"

namespace warpglass {

/// A span that has begun and not yet ended at the snapshot's time.
struct OpenSpan {
    LaneId lane{};
    std::int64_t start = 0;
    NameId name{};
    PlaceId place{};
    std::int32_t step = kNoStep;
};

/// The first `rows` rows of one lane. Cheap to copy; valid as long as the Snapshot that it came from.
class SpanLane {
public:
    SpanLane(LaneId id, const LaneStore& store, std::uint64_t rows)
        : m_id(id), m_store(&store), m_rows(rows) {}

    LaneId id() const { return m_id; }
    TrackId track() const { return m_store->track; }
    std::uint32_t depth() const { return m_store->depth; }

    std::uint64_t rows() const { return m_rows; }
    bool empty() const { return m_rows == 0; }
    std::size_t chunkCount() const {
        return static_cast<std::size_t>((m_rows + kChunkRows - 1) / kChunkRows);
    }
    std::uint32_t rowsInChunk(std::size_t chunk) const;
    /// Null when the chunk is damaged: its rows are lost, its neighbors are not.
    const SpanChunk* chunk(std::size_t i) const { return m_store->chunks[i]->get(); }
    /// Only entries whose last row is below rowsInChunk(i) are valid. Never loads the chunk.
    const SpanMip& mip(std::size_t i) const { return *m_store->mips[i]; }
    /// First start and last end of a chunk's rows; does not load it.
    TimeRange chunkRange(std::size_t i) const;

    /// Nothing when the row is in a damaged chunk. Precondition: index < rows().
    std::optional<SpanRow> row(std::uint64_t index) const;
    /// Index of the first row that ends after t, rows() if there is none: O(log n), loads at most one chunk.
    std::uint64_t firstEndingAfter(Nanoseconds t) const;
    /// Index of the first row that starts at or after t, rows() if there is none.
    std::uint64_t firstStartingAt(Nanoseconds t) const;

    /// Calls fn(const SpanChunk&, std::uint32_t beginRow, std::uint32_t endRow, std::uint64_t
    /// chunkFirstIndex) for each readable chunk that holds rows of [from, to).
    template <class Fn>
    void forEachChunk(std::uint64_t from, std::uint64_t to, Fn&& fn) const {
        while (from < to) {
            const std::size_t c = static_cast<std::size_t>(from / kChunkRows);
            const std::uint64_t first = static_cast<std::uint64_t>(c) * kChunkRows;
            const std::uint64_t last = std::min<std::uint64_t>(to, first + kChunkRows);
            if (const SpanChunk* rows = chunk(c))
                fn(*rows, static_cast<std::uint32_t>(from - first), static_cast<std::uint32_t>(last - first),
                   first);
            from = last;
        }
    }

private:
    LaneId m_id;
    const LaneStore* m_store;
    std::uint64_t m_rows;
};

struct MemoryEvent {
    std::int64_t time = 0;
    AllocationId allocation{};
    MemoryAction action = MemoryAction::kAllocate;
};

struct CounterSample {
    std::int64_t time = 0;
    NameId counter{};
    double value = 0;
};

/// The first rows of one chunked table other than a lane.
struct SnapshotSizes {
    std::vector<std::uint64_t> laneRows;  // by LaneId
    std::size_t names = 0;
    std::size_t places = 0;
    std::size_t details = 0;
    std::size_t tracks = 0;
    std::uint64_t memoryEvents = 0;
    std::uint64_t allocations = 0;
    /// Allocations below this have their final category.
    std::uint64_t settledAllocations = 0;
    std::uint64_t segmentEvents = 0;
    std::uint64_t counterSamples = 0;
};

class Snapshot {
public:
    /// tailCategories[i] is the present category of allocation settledAllocations + i.
    Snapshot(std::shared_ptr<const TraceColumns> columns, SnapshotSizes sizes,
             std::vector<Category> tailCategories, std::vector<OpenSpan> openSpans,
             std::shared_ptr<const RunInfo> info, std::vector<LossCount> losses, Nanoseconds end,
             std::uint64_t epoch, std::shared_ptr<const KernelClocksList> clocks = nullptr);

    std::uint64_t epoch() const { return m_epoch; }
    const RunInfo& info() const { return *m_info; }
    std::shared_ptr<const RunInfo> sharedInfo() const { return m_info; }
    const std::vector<LossCount>& losses() const { return m_losses; }
    /// One for each clocked kernel; empty while the run goes on, and where none was recorded.
    const KernelClocksList& kernelClocks() const { return *m_clocks; }
    /// For an opened file: what reading has found damaged so far; grows as chunks are read.
    const DamageLog& damage() const { return *m_columns->damage; }
    /// From 0 to the last thing recorded.
    TimeRange range() const { return {Nanoseconds(0), m_end}; }

    std::size_t nameCount() const { return m_sizes.names; }
    /// "" for an invalid id or one beyond the snapshot (a damaged file).
    std::string_view name(NameId id) const;
    /// Linear in nameCount(); invalid when absent.
    NameId findName(std::string_view text) const;
    std::size_t placeCount() const { return m_sizes.places; }
    /// An empty Place for an invalid id.
    Place place(PlaceId id) const;
    std::size_t detailCount() const { return m_sizes.details; }
    /// Nothing for an invalid id.
    std::optional<SpanDetail> detail(DetailId id) const;

    std::size_t trackCount() const { return m_sizes.tracks; }
    const TrackInfo& track(TrackId id) const { return m_columns->tracks[id.index()]; }
    /// Every track of a kind, in order of creation.
    std::vector<TrackId> tracksOfKind(TrackKind kind) const;
    std::size_t laneCount() const { return m_sizes.laneRows.size(); }
    SpanLane lane(LaneId id) const;
    /// A track's lanes by depth.
    std::vector<SpanLane> lanesOf(TrackId track) const;
    const std::vector<OpenSpan>& openSpans() const { return m_openSpans; }
    /// Rows of all lanes.
    std::uint64_t spanCount() const;

    std::uint64_t memoryEventCount() const { return m_sizes.memoryEvents; }
    std::uint64_t allocationCount() const { return m_sizes.allocations; }
    std::uint64_t settledAllocationCount() const { return m_sizes.settledAllocations; }
    std::uint64_t segmentEventCount() const { return m_sizes.segmentEvents; }
    std::uint64_t counterSampleCount() const { return m_sizes.counterSamples; }
    /// Nothing when the row is in a damaged chunk. Precondition: index < …Count().
    std::optional<MemoryEvent> memoryEvent(std::uint64_t index) const;
    std::optional<AllocationRow> allocation(AllocationId id) const;
    std::optional<SegmentEvent> segmentEvent(std::uint64_t index) const;
    std::optional<CounterSample> counterSample(std::uint64_t index) const;
    /// Raw chunks, for loops over many rows; null when damaged. In AllocationChunk's category column only the
    /// settled rows may be read; categoryOf() knows the rest.
    const MemoryEventChunk* memoryEventChunk(std::size_t i) const {
        return m_columns->memoryEvents[i]->get();
    }
    const AllocationChunk* allocationChunk(std::size_t i) const { return m_columns->allocations[i]->get(); }
    const SegmentEventChunk* segmentEventChunk(std::size_t i) const {
        return m_columns->segmentEvents[i]->get();
    }
    const CounterChunk* counterChunk(std::size_t i) const { return m_columns->counters[i]->get(); }
    /// kUnknown for a damaged row.
    Category categoryOf(AllocationId id) const;
    /// How many bytes of its rows are decoded and in memory now; for a run being recorded, all of them.
    std::uint64_t bytesInMemory() const;
    /// make()'s value, kept for whoever asks next (DerivedFacts).
    template <class T, class Make>
    std::shared_ptr<const T> derived(std::string variant, Make&& make) const {
        return m_derived->get<T>(std::move(variant), damage().count(), std::forward<Make>(make));
    }

private:
    std::shared_ptr<const TraceColumns> m_columns;
    SnapshotSizes m_sizes;
    std::vector<Category> m_tailCategories;
    std::vector<OpenSpan> m_openSpans;
    std::shared_ptr<const RunInfo> m_info;
    std::vector<LossCount> m_losses;
    Nanoseconds m_end;
    std::uint64_t m_epoch = 0;
    std::shared_ptr<const KernelClocksList> m_clocks;
    std::shared_ptr<DerivedFacts> m_derived = std::make_shared<DerivedFacts>();
};

}  // namespace warpglass
