#include "engine/query/memory/address_regions.h"

#include <algorithm>

namespace warpglass {

std::vector<AddressRegion> addressRegions(const std::vector<AllocationMap::Piece>& pieces) {
    std::vector<AddressRegion> regions;
    const AllocationMap::Piece* before = nullptr;
    for (const AllocationMap::Piece& piece : pieces) {
        const std::uint64_t end = before ? before->address + static_cast<std::uint64_t>(before->bytes) : 0;
        const std::uint64_t gap = before && piece.address > end ? piece.address - end : 0;
        if (!before ||
            gap > static_cast<std::uint64_t>(std::max({std::int64_t(0), before->bytes, piece.bytes})))
            regions.push_back({piece.address, piece.place, piece.place, 0, gap});
        regions.back().to = wrappingAdd(piece.place, piece.bytes);
        ++regions.back().ranges;
        before = &piece;
    }
    return regions;
}

}  // namespace warpglass
