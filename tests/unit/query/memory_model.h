// Random memory events written through TraceWriter, and a plain record of them to replay from zero: the
// oracle that MemoryTimeline is held against.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "engine/query/memory/memory_timeline.h"
#include "engine/trace/trace_writer.h"

namespace warpglass::test {

class MemoryModel {
public:
    struct Event {
        std::int64_t time;
        std::size_t allocation;
        bool allocates;
    };
    struct Allocation {
        std::int64_t bytes;
        Category category;
        bool alive = true;
        std::size_t allocateEvent = 0;
        std::optional<std::size_t> freeEvent;
    };

    explicit MemoryModel(std::uint64_t seed) : m_random(seed) {}

    TraceWriter& writer() { return m_writer; }
    /// `count` events; several may share a moment. The share of frees rises with what is alive, around
    /// `aliveTarget`.
    void append(std::size_t count, std::size_t aliveTarget = 300);
    /// Gives some unsettled allocations, alive or freed, another category.
    void recategorize();
    void settle();
    std::shared_ptr<const Snapshot> commit();

    /// What was lost: an event or an allocation's row for which this holds does not count.
    std::function<bool(std::size_t)> eventLost = [](std::size_t) { return false; };
    std::function<bool(std::size_t)> rowLost = [](std::size_t) { return false; };

    const std::vector<Event>& events() const { return m_events; }
    const std::vector<Allocation>& allocations() const { return m_allocations; }
    /// The sums after every event, replayed from zero with the categories as they are now.
    std::vector<CategoryBytes> replay() const;
    /// What is alive after the last event at or before t, by trying every allocation.
    std::vector<AllocationId> aliveAt(std::int64_t t) const;
    std::uint64_t random(std::uint64_t below) { return m_random() % below; }
    std::int64_t endTime() const { return m_time; }

private:
    std::mt19937_64 m_random;
    TraceWriter m_writer;
    std::vector<Event> m_events;
    std::vector<Allocation> m_allocations;
    std::vector<std::size_t> m_alive;
    std::int64_t m_time = 100;
    std::size_t m_settled = 0;
};

}  // namespace warpglass::test
