// Memory over time by module or by op: the largest groups at the run's peak, and the rest together.
//
// The sums of every group are kept after each 64 events, so that a chart of W columns costs O(W · 64): the
// columns themselves are MemoryTimeline's, which say after how many events each reaches its highest.
//
// Memory: 1.1 bytes an event and 1 an allocation. Immutable once made; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

enum class MemoryGrouping : std::uint8_t {
    /// moduleStem(): "embed", "blocks.7", "head"; for a model with more of them than can be told apart,
    /// modulePart(): "blocks.*.attn", so that many alike blocks are not split into a few that have groups and
    /// a rest.
    kModule,
    /// As memory_op.h has it.
    kOp
};

class MemoryGroups {
public:
    /// This many groups, and one for the rest: the number of colors that can be told apart.
    static constexpr std::size_t kMost = 8;
    using Bytes9 = std::array<std::int64_t, kMost + 1>;

    MemoryGroups() = default;
    MemoryGroups(const MemoryTimeline& memory, MemoryGrouping grouping);

    /// In stacking order: modules in the order in which the run first met them, ops by their bytes at the
    /// peak; "rest" comes last, if there is one.
    const std::vector<std::string>& names() const { return m_names; }
    bool hasRest() const { return m_hasRest; }
    std::size_t groupOf(AllocationId id) const {
        return id.index() < m_groups.size() ? m_groups[id.index()] : kMost;
    }

    /// The sums after a number of events. Cheap if called in rising order.
    class Cursor {
    public:
        /// `memory`: of the snapshot that the groups were made from, or a later one of the same run, whose
        /// new allocations count as the rest.
        Cursor(const MemoryGroups& groups, const MemoryTimeline& memory)
            : m_groups(&groups), m_memory(&memory) {}
        /// Precondition: events <= memory.eventCount(). The rest is at kMost; groups without a name are 0.
        const Bytes9& after(std::uint64_t events);

    private:
        const MemoryGroups* m_groups;
        const MemoryTimeline* m_memory;
        std::uint64_t m_events = 0;
        Bytes9 m_bytes{};
    };

private:
    static constexpr std::uint64_t kBlock = 64;

    std::vector<std::string> m_names;
    bool m_hasRest = false;
    std::vector<std::uint8_t> m_groups;  // by allocation
    std::vector<Bytes9> m_sums;          // after kBlock · i events
};

}  // namespace warpglass
