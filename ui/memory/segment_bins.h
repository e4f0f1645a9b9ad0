// In which rows an allocator's segments are shown: those with the most waste one by one, what is constant
// over the run in one row, and of very many the others by their sizes, so that the number of rows has a
// bound.
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

/// How much of a row of several segments is what.
struct SegmentPart {
    BlockState state = BlockState::kFree;
    Category category = Category::kUnknown;  // of kAllocated and kPending
    std::int64_t bytes = 0;
};

struct SegmentRow {
    /// Where among the segments, in their order; at least one.
    std::vector<std::size_t> segments;
    /// Whether it stands for several, which have in common what `fold` says.
    bool folded = false;
    SegmentFold fold;
    SegmentTotals totals;
    /// What a folded row holds: allocated blocks in the order of stacks, then pending, earlier and free ones.
    std::vector<SegmentPart> parts;
};

/// Every segment is in one row: at first one by one, in their order, then by size, the rows with the most
/// waste first, then several sizes, then the constant ones. At most `most` rows (4 at least) and the constant
/// one. Precondition: `segments` are as sortByWaste() leaves them, and `constant` says of each whether it is.
std::vector<SegmentRow> segmentRows(const std::vector<MemorySegment>& segments,
                                    const std::vector<bool>& constant, std::size_t most,
                                    const std::function<Category(AllocationId)>& categoryOf);

}  // namespace warpglass::ui
