// What is alive at a moment as a tree of several keys (category → modules of all blocks → module), for
// treemaps; and what lies below one of its nodes.
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
    /// Largest first; equal ones by key: modules as they were named first, which is the order of their
    /// blocks.
    std::vector<MemoryTreeNode> children;
};

/// The root is all that is alive and passes the conditions; each key makes a level below it, the first the
/// outermost. Allocations without bytes are left out.
MemoryTreeNode memoryTreeAt(const MemoryTimeline& memory, Nanoseconds t,
                            const std::vector<BreakdownKey>& keys,
                            const AllocationConditions& conditions = {});
/// The allocations live at t below the node that `path` leads to: a key of each level from the outermost.
/// Precondition: `path` is no longer than `keys`.
std::vector<AllocationId> allocationsUnder(const MemoryTimeline& memory, Nanoseconds t,
                                           const std::vector<BreakdownKey>& keys,
                                           const std::vector<std::size_t>& path,
                                           const AllocationConditions& conditions = {});

}  // namespace warpglass
