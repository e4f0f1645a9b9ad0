// What makes up memory at a moment: by category, by module, by op.
#pragma once

#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/allocation_filter.h"
#include "engine/query/memory_timeline.h"

namespace warpglass {

enum class BreakdownKey : std::uint8_t { kCategory, kModule, kOp, kPhase };

/// What an allocation counts under: below keyCount(), or anything else for "none"; and what that is called.
std::size_t keyCount(const Snapshot& snapshot, BreakdownKey key);
std::size_t keyOf(const Snapshot& snapshot, const AllocationRow& row, BreakdownKey key);
std::string keyName(const Snapshot& snapshot, std::size_t index, BreakdownKey key);

struct BreakdownRow {
    std::string name;
    Bytes bytes;
    double share = 0;  // of all live bytes that pass
    std::int64_t allocations = 0;
    /// The part of each category in this row: a module's weights, activations and so on.
    CategoryBytes byCategory{};
};

/// Largest first. By module, every allocation counts under its full path; "(outside the model)" where there
/// is none.
std::vector<BreakdownRow> breakdownAt(const MemoryTimeline& timeline, Nanoseconds t, BreakdownKey key,
                                      const AllocationConditions& conditions = {});

/// One allocation, with names resolved, for tables.
struct AllocationDetail {
    AllocationId id;
    AllocationRow row;
    Nanoseconds allocated;
    std::optional<Nanoseconds> freed;
    std::string category, phase, module, part, op;
};
AllocationDetail describeAllocation(const MemoryTimeline& timeline, AllocationId id);
/// The `count` largest of `ids`, largest first (ties by id).
std::vector<AllocationDetail> largestAllocations(const MemoryTimeline& timeline,
                                                 const std::vector<AllocationId>& ids, std::size_t count);

}  // namespace warpglass
