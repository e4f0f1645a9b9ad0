// The address space of a run as a person would name its parts: ranges that lie close together are one region,
// and a gap that is larger than both of the ranges beside it parts two.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/query/memory/allocation_map.h"

namespace warpglass {

struct AddressRegion {
    /// The address of its lowest byte.
    std::uint64_t address = 0;
    /// Places (AllocationMap::place()): [from, to).
    std::int64_t from = 0, to = 0;
    std::int64_t ranges = 0;
    /// Addresses between it and the region below; 0 for the lowest.
    std::uint64_t gap = 0;
    bool operator==(const AddressRegion&) const = default;
};

/// By address. They cover the pieces, which are by address too.
std::vector<AddressRegion> addressRegions(const std::vector<AllocationMap::Piece>& pieces);

}  // namespace warpglass
