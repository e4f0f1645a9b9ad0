// What an allocation map shows of a run, whatever part of it is in view.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/query/memory/address_regions.h"
#include "engine/query/memory/allocation_map.h"
#include "engine/query/memory/free_memory.h"
#include "engine/query/memory/unreserved.h"
#include "ui/memory/place_folds.h"

namespace warpglass::ui {

struct MapContent {
    std::shared_ptr<const AllocationMap> map = std::make_shared<const AllocationMap>();
    /// Regions that never change.
    std::vector<PlaceFold> folds;
    std::vector<UnreservedStretch> unreserved;
    /// The parts of the address space, with a gap between each two; none without addresses.
    std::vector<AddressRegion> regions;
    std::optional<MemoryPoint> peak;
    /// At the peak; empty without segments.
    FreeMemory free;
};

}  // namespace warpglass::ui
