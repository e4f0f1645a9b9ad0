#include "engine/query/allocation_filter.h"

#include "engine/query/grouped_statistics.h"
#include "engine/query/memory_event_search.h"
#include "engine/query/work_times.h"

namespace warpglass {

namespace {

/// The conditions on the place and the step: rows of allocations have no name of their own.
SpanFilter placeOf(const AllocationConditions& conditions) {
    SpanFilter place;
    place.phase = conditions.made.phase;
    place.modulePath = conditions.made.modulePath;
    place.step = conditions.made.step;
    return place;
}

}  // namespace

bool AllocationConditions::any() const {
    return made.phase || !made.modulePath.empty() || made.step || !made.name.empty() ||
           !made.ranges.empty() || category || !text.empty() || among;
}

AllocationTest::AllocationTest(const Snapshot& snapshot, const AllocationConditions& conditions)
    : m_all(!conditions.any()), m_rows(snapshot, placeOf(conditions)), m_category(conditions.category) {
    m_ofOp = !conditions.made.name.empty();
    if (m_ofOp)
        m_op = idsOfNames(snapshot, conditions.made.name);
    m_ranged = !conditions.made.ranges.empty();
    if (m_ranged) {
        m_made.resize(static_cast<std::size_t>(snapshot.allocationCount()));
        for (const AllocationId id : allocationsMadeIn(snapshot, conditions.made.ranges))
            m_made[id.index()] = true;
    }
    m_chosen = conditions.among != nullptr;
    if (m_chosen) {
        m_among.resize(static_cast<std::size_t>(snapshot.allocationCount()));
        for (const AllocationId id : *conditions.among) {
            if (id.index() < m_among.size())
                m_among[id.index()] = true;
        }
    }
    m_texted = !conditions.text.empty();
    if (!m_texted)
        return;
    const auto contains = [&](std::string_view name) { return containsText(name, conditions.text); };
    m_ops.resize(snapshot.nameCount());
    for (std::size_t i = 0; i < m_ops.size(); ++i)
        m_ops[i] = contains(snapshot.name(NameId(i)));
    m_places.resize(snapshot.placeCount());
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const Place place = snapshot.place(PlaceId(i));
        m_places[i] = contains(phaseName(place.phase)) || contains(snapshot.name(place.module)) ||
                      contains(snapshot.name(place.part));
    }
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        m_categories[c] = contains(kCategoryNames[c]);
}

bool AllocationTest::textPasses(const AllocationRow& row) const {
    const auto category = static_cast<std::size_t>(row.category);
    return (row.place.index() < m_places.size() && m_places[row.place.index()]) ||
           (row.op.index() < m_ops.size() && m_ops[row.op.index()]) ||
           (category < kCategoryCount && m_categories[category]);
}

bool AllocationTest::passes(AllocationId id, const AllocationRow& row) const {
    if (m_all)
        return true;
    return m_rows.passes(row.place.value, row.step) && (!m_category || row.category == *m_category) &&
           (!m_ofOp || (row.op.index() < m_op.size() && m_op[row.op.index()] != 0)) &&
           (!m_chosen || (id.index() < m_among.size() && m_among[id.index()])) &&
           (!m_ranged || (id.index() < m_made.size() && m_made[id.index()])) &&
           (!m_texted || textPasses(row));
}

std::vector<AllocationId> filterAllocations(const Snapshot& snapshot, const std::vector<AllocationId>& ids,
                                            const AllocationConditions& conditions) {
    const AllocationTest test(snapshot, conditions);
    if (test.passesAll())
        return ids;
    std::vector<AllocationId> kept;
    for (const AllocationId id : ids) {
        if (const auto row = snapshot.allocation(id); row && test.passes(id, *row))
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
