// Alike allocations as one: what a list of the largest says of a model whose blocks all hold the same
// tensors.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/query/memory/memory_breakdown.h"

namespace warpglass {

/// A single allocation, or several as one: those of the same category, module with all blocks together, part,
/// op, requested size, phase and step. The size and what was requested are then sums, the module is
/// "blocks.*.ffn.w1" if they are of several, its life lasts from the first's beginning to the last's end, and
/// the id is that of the largest.
struct AllocationGroup : AllocationDetail {
    std::int64_t allocations = 1;
    Bytes each;                     // the mean
    double share = 0;               // of all that were asked for
    Nanoseconds shortest, longest;  // of their lives
    bool someToEnd = false;         // not all, as toEnd says
    /// The largest of several, largest first.
    std::vector<AllocationGroup> children;
    /// What tells it apart from all others beside it.
    std::string key;
};
inline const std::string& treeKey(const AllocationGroup& group) {
    return group.key;
}

/// The `most` largest groups of `ids`, largest first (ties by id), with as many of the allocations in each,
/// but no more than ten times `most` in all. `ids` are in order of allocation, or ops cost more.
std::vector<AllocationGroup> largestAllocationGroups(const MemoryTimeline& memory,
                                                     const std::vector<AllocationId>& ids, std::size_t most);
/// The `most` largest of `ids`, each by itself.
std::vector<AllocationGroup> singleAllocations(const MemoryTimeline& memory,
                                               const std::vector<AllocationId>& ids, std::size_t most);
/// Where most of some allocations are: the category that holds most, and the part of the model that holds
/// most of that.
struct LargestHolding {
    Category category = Category::kUnknown;
    Bytes bytes;
    std::string part;  // "blocks.*.ffn" or kOutsideModel; empty for no allocations
    Bytes partBytes;
    std::int64_t partAllocations = 0;
    std::optional<Bytes> each;  // where all in the part are of one size
};
LargestHolding largestHolding(const MemoryTimeline& memory, const std::vector<AllocationId>& ids);

/// How many the rows stand for.
std::int64_t allocationsIn(std::span<const AllocationGroup> rows);

}  // namespace warpglass
