// What happens to memory between two moments: what is allocated, what is freed, and what is kept; in sums by
// one key or by several, one within another, and allocation by allocation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bridge.h"
#include "engine/base/units.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/memory_breakdown.h"

namespace warpglass {

struct MemoryFlow {
    Bytes bytes;
    std::int64_t allocations = 0;
    bool operator==(const MemoryFlow&) const = default;
};

/// allocated = kept + transient; freed = freedOlder + transient. So the change is allocated − freed =
/// kept − freedOlder.
struct MemoryBetweenRow {
    std::string name;
    /// What the name is one of.
    BreakdownKey key = BreakdownKey::kCategory;
    bool isTotal = false;
    MemoryFlow allocated;
    MemoryFlow freed;
    /// Allocated within, and alive at the end.
    MemoryFlow kept;
    /// Alive at the beginning, and freed within.
    MemoryFlow freedOlder;
    /// The change by category.
    CategoryBytes byCategory{};
    Bytes change() const { return allocated.bytes - freed.bytes; }
    /// Allocated and freed within.
    MemoryFlow transient() const {
        return {allocated.bytes - kept.bytes, allocated.allocations - kept.allocations};
    }
    /// By the next key, in the order of rows.
    std::vector<MemoryBetweenRow> children;
};

struct MemoryBetween {
    TimeRange range;
    /// Before the first event of the range, and after its last.
    Bytes atBegin, atEnd;
    CategoryBytes categoriesAtBegin{}, categoriesAtEnd{};
    MemoryBetweenRow total;
    /// Sorted by the size of the change, up or down, then by bytes allocated, largest first.
    std::vector<MemoryBetweenRow> rows;
    /// The allocations whose bytes make up the change: those kept and those older and freed, in order of
    /// time.
    std::vector<AllocationId> changing;
};

/// Events at the range's begin count, those at its end do not. O(events in the range). With conditions, only
/// what passes them counts; atBegin and atEnd cover all memory. Each key makes a level of rows, the first the
/// outermost. An only child that has its parent's name is left out; a module beside others that lie within it
/// is "blocks.*.ffn itself".
MemoryBetween memoryBetween(const MemoryTimeline& memory, TimeRange range,
                            const std::vector<BreakdownKey>& keys,
                            const AllocationConditions& conditions = {});
inline MemoryBetween memoryBetween(const MemoryTimeline& memory, TimeRange range, BreakdownKey key,
                                   const AllocationConditions& conditions = {}) {
    return memoryBetween(memory, range, std::vector{key}, conditions);
}

/// From atBegin to atEnd, by category: of all memory, whatever the conditions.
std::optional<Bridge> memoryBridge(const MemoryBetween& between);

/// One of the allocations that make up the change, for tables.
struct AllocationChange {
    AllocationDetail allocation;
    Bytes change;  // − of what was freed
};
/// The `most` largest of MemoryBetween::changing, largest first.
std::vector<AllocationChange> largestChanges(const MemoryTimeline& memory, const MemoryBetween& between,
                                             std::size_t most);

}  // namespace warpglass
