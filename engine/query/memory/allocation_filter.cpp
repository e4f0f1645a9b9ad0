#include "engine/query/memory/allocation_filter.h"

#include "engine/query/memory/memory_event_search.h"
#include "engine/query/memory/memory_op.h"
#include "engine/query/spans/work_times.h"

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

AllocationTest::AllocationTest(const MemoryTimeline& memory, const AllocationConditions& conditions,
                               const std::vector<AllocationId>* asked)
    : m_memory(memory),
      m_all(!conditions.any()),
      m_rows(*memory.snapshot(), placeOf(conditions)),
      m_category(conditions.category),
      m_text(*memory.snapshot(), conditions.text) {
    const Snapshot& snapshot = *memory.snapshot();
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
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        m_named[c] = containsText(kCategoryNames[c], conditions.text);
    if (m_ofOp || !conditions.text.empty())
        noteOps(asked);
}

/// All of them at once, in order of time: several threads ask a test, in any order. Only where the op that
/// was noted is not the answer, which leaves few to look at.
void AllocationTest::noteOps(const std::vector<AllocationId>* asked) {
    const Snapshot& snapshot = *m_memory.snapshot();
    MemoryOps ops(snapshot);
    if (!ops.changesAny())
        return;
    const auto count = static_cast<std::size_t>(snapshot.allocationCount());
    std::vector<std::uint8_t> wanted(count, asked ? 0 : 1);
    std::size_t left = count;
    if (asked) {
        left = 0;
        for (const AllocationId id : *asked) {
            const auto row =
                id.index() < count && !wanted[id.index()] ? snapshot.allocation(id) : std::nullopt;
            if (!row || !ops.changes(row->op) || !passesButForOp(id, *row))
                continue;
            wanted[id.index()] = 1;
            ++left;
        }
    }
    if (left == 0)
        return;
    m_opOf.resize(count);
    for (std::uint64_t i = 0; i < snapshot.memoryEventCount() && left > 0; ++i) {
        const auto event = snapshot.memoryEvent(i);
        if (!event || event->action != MemoryAction::kAllocate || event->allocation.index() >= count ||
            !wanted[event->allocation.index()])
            continue;
        const AllocationId id = event->allocation;
        wanted[id.index()] = 0;
        --left;
        const auto row = snapshot.allocation(id);
        if (row && ops.changes(row->op) && passesButForOp(id, *row))
            m_opOf[id.index()] = ops.of(id, *row, Nanoseconds(event->time));
    }
}

bool AllocationTest::textPasses(AllocationId id, NameId op, const AllocationRow& row) const {
    return m_text.passes(NameId().value, op.value, row.place.value) ||
           m_named[static_cast<std::size_t>(m_memory.categoryOf(id))];
}

bool AllocationTest::passesButForOp(AllocationId id, const AllocationRow& row) const {
    return m_rows.passes(row.place.value, row.step) &&
           (!m_category || m_memory.categoryOf(id) == *m_category) &&
           (!m_chosen || (id.index() < m_among.size() && m_among[id.index()])) &&
           (!m_ranged || (id.index() < m_made.size() && m_made[id.index()]));
}

bool AllocationTest::passes(AllocationId id, const AllocationRow& row) const {
    if (m_all)
        return true;
    if (!passesButForOp(id, row))
        return false;
    const NameId op = opOf(id, row);
    return (!m_ofOp || (op.index() < m_op.size() && m_op[op.index()] != 0)) && textPasses(id, op, row);
}

std::vector<AllocationId> filterAllocations(const MemoryTimeline& memory,
                                            const std::vector<AllocationId>& ids,
                                            const AllocationConditions& conditions) {
    if (!conditions.any())
        return ids;
    const AllocationTest test(memory, conditions, &ids);
    std::vector<AllocationId> kept;
    for (const AllocationId id : ids) {
        if (const auto row = memory.snapshot()->allocation(id); row && test.passes(id, *row))
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
