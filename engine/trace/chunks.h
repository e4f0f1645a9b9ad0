// The columns of a trace, in chunks of 65,536 rows, and the mip-map over a span chunk.
//
// A chunk is written by one writer from row 0 up and read by any thread below the row count that a Snapshot
// states. Its memory is taken whole but touched (and so paid for) only as rows are written.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "engine/base/units.h"
#include "engine/trace/ids.h"

namespace warpglass {

inline constexpr std::uint32_t kChunkRows = 65536;
/// One mip-map block stands for 64 rows: about 0.75 bytes per row, and at most 64 rows are read individually
/// at its edges.
inline constexpr std::uint32_t kBlockRows = 64;
inline constexpr std::uint32_t kBlocksPerChunk = kChunkRows / kBlockRows;
/// The next level: one super-block stands for 64 blocks, 4,096 rows.
inline constexpr std::uint32_t kSuperBlockRows = kBlockRows * 64;
inline constexpr std::uint32_t kSuperBlocksPerChunk = kChunkRows / kSuperBlockRows;

/// One interval of a lane. Times in ns on the run's clock.
struct SpanRow {
    std::int64_t start = 0;
    std::int64_t duration = 0;
    /// Duration less the time of the spans nested directly in it, on the same track.
    std::int64_t self = 0;
    NameId name{};
    PlaceId place{};
    std::int32_t step = kNoStep;
    /// Joins what belongs together: autograd's sequence number + 1 for a forward op and its backward op, the
    /// correlation id for a call into CUDA and what it made run; 0 for none.
    std::uint64_t link = 0;
    /// On GPU tracks, and of ops whose types were recorded; not valid elsewhere.
    DetailId detail{};

    std::int64_t end() const { return start + duration; }
    bool operator==(const SpanRow&) const = default;
};

struct SpanChunk {
    std::int64_t start[kChunkRows];
    std::int64_t duration[kChunkRows];
    std::int64_t self[kChunkRows];
    std::uint32_t name[kChunkRows];
    std::uint32_t place[kChunkRows];
    std::int32_t step[kChunkRows];
    std::uint64_t link[kChunkRows];
    std::uint32_t detail[kChunkRows];

    SpanRow row(std::uint32_t i) const {
        return {start[i],          duration[i], self[i], NameId(name[i]),
                PlaceId(place[i]), step[i],     link[i], DetailId(detail[i])};
    }
    std::int64_t end(std::uint32_t i) const { return start[i] + duration[i]; }
    TimeRange range(std::uint32_t i) const { return {Nanoseconds(start[i]), Nanoseconds(end(i))}; }
};

/// What a run of consecutive spans of one lane looks like from afar. The widest lends it name and color.
struct SpanSummary {
    std::int64_t start = 0;
    std::int64_t end = 0;
    /// Sum of durations: how much of [start, end) is covered.
    std::int64_t busy = 0;
    std::int64_t longestDuration = -1;
    std::uint32_t longestRow = 0;  // within the chunk
    NameId longestName{};
    PlaceId longestPlace{};
    std::uint32_t count = 0;

