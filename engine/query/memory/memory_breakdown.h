// What makes up memory at a moment: by category, by module, by op (the one that the memory counts under,
// memory_op.h, which need not be the innermost).
#pragma once

#include <string>
#include <vector>

#include "engine/base/collect.h"
#include "engine/base/units.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/memory_op.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/module_group.h"

namespace warpglass {

enum class BreakdownKey : std::uint8_t {
    kCategory,
    kModule,
    kOp,
    kPhase,
    /// modulePart() of the module, "blocks.*.attn": its key is that of the first module of it that was named.
    kModulePart,
    /// moduleGroup() of it, "blocks.*.ffn.w1"; its key likewise.
    kModuleGroup
};

constexpr bool isOfModules(BreakdownKey key) {
    return key == BreakdownKey::kModule || key == BreakdownKey::kModulePart ||
           key == BreakdownKey::kModuleGroup;
}

/// nameBesideTheirOwn() of rows that are all of one key, where that is of modules.
template <class Row>
void nameRowsBesideTheirOwn(std::vector<Row>& rows) {
    if (rows.empty() || !isOfModules(rows.front().key))
        return;
    auto names = mapped<std::string*>(rows, [&](Row& row) { return &row.name; });
    nameBesideTheirOwn(names);
}

/// How many of a kind there may be, and what one is called.
std::size_t keyCount(const Snapshot& snapshot, BreakdownKey key);
std::string keyName(const Snapshot& snapshot, std::size_t index, BreakdownKey key);

/// What allocations count under. Ops cost what MemoryOps says; ask in order of time. Not thread-safe.
class AllocationKeys {
public:
    /// The timeline outlives it. Precondition: it has a snapshot.
    AllocationKeys(const MemoryTimeline& memory, BreakdownKey key);

    BreakdownKey key() const { return m_key; }
    std::size_t count() const { return m_count; }
    /// Below count(), or count() for "none".
    std::size_t of(AllocationId id, const AllocationRow& row);

private:
    std::size_t keyOf(AllocationId id, const AllocationRow& row);

    const MemoryTimeline& m_memory;
    BreakdownKey m_key;
    std::size_t m_count;
    MemoryOps m_ops;
    std::vector<std::size_t> m_partOf;  // by module; of kModulePart and kModuleGroup only
};

struct BreakdownRow {
    std::string name;
    Bytes bytes;
    double share = 0;  // of all live bytes that pass
    std::int64_t allocations = 0;
    /// The part of each category in this row: a module's weights, activations and so on.
    CategoryBytes byCategory{};
    /// What the name is one of.
    BreakdownKey key = BreakdownKey::kCategory;
    /// By the next key, largest first; none where one would be all of it. Last, those below 0.5% of all as
    /// one.
    std::vector<BreakdownRow> children;
};

/// Largest first. Each key makes a level of rows, the first the outermost; by module, every allocation counts
/// under its full path, or under "(outside the model)" if it has none; what is in no phase counts as
/// "(outside a phase)".
std::vector<BreakdownRow> breakdownAt(const MemoryTimeline& timeline, Nanoseconds t,
                                      const std::vector<BreakdownKey>& keys,
                                      const AllocationConditions& conditions = {});
inline std::vector<BreakdownRow> breakdownAt(const MemoryTimeline& timeline, Nanoseconds t, BreakdownKey key,
                                             const AllocationConditions& conditions = {}) {
    return breakdownAt(timeline, t, std::vector{key}, conditions);
}

struct AllocationTimes {
    Nanoseconds allocated;
    std::optional<Nanoseconds> freed;
    /// When it was freed, or the end of the run.
    Nanoseconds until;
    /// Nothing but the run's end ended it: it was never freed, or only by teardown.
    bool toEnd = false;
};

/// One allocation, with names resolved, for tables.
struct AllocationDetail : AllocationTimes {
    AllocationId id;
    AllocationRow row;
    std::string category, phase, module, part;
    std::string op;  // that it counts under; row.op is the innermost
};
AllocationDetail describeAllocation(const MemoryTimeline& timeline, AllocationId id);

/// The same of many: what is looked up in the run is looked up once. Not thread-safe.
class AllocationDetails {
public:
    /// The timeline outlives it and keeps its snapshot.
    explicit AllocationDetails(const MemoryTimeline& timeline);
    AllocationDetail of(AllocationId id);
    AllocationTimes timesOf(AllocationId id) const;
    /// The `count` largest of `ids`, largest first (ties by id).
    std::vector<AllocationDetail> largest(const std::vector<AllocationId>& ids, std::size_t count);
    MemoryOps& ops() { return m_ops; }

private:
    const MemoryTimeline& m_timeline;
    MemoryOps m_ops;
    Nanoseconds m_teardown;
};
/// AllocationDetails::largest() of these alone.
std::vector<AllocationDetail> largestAllocations(const MemoryTimeline& timeline,
                                                 const std::vector<AllocationId>& ids, std::size_t count);

}  // namespace warpglass
