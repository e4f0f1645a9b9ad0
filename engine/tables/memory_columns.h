// The tables of memory: what is alive at a moment, in sums and one by one, and what happens between two.
#pragma once

#include "engine/query/memory/allocation_groups.h"
#include "engine/query/memory/memory_between.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/tables/column.h"

namespace warpglass {

/// "+307 MiB", "−1.2 GiB", "0".
std::string signedBytes(Bytes bytes);

/// What it means that memory is grouped by op, for the controls that offer it.
inline constexpr std::string_view kGroupedByOp =
    "By the op that asked for it: what empty, empty_strided and their like allocate counts under the op that "
    "called them";

const TableDescription<BreakdownRow>& breakdownTable();
const TableDescription<MemoryBetweenRow>& betweenTable();
inline std::uint32_t rowKey(const AllocationDetail& allocation) {
    return allocation.id.value;
}
const TableDescription<AllocationDetail>& allocationsTable();
/// The same columns, of alike allocations as one.
const TableDescription<AllocationGroup>& allocationGroupsTable();
inline std::uint32_t rowKey(const AllocationChange& change) {
    return change.allocation.id.value;
}
/// What each adds to memory or takes from it, then the columns of allocations.
const TableDescription<AllocationChange>& allocationChangesTable();

}  // namespace warpglass
