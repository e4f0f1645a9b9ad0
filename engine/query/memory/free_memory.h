// Where the memory lies that an allocator has reserved and that nothing is in, piece by piece: holes beside
// blocks in use, into which nothing larger fits, and segments that nothing is in, which can be given back to
// the driver.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/query/memory/memory_segments.h"

namespace warpglass {

struct FreePiece {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    /// Size and pool of the segment that it lies in, as MemorySegment has them.
    std::int64_t segmentBytes = 0;
    bool large = false;
    /// The segment itself, and not a hole in it.
    bool whole = false;
    /// The blocks below and above a hole, of which one is missing at an end of the segment. The allocation of
    /// one from before the recording is not valid.
    std::optional<AllocationId> below, above;
};

/// Free pieces of one size.
struct FreeGroup {
    /// Where among the pieces.
    std::size_t first = 0, count = 0;
    /// What lies beside most of these holes: "activations of blocks.*.ffn"; empty beside unknown memory.
    std::string beside;
    Category category = Category::kUnknown;
};

/// Free pieces of [from, to) bytes.
struct FreeSizes {
    std::int64_t from = 0, to = 0;
    std::int64_t holes = 0, whole = 0;
    Bytes holeBytes, wholeBytes;
};

struct FreePlaces {
    std::int64_t whole = 0, holes = 0;
    Bytes wholeBytes, holeBytes;
    Bytes largestHole, largestWhole;
};

/// What of an allocator's memory is free at a moment.
struct FreeMemory {
    SegmentTotals totals;
    FreePlaces places;
    /// Holes before whole segments, either the largest first; equal ones by address.
    std::vector<FreePiece> pieces;
    /// In the order of the pieces.
    std::vector<FreeGroup> groups;
    /// All sizes from the smallest piece to the largest: less than 1 MiB, and then up to a power of two each.
    std::vector<FreeSizes> sizes;
    /// All segments are of one pool and one stream, so that an allocation may go into any of them.
    bool isOfOnePool = true;

    std::int64_t bytesOf(const FreeGroup& group) const {
        return pieces[group.first].bytes * static_cast<std::int64_t>(group.count);
    }
};
/// Precondition: the state is of the snapshot.
FreeMemory freeMemory(const SegmentState& state, const MemoryTimeline& memory);

/// What is still to be allocated after a moment, at most.
struct ComingAllocation {
    AllocationId id;
    Bytes bytes;
};
/// The first of the largest; nothing when none is made after t. O(n) in what is made after it.
std::optional<ComingAllocation> largestAfter(const MemoryTimeline& memory, Nanoseconds t);
/// The smallest free piece that such an allocation fits into: of the same kind of segments, and a hole before
/// a whole segment. Null without one.
const FreePiece* pieceFor(const FreeMemory& free, Bytes bytes);

}  // namespace warpglass
