// In which rows an allocator's segments are shown: one by one, or by their sizes where they are very many, so
// that the number of rows has a bound; those that constants fill over the whole run are one row.
//
// Pure; any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/query/memory/memory_segments.h"

namespace warpglass::ui {

/// Free memory beside blocks in use: it can be neither returned to the driver nor given to anything larger. 0
/// for a segment that is free as a whole.
Bytes wasteOf(const MemorySegment& segment);

/// The most waste first; then what is free as a whole; then the largest first.
void sortByWaste(std::vector<MemorySegment>& segments);

/// Whether constants fill it: every byte is of an allocation that `isConstant` is true for.
bool isConstantSegment(const MemorySegment& segment, const std::function<bool(AllocationId)>& isConstant);

/// What a row of several segments has in common; equal at another moment for the same row.
struct SegmentFold {
    bool constant = false;
    /// The size of each segment; 0 where they are of several sizes.
    std::int64_t bytes = 0;
    auto operator<=>(const SegmentFold&) const = default;
};

/// How much of a row is what.
struct SegmentPart {
    BlockState state = BlockState::kFree;
    Category category = Category::kUnknown;  // of kAllocated and kPending
    bool whole = false;                      // of kFree: segments that nothing is in, and not holes
    std::int64_t bytes = 0;
};

struct SegmentRow {
    /// Where among the segments, in their order; at least one.
    std::vector<std::size_t> segments;
    /// Whether it stands for several, which have in common what `fold` says.
    bool folded = false;
    SegmentFold fold;
    SegmentTotals totals;
    /// How much of what is free lies between blocks in use.
    Bytes holes;
    /// The size of its largest segment.
    std::int64_t widest = 0;
    /// What it holds: allocated blocks in the order of stacks, then pending and earlier ones, holes, and
    /// whole segments that are free.
    std::vector<SegmentPart> parts;

    Bytes wholeFree() const { return totals.free - holes; }
};

/// Every segment is in one row: one by one in their order, or of more than `most` (4 at least) by size, those
/// with the most waste first, and several sizes in the last; then the constant ones. Precondition: `segments`
/// are as sortByWaste() leaves them, and `constant` says of each whether it is.
std::vector<SegmentRow> segmentRows(const std::vector<MemorySegment>& segments,
                                    const std::vector<bool>& constant, std::size_t most,
                                    const std::function<Category(AllocationId)>& categoryOf);
/// All of them as one row.
SegmentRow allSegments(const std::vector<MemorySegment>& segments,
                       const std::function<Category(AllocationId)>& categoryOf);

}  // namespace warpglass::ui
