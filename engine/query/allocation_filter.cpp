#include "engine/query/allocation_filter.h"

#include "engine/query/memory_event_search.h"
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

std::vector<AllocationId> allocationsMadeIn(const Snapshot& snapshot, const std::vector<TimeRange>& ranges) {
    std::vector<AllocationId> made;
    for (const TimeRange& range : ranges) {
        for (std::uint64_t i = firstMemoryEventAt(snapshot, range.begin); i < snapshot.memoryEventCount();
             ++i) {
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