    void add(const SpanChunk& chunk, std::uint32_t row);
    void add(const SpanSummary& next);
};

/// blocks[i] covers rows [64 i, 64 i + 64), superBlocks[i] rows [4096 i, 4096 i + 4096); an entry is valid
/// once its last row is written.
struct SpanMip {
    SpanSummary blocks[kBlocksPerChunk];
    SpanSummary superBlocks[kSuperBlocksPerChunk];
};

enum class MemoryAction : std::uint8_t { kAllocate, kFree };

/// The order of rows is the order of events; times never decrease.
struct MemoryEventChunk {
    std::int64_t time[kChunkRows];
    std::uint32_t allocation[kChunkRows];
    MemoryAction action[kChunkRows];
};

/// One allocation. Its time and its end are those of its events.
struct AllocationRow {
    std::uint64_t address = 0;
    /// Requested bytes, before rounding up.
    std::int64_t requested = 0;
    /// As given by the allocator, after rounding; what all sums count.
    std::int64_t bytes = 0;
    PlaceId place{};
    std::int32_t step = kNoStep;
    /// The innermost op that was running, invalid outside any.
    NameId op{};
    Category category = Category::kUnknown;
};

struct AllocationChunk {
    std::uint64_t address[kChunkRows];
    std::int64_t requested[kChunkRows];
    std::int64_t bytes[kChunkRows];
    std::uint32_t place[kChunkRows];
    std::int32_t step[kChunkRows];
    std::uint32_t op[kChunkRows];
    /// Final below Snapshot's settled row count, not to be read above it.
    Category category[kChunkRows];
};

/// What a GPU's caching allocator did besides giving and taking blocks, which are memory events.
enum class SegmentAction : std::uint8_t {
    kAllocate,     // memory taken from the driver
    kFree,         // and given back
    kMap,          // memory mapped at an expandable segment's end
    kUnmap,        // and unmapped, anywhere in it
    kOutOfMemory,  // nothing left: address is what the device had free, bytes what was requested
    kHold,    // a block without a live allocation that cannot be given out: freed while another stream used
              // it, or in use since before the recording
    kRelease  // such a block can be given out again
};
inline constexpr std::array<std::string_view, 7> kSegmentActionNames = {
    "alloc", "free", "map", "unmap", "out of memory", "hold", "release"};

struct SegmentEvent {
    std::int64_t time = 0;
    SegmentAction action = SegmentAction::kAllocate;
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    /// The stream whose allocations it serves: 0 for the default one, the others as they were first seen.
    std::uint32_t stream = 0;
    /// 0 for the pool that everything shares; any other number for a private one (a CUDA graph's).
    std::uint32_t pool = 0;
    /// What was running, as of an allocation.
    PlaceId place{};
    std::int32_t step = kNoStep;
    NameId op{};
    /// For kHold and kRelease, the allocation that was freed; invalid for one from before the recording.
    AllocationId allocation{};

    bool operator==(const SegmentEvent&) const = default;
};

/// In the order of events; times never decrease.
struct SegmentEventChunk {
    std::int64_t time[kChunkRows];
    std::uint64_t address[kChunkRows];
    std::int64_t bytes[kChunkRows];
    std::uint32_t stream[kChunkRows];
    std::uint32_t pool[kChunkRows];
    std::uint32_t place[kChunkRows];
    std::int32_t step[kChunkRows];
    std::uint32_t op[kChunkRows];
    std::uint32_t allocation[kChunkRows];
    SegmentAction action[kChunkRows];

    SegmentEvent row(std::uint32_t i) const {
        return {time[i], action[i],         address[i], bytes[i],      stream[i],
                pool[i], PlaceId(place[i]), step[i],    NameId(op[i]), AllocationId(allocation[i])};
    }
};

/// A value that changes over time: the loss, the learning rate.
struct CounterChunk {
    std::int64_t time[kChunkRows];
    std::uint32_t counter[kChunkRows];
    double value[kChunkRows];
};

static_assert(std::is_trivially_default_constructible_v<SpanChunk>,
              "chunks must not touch their memory when made");
static_assert(std::is_trivially_default_constructible_v<MemoryEventChunk>);
static_assert(std::is_trivially_default_constructible_v<AllocationChunk>);
static_assert(std::is_trivially_default_constructible_v<SegmentEventChunk>);
static_assert(std::is_trivially_default_constructible_v<CounterChunk>);

/// Holds one chunk, or knows how to load it when it is first read (a run file's chunks).
template <class Chunk>
class ChunkSlot {
public:
    using Loader = std::function<std::unique_ptr<Chunk>()>;

    /// The writer's: an empty chunk, its memory not yet touched.
    static std::unique_ptr<ChunkSlot> makeEmpty() {
        auto slot = std::make_unique<ChunkSlot>();
        slot->m_chunk.reset(new Chunk);
        return slot;
    }
    /// A reader's: loaded on first use; the loader returns null for a chunk that can't be read.
    static std::unique_ptr<ChunkSlot> makeLazy(Loader loader) {
        auto slot = std::make_unique<ChunkSlot>();
        slot->m_loader = std::move(loader);
        return slot;
    }

    /// Any thread; may block while the chunk is loaded. Null when its rows are lost.
    const Chunk* get() const {
        if (m_loader)
            std::call_once(m_once, [this] {
                m_chunk = m_loader();
                m_loaded.store(m_chunk != nullptr, std::memory_order_release);
            });
        return m_chunk.get();
    }
    /// Whether its rows take memory; any thread, at once.
    bool inMemory() const { return !m_loader || m_loaded.load(std::memory_order_acquire); }
    /// Writer only.
    Chunk* writable() { return m_chunk.get(); }

private:
    mutable std::unique_ptr<Chunk> m_chunk;
    Loader m_loader;
    mutable std::once_flag m_once;
    mutable std::atomic<bool> m_loaded = false;
};

}  // namespace warpglass
