// When which part of the packed address space (AllocationMap) was not the allocator's: before its segment was
// taken from the driver, after it was given back, and between.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/query/memory/allocation_map.h"

namespace warpglass {

struct UnreservedStretch {
    /// Places (AllocationMap::place()): [from, to).
    std::int64_t from = 0, to = 0;
    /// ns: [begin, end), within the run.
    std::int64_t begin = 0, end = 0;
    bool operator==(const UnreservedStretch&) const = default;
};

/// By place and begin, neighbors of one time joined. Empty without segment events or places, and for more
/// segments, or pieces of them, than can be told apart on any screen. O(events · log segments) and bounded by
/// that many pieces.
std::vector<UnreservedStretch> unreservedStretches(const Snapshot& snapshot, const AllocationMap& map);

}  // namespace warpglass
