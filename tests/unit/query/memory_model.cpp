#include "tests/unit/query/memory_model.h"

namespace warpglass::test {

void MemoryModel::append(std::size_t count, std::size_t aliveTarget) {
    for (std::size_t i = 0; i < count; ++i) {
        if (random(3) != 0)
            m_time += static_cast<std::int64_t>(1 + random(200));
        if (m_alive.empty() || random(2 * aliveTarget) >= m_alive.size()) {
            AllocationRow row;
            row.bytes =
                static_cast<std::int64_t>(1 + random(6)) * 1024;  // few sizes: equal totals are common
            row.requested = row.bytes;
            row.category = static_cast<Category>(random(kStoredCategoryCount));
            m_writer.appendAllocation(Nanoseconds(m_time), row);
            m_alive.push_back(m_allocations.size());
            m_events.push_back({m_time, m_allocations.size(), true});
            m_allocations.push_back({row.bytes, row.category, true, m_events.size() - 1, std::nullopt});
        } else {
            const std::size_t pick = random(m_alive.size());
            const std::size_t freed = m_alive[pick];
            m_alive[pick] = m_alive.back();
            m_alive.pop_back();
            m_writer.appendFree(Nanoseconds(m_time), AllocationId(freed));
            m_events.push_back({m_time, freed, false});
            m_allocations[freed].alive = false;
            m_allocations[freed].freeEvent = m_events.size() - 1;
        }
    }
}

void MemoryModel::recategorize() {
    for (std::size_t i = m_settled; i < m_allocations.size(); ++i) {
        if (random(3) != 0)
            continue;
        m_allocations[i].category = static_cast<Category>(random(kStoredCategoryCount));
        m_writer.setCategory(AllocationId(i), m_allocations[i].category);
    }
}

void MemoryModel::settle() {
    m_settled = m_allocations.size();
    m_writer.settle();
}

std::shared_ptr<const Snapshot> MemoryModel::commit() {
    m_writer.commit(Nanoseconds(m_time));
    return m_writer.feed()->latest();
}

std::vector<CategoryBytes> MemoryModel::replay() const {
    std::vector<CategoryBytes> sums;
    CategoryBytes now{};
    for (std::size_t i = 0; i < m_events.size(); ++i) {
        const Event& event = m_events[i];
        const Allocation& allocation = m_allocations[event.allocation];
        const bool counts =
            !eventLost(i) && !rowLost(event.allocation) && !eventLost(allocation.allocateEvent);
        if (counts)
            now[static_cast<std::size_t>(allocation.category)] +=
                event.allocates ? allocation.bytes : -allocation.bytes;
        sums.push_back(now);
    }
    return sums;
}

std::vector<AllocationId> MemoryModel::aliveAt(std::int64_t t) const {
    std::vector<AllocationId> alive;
    for (std::size_t i = 0; i < m_allocations.size(); ++i) {
        const Allocation& allocation = m_allocations[i];
        const bool begun =
            !eventLost(allocation.allocateEvent) && m_events[allocation.allocateEvent].time <= t;
        const bool ended = allocation.freeEvent && !eventLost(*allocation.freeEvent) &&
                           m_events[*allocation.freeEvent].time <= t;
        if (begun && !ended)
            alive.emplace_back(i);
    }
    return alive;
}

}  // namespace warpglass::test
