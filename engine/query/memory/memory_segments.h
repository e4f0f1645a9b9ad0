// What a GPU's caching allocator holds at any moment: its segments, the blocks in them, and how far what is
// free is in pieces.
//
// LibTorch's allocator takes segments from the driver and cuts them into blocks. A free block is joined with
// its free neighbors at once, so the gaps between the blocks in use are its free blocks. A segment of 2 MiB
// serves allocations of up to 1 MiB ("small"); larger allocations are served from segments of 20 MiB, or,
// from 10 MiB on, from one of their own size rounded up to 2 MiB ("large": c10/core/AllocatorConfig.h of
// LibTorch 2.11, kSmallSize, kSmallBuffer, kMinLargeAlloc, kRoundLarge). An expandable segment is mapped
// piece by piece; contiguous pieces count as one segment here, as in LibTorch's own snapshot.
//
// Segments are replayed from a list of those alive every 1,024 events or so, never from zero. Files may hold
// any nonsense: what overlaps is cut off, so that no byte counts twice. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

enum class BlockState : std::uint8_t {
    kFree,
    kAllocated,
    kPending,  // freed, and waiting for another stream that used it
    kEarlier   // in use since before the recording
};
inline constexpr std::array<std::string_view, 4> kBlockStateNames = {"free", "allocated", "pending",
                                                                     "earlier"};

struct MemoryBlock {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    BlockState state = BlockState::kFree;
    /// The allocation of a kAllocated or kPending block.
    AllocationId allocation{};
};

/// Bytes by what becomes of them. reserved = allocated + pending + earlier + free.
struct SegmentTotals {
    Bytes reserved;
    Bytes allocated;
    Bytes pending;
    Bytes earlier;
    Bytes free;
    Bytes largestFree;
    std::int64_t blocks = 0;  // in use
    std::int64_t gaps = 0;    // free ones

    /// What cannot be given to anyone: LibTorch's active_bytes.
    Bytes active() const { return allocated + pending + earlier; }
    /// 1 − largest free / all free: 0 when all that is free is in one piece (or nothing is), near 1 when it
    /// is in many. The usual measure of external fragmentation
    /// (en.wikipedia.org/wiki/Fragmentation_(computing), "External fragmentation").
    double fragmentation() const;
    /// The free piece that is the largest of either; all else is summed.
    SegmentTotals& operator+=(const SegmentTotals& part);
    /// free / reserved: what LibTorch calls "reserved but unallocated" when memory runs out.
    double freeShare() const;
};

struct MemorySegment {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    /// As SegmentEvent has them.
    std::uint32_t stream = 0;
    std::uint32_t pool = 0;
    bool large = false;
    bool expandable = false;
    /// When the first of it was taken from the driver.
    Nanoseconds since;
    SegmentTotals totals;
    /// By address, gaps among them: they cover the segment.
    std::vector<MemoryBlock> blocks;
};

struct SegmentState {
    /// By address.
    std::vector<MemorySegment> segments;
    SegmentTotals totals;
    /// Live allocations in none of the segments: 0 unless events were lost.
    Bytes outside;
};

class MemorySegments {
public:
    MemorySegments();
    ~MemorySegments();
    MemorySegments(MemorySegments&&) noexcept;
    MemorySegments& operator=(MemorySegments&&) noexcept;

    /// Takes in what a later snapshot of the same run adds; another run (or an earlier snapshot) starts over.
    void update(std::shared_ptr<const Snapshot> snapshot);
    const std::shared_ptr<const Snapshot>& snapshot() const;
    /// 0 for a run on the CPU, and in files of versions 1 and 2.
    std::uint64_t eventCount() const;

    /// What holds after the last event at or before t. Precondition: `memory` has the same snapshot.
    SegmentState at(const MemoryTimeline& memory, Nanoseconds t) const;
    /// The sum of the segments, without looking at blocks.
    Bytes reservedAt(Nanoseconds t) const;
    /// The highest of those sums.
    Bytes peakReserved() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpglass
