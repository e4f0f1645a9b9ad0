// What happens to memory between two moments: what is allocated, what is freed, and what is kept.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/memory_breakdown.h"

namespace warpglass {

struct MemoryFlow {
    Bytes bytes;
    std::int64_t allocations = 0;
    bool operator==(const MemoryFlow&) const = default;
};

/// kept + what is allocated and freed within = allocated; freedOlder + the same = freed. So the change is
/// allocated − freed = kept − freedOlder.
struct MemoryBetweenRow {
    std::string name;
    MemoryFlow allocated;
    MemoryFlow freed;
    /// Allocated within, and alive at the end.
    MemoryFlow kept;
    /// Alive at the beginning, and freed within.
    MemoryFlow freedOlder;
    Bytes change() const { return allocated.bytes - freed.bytes; }
};

struct MemoryBetween {
    TimeRange range;
    /// Before the first event of the range, and after its last.
    Bytes atBegin, atEnd;
    MemoryBetweenRow total;
    /// Sorted by bytes kept, then by bytes allocated, largest first.
    std::vector<MemoryBetweenRow> rows;
};

/// Events at the range's begin count, those at its end do not. O(events in the range). With conditions, only
/// what passes them counts; atBegin and atEnd cover all memory.
MemoryBetween memoryBetween(const MemoryTimeline& memory, TimeRange range, BreakdownKey key,
                            const AllocationConditions& conditions = {});

}  // namespace warpglass
