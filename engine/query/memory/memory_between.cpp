#include "engine/query/memory/memory_between.h"

#include <algorithm>

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

}  // namespace

MemoryBetween memoryBetween(const MemoryTimeline& memory, TimeRange range, BreakdownKey key,
                            const AllocationConditions& conditions) {
    MemoryBetween between;
    between.range = range;
    between.total.name = "all";
    if (!memory.snapshot() || range.begin >= range.end)
        return between;
    const Snapshot& snapshot = *memory.snapshot();
    // The state just before a moment is the one after the last event before it.
    const std::uint64_t first = memory.firstEventAfter(range.begin - Nanoseconds(1));
    const std::uint64_t last = std::max(first, memory.firstEventAfter(range.end - Nanoseconds(1)));
    const auto totalAfter = [&](std::uint64_t events) {
        return Bytes(events == 0 ? 0 : sumOf(memory.afterEvent(events - 1).bytes));
    };
    between.atBegin = totalAfter(first);
    between.atEnd = totalAfter(last);

    const std::vector<AllocationId> asked =
        conditions.any() ? allocationsOfEvents(snapshot, first, last) : std::vector<AllocationId>();
    const AllocationTest test(snapshot, conditions, &asked);
    constexpr auto kNone = static_cast<std::size_t>(-1);
    AllocationKeys keys(memory, key);
    std::vector<std::size_t> rowOf(keys.count() + 1, kNone);
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
        const std::size_t k = keys.of(id, *row);
        if (rowOf[k] == kNone) {
            rowOf[k] = between.rows.size();
            between.rows.emplace_back().name = keyName(snapshot, k, key);
        }
        const std::int64_t bytes = std::max<std::int64_t>(0, row->bytes);
        for (MemoryBetweenRow* to : {&between.rows[rowOf[k]], &between.total}) {
            add(allocates ? to->allocated : to->freed, bytes);
            if (allocates && (!freed || *freed >= last))
                add(to->kept, bytes);
            if (!allocates && *born < first)
                add(to->freedOlder, bytes);
        }
    }
    std::sort(between.rows.begin(), between.rows.end(),
              [](const MemoryBetweenRow& a, const MemoryBetweenRow& b) {
                  if (a.kept.bytes != b.kept.bytes)
                      return a.kept.bytes > b.kept.bytes;
                  if (a.allocated.bytes != b.allocated.bytes)
                      return a.allocated.bytes > b.allocated.bytes;
                  return a.name < b.name;
              });
    return between;
}

}  // namespace warpglass
