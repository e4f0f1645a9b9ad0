#include "engine/query/memory/memory_between.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpglass {

namespace {

void add(MemoryFlow& flow, std::int64_t bytes) {
    flow.bytes += Bytes(bytes);
    ++flow.allocations;
}

std::vector<AllocationId> allocationsOfEvents(const Snapshot& snapshot, std::uint64_t first,
                                              std::uint64_t last) {
    std::vector<AllocationId> ids;
    ids.reserve(static_cast<std::size_t>(last - first));
    for (std::uint64_t i = first; i < last; ++i) {
        if (const auto event = snapshot.memoryEvent(i))
            ids.push_back(event->allocation);
    }
    return ids;
}

/// A row while it is summed: what is within it, by key.
struct RowInWork {
    MemoryBetweenRow row;
    std::map<std::size_t, RowInWork> within;
};

bool changesMore(const MemoryBetweenRow& a, const MemoryBetweenRow& b) {
    const std::int64_t ofA = saturatingAbs(a.change().value), ofB = saturatingAbs(b.change().value);
    if (ofA != ofB)
        return ofA > ofB;
    if (a.allocated.bytes != b.allocated.bytes)
        return a.allocated.bytes > b.allocated.bytes;
    return a.name < b.name;
}

std::vector<MemoryBetweenRow> finished(std::map<std::size_t, RowInWork>&& within) {
    std::vector<MemoryBetweenRow> rows;
    for (auto& [key, work] : within) {
        MemoryBetweenRow& row = rows.emplace_back(std::move(work.row));
        row.children = finished(std::move(work.within));
        if (row.children.size() == 1 && row.children.front().name == row.name)
            row.children = std::exchange(row.children.front().children, {});
        // A module's own, beside that of the modules within it.
        for (MemoryBetweenRow& child : row.children) {
            if (isOfModules(row.key) && isOfModules(child.key) && child.name == row.name)
                child.name += kItself;
        }
    }
    nameRowsBesideTheirOwn(rows);
    std::ranges::sort(rows, changesMore);
    return rows;
}

/// The rows by several keys, one within another.
class MovementSums {
public:
    MovementSums(const MemoryTimeline& memory, const std::vector<BreakdownKey>& keys)
        : m_snapshot(*memory.snapshot()), m_keys(keys) {
        for (const BreakdownKey key : keys)
            m_of.emplace_back(memory, key);
    }
    /// `add` adds to a row: to that of each level.
    template <class Add>
    void add(AllocationId id, const AllocationRow& row, const Add& add) {
        auto* within = &m_rows;
        for (std::size_t level = 0; level < m_keys.size(); ++level) {
            const std::size_t k = m_of[level].of(id, row);
            const auto [at, isNew] = within->try_emplace(k);
            if (isNew) {
                at->second.row.name = keyName(m_snapshot, k, m_keys[level]);
                at->second.row.key = m_keys[level];
            }
            add(at->second.row);
            within = &at->second.within;
        }
    }
    std::vector<MemoryBetweenRow> take() { return finished(std::move(m_rows)); }

private:
    const Snapshot& m_snapshot;
    const std::vector<BreakdownKey>& m_keys;
    std::vector<AllocationKeys> m_of;
    std::map<std::size_t, RowInWork> m_rows;
};

}  // namespace

MemoryBetween memoryBetween(const MemoryTimeline& memory, TimeRange range,
                            const std::vector<BreakdownKey>& keys, const AllocationConditions& conditions) {
    MemoryBetween between;
    between.range = range;
    between.total.name = "Total";
    between.total.isTotal = true;
    if (!memory.snapshot() || range.begin >= range.end)
        return between;
    const Snapshot& snapshot = *memory.snapshot();
    // The state just before a moment is the one after the last event before it.
    const std::uint64_t first = memory.firstEventAfter(range.begin - Nanoseconds(1));
    const std::uint64_t last = std::max(first, memory.firstEventAfter(range.end - Nanoseconds(1)));
    const auto after = [&](std::uint64_t events) {
        return events == 0 ? CategoryBytes{} : memory.afterEvent(events - 1).bytes;
    };
    between.categoriesAtBegin = after(first);
    between.categoriesAtEnd = after(last);
    between.atBegin = Bytes(sumOf(between.categoriesAtBegin));
    between.atEnd = Bytes(sumOf(between.categoriesAtEnd));

    const std::vector<AllocationId> asked =
        conditions.any() ? allocationsOfEvents(snapshot, first, last) : std::vector<AllocationId>();
    const AllocationTest test(memory, conditions, &asked);
    MovementSums sums(memory, keys);
    for (std::uint64_t i = first; i < last; ++i) {
        const auto event = snapshot.memoryEvent(i);
        if (!event || event->allocation.index() >= snapshot.allocationCount())
            continue;
        const AllocationId id = event->allocation;
        const auto row = snapshot.allocation(id);
        const auto born = memory.allocateEvent(id), freed = memory.freeEvent(id);
        const bool allocates = event->action == MemoryAction::kAllocate;
        if (!row || (allocates ? born : freed) != i || !test.passes(id, *row))
            continue;
        const std::int64_t bytes = std::max<std::int64_t>(0, row->bytes);
        const bool kept = allocates && (!freed || *freed >= last), older = !allocates && *born < first;
        const auto category = static_cast<std::size_t>(memory.categoryOf(id));
        const auto addTo = [&](MemoryBetweenRow& to) {
            add(allocates ? to.allocated : to.freed, bytes);
            addWrapping(to.byCategory[category], allocates ? bytes : -bytes);
            if (kept)
                add(to.kept, bytes);
            if (older)
                add(to.freedOlder, bytes);
        };
        addTo(between.total);
        sums.add(id, *row, addTo);
        if (kept || older)
            between.changing.push_back(id);
    }
    between.rows = sums.take();
    return between;
}

std::optional<Bridge> memoryBridge(const MemoryBetween& between) {
    Bridge bridge{true, between.atBegin.value, between.atEnd.value, {}};
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        bridge.parts.push_back({std::string(categoryName(static_cast<Category>(c))),
                                between.categoriesAtBegin[c], between.categoriesAtEnd[c]});
    return finishedBridge(std::move(bridge), "rest");
}

std::vector<AllocationChange> largestChanges(const MemoryTimeline& memory, const MemoryBetween& between,
                                             std::size_t most) {
    std::vector<AllocationChange> changes;
    for (AllocationDetail& allocation : largestAllocations(memory, between.changing, most)) {
        const Bytes bytes(std::max<std::int64_t>(0, allocation.row.bytes));
        const bool kept = allocation.allocated >= between.range.begin;
        changes.push_back({std::move(allocation), kept ? bytes : -bytes});
    }
    return changes;
}

}  // namespace warpglass
