// Allocations as a table, alike ones as one row that opens, or each by itself.
#pragma once

#include "engine/tables/memory_columns.h"
#include "ui/models/tree_table_model.h"

namespace warpglass::ui {

class AllocationModel : public TreeTableModel<AllocationGroup> {
public:
    AllocationModel() : TreeTableModel(allocationGroupsTable(), "module", "size_bytes", 0) {}

    enum class Listing { kGrouped, kSingle };
    static std::vector<AllocationGroup> list(Listing listing, const MemoryTimeline& memory,
                                             const std::vector<AllocationId>& ids, std::size_t most) {
        return listing == Listing::kGrouped ? largestAllocationGroups(memory, ids, most)
                                            : singleAllocations(memory, ids, most);
    }
    static Bytes bytesOf(const Snapshot& snapshot, const std::vector<AllocationId>& ids) {
        Bytes sum;
        for (const AllocationId id : ids) {
            if (const auto row = snapshot.allocation(id))
                sum += Bytes(row->bytes);
        }
        return sum;
    }
};

}  // namespace warpglass::ui
