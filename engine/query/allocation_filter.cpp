#include "engine/query/allocation_filter.h"

#include <algorithm>

#include "engine/query/span_scan.h"

namespace warpglass {

std::vector<AllocationId> filterAllocations(const Snapshot& snapshot, const std::vector<AllocationId>& ids,
                                            const SpanFilter& filter) {
    SpanFilter place;
    place.phase = filter.phase;
    place.modulePath = filter.modulePath;
    place.step = filter.step;
    const RowFilter rows(snapshot, place);
    if (rows.passesAll() && filter.name.empty())
        return ids;
    const NameId op = filter.name.empty() ? NameId() : snapshot.findName(filter.name);
    std::vector<AllocationId> kept;
    for (const AllocationId id : ids) {
        const auto row = snapshot.allocation(id);
        if (row && rows.passes(row->place.value, row->step) &&
            (filter.name.empty() || (op.valid() && row->op == op)))
            kept.push_back(id);
    }
    return kept;
}

namespace {

/// The first event at or after t; in a damaged chunk, the one after it.
std::uint64_t firstEventAt(const Snapshot& snapshot, Nanoseconds t) {
    std::uint64_t low = 0, high = snapshot.memoryEventCount();
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        const auto event = snapshot.memoryEvent(middle);
        if (event && event->time >= t.value)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace

std::vector<AllocationId> allocationsMadeIn(const Snapshot& snapshot, const std::vector<TimeRange>& ranges) {
    std::vector<AllocationId> made;
    for (const TimeRange& range : ranges) {
        for (std::uint64_t i = firstEventAt(snapshot, range.begin); i < snapshot.memoryEventCount(); ++i) {
            const auto event = snapshot.memoryEvent(i);
            if (event && event->time >= range.end.value)
                break;
            if (event && event->action == MemoryAction::kAllocate &&
                event->allocation.index() < snapshot.allocationCount())
                made.push_back(event->allocation);
        }
    }
    return made;
}

}  // namespace warpglass
