// What is alive at a moment as a tree of two keys (category → module), for treemaps; and what lies below one
// of its nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/memory_breakdown.h"

namespace warpglass {

struct MemoryTreeNode {
    std::string name;
    /// As AllocationKeys::of() has it.
    std::size_t key = 0;
    Bytes bytes;
    Bytes asked;
    std::int64_t allocations = 0;
    CategoryBytes byCategory{};
    /// Largest first.
    std::vector<MemoryTreeNode> children;
};

/// The root is all that is alive and passes the conditions. Allocations without bytes are left out.
MemoryTreeNode memoryTreeAt(const MemoryTimeline& memory, Nanoseconds t, BreakdownKey outer,
                            BreakdownKey inner, const AllocationConditions& conditions = {});
/// The allocations live at t with these keys; the second key is optional.
std::vector<AllocationId> allocationsUnder(const MemoryTimeline& memory, Nanoseconds t, BreakdownKey outer,
                                           std::size_t outerKey, BreakdownKey inner,
                                           std::optional<std::size_t> innerKey,
                                           const AllocationConditions& conditions = {});

}  // namespace warpglass
