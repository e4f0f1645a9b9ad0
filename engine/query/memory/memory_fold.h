// The index behind MemoryTimeline: blocks of events, the lifetime of every allocation, lists of live
// allocations.
//
// What each event adds is kept in columns of its own, in the order of events: a chart's column takes up to
// 126 of them one by one, and to look each up by its allocation's id would be a cache miss each.
//
// Internal to engine/query. Memory: about 2.9 bytes an event for the blocks, 9 for what it adds, 8 an
// allocation for its life, below 16 an event for the lists of live allocations. update() is for one thread,
// while no other reads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "engine/base/check.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/weight_copies.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// The lowest and highest total of a stretch of time, and the categories at the (first) highest.
class MemoryExtremes {
public:
    /// `events`: how many had happened.
    void hold(std::uint64_t events, std::int64_t time, std::int64_t total, const CategoryBytes& bytes) {
        hold(
            events, [time] { return time; }, total, bytes);
    }
    /// The same where the time, timeOf(), is only worth looking up at a new highest.
    template <class TimeOf>
    requires std::is_invocable_v<TimeOf>
    void hold(std::uint64_t events, TimeOf&& timeOf, std::int64_t total, const CategoryBytes& bytes) {
        if (m_empty || total > m_maxTotal) {
            m_maxTotal = total;
            m_peakTime = timeOf();
            m_peakEvents = events;
            m_atPeak = bytes;
        }
        m_minTotal = m_empty || total < m_minTotal ? total : m_minTotal;
        m_empty = false;
    }
    /// Takes over the extremes of the stretch that follows. Precondition: it has some.
    void follow(const MemoryExtremes& next) {
        hold(next.m_peakEvents, next.m_peakTime, next.m_maxTotal, next.m_atPeak);
        m_minTotal = next.m_minTotal < m_minTotal ? next.m_minTotal : m_minTotal;
    }

    std::int64_t minTotal() const { return m_minTotal; }
    std::int64_t maxTotal() const { return m_maxTotal; }
    std::uint64_t peakEvents() const { return m_peakEvents; }
    MemoryPoint peak() const { return {Nanoseconds(m_peakTime), m_atPeak}; }

private:
    CategoryBytes m_atPeak{};
    std::int64_t m_minTotal = 0;
    std::int64_t m_maxTotal = 0;
    std::int64_t m_peakTime = 0;
    std::uint64_t m_peakEvents = 0;
    bool m_empty = true;
};

class MemoryFold {
public:
    /// The sums after the first index() events; walks forward by blocks where it can. Valid until the next
    /// extend().
    class Cursor {
    public:
        std::uint64_t index() const { return m_index; }
        const CategoryBytes& bytes() const { return m_bytes; }
        std::int64_t total() const { return m_total; }
        /// Takes in events up to `last` (exclusive), and in `extremes` what held after each of them.
        void advanceTo(std::uint64_t last, MemoryExtremes& extremes);

    private:
        friend class MemoryFold;
        Cursor(const MemoryFold& fold, std::uint64_t index, const CategoryBytes& bytes)
            : m_fold(&fold), m_index(index), m_bytes(bytes), m_total(sumOf(bytes)) {}
        void step();

        const MemoryFold* m_fold;
        std::uint64_t m_index;
        CategoryBytes m_bytes;
        std::int64_t m_total;
    };

    /// Precondition: null so far, or the snapshot continues the last one.
    void extend(std::shared_ptr<const Snapshot> snapshot);
    const std::shared_ptr<const Snapshot>& snapshot() const { return m_snapshot; }

    std::uint64_t eventCount() const { return m_events; }
    /// The time of an event; in a damaged chunk that of the last event before it (0 when there is none).
    std::int64_t eventTime(std::uint64_t event) const {
        const MemoryEventChunk* chunk = m_eventChunks[static_cast<std::size_t>(event / kChunkRows)];
        return chunk ? chunk->time[event % kChunkRows] : timeBeforeLost(event);
    }
    /// The first event at or after t, or after t; eventCount() when there is none.
    std::uint64_t firstEventAt(std::int64_t t) const;
    std::uint64_t firstEventAfter(std::int64_t t) const;
    /// The first event at or after t that is not before `from`: O(log of how far it is).
    std::uint64_t firstEventAt(std::int64_t t, std::uint64_t from) const;

    /// Precondition: index <= eventCount().
    Cursor cursorAt(std::uint64_t index) const;
    /// What is alive after the first `events` events, in order of allocation.
    std::vector<AllocationId> aliveAfter(std::uint64_t events) const;
    /// Nothing when there is no such event, or it is lost.
    std::optional<std::uint64_t> allocateEventOf(AllocationId id) const {
        WG_CHECK(id.index() < m_lives.size());
        const std::uint32_t event = m_lives[id.index()].allocated;
        return event == kNoEvent ? std::nullopt : std::optional<std::uint64_t>(event);
    }
    std::optional<std::uint64_t> freeEventOf(AllocationId id) const {
        WG_CHECK(id.index() < m_lives.size());
        const std::uint32_t event = m_lives[id.index()].freed;
        return event == kNoEvent ? std::nullopt : std::optional<std::uint64_t>(event);
    }
    /// That of what its event added.
    Category categoryOf(AllocationId id) const {
        const auto event = allocateEventOf(id);
        return event ? m_deltaCategories[*event] : storedCategoryOf(id.value);
    }

private:
    static constexpr std::uint64_t kSuperEvents = std::uint64_t{kBlockRows} * 64;
    static constexpr std::uint32_t kNoEvent = 0xffffffffu;  // a table holds at most 2³⁰ rows

    struct Block {
        MemoryExtremes extremes;
        CategoryBytes atEnd{};
    };
    struct Life {
        std::uint32_t allocated = kNoEvent;
        std::uint32_t freed = kNoEvent;
    };
    /// What is alive after `events` events: m_aliveLists from `begin` to the next list's begin.
    struct AliveList {
        std::uint64_t events = 0;
        std::size_t begin = 0;
    };
    struct Delta {
        Category category = Category::kUnknown;
        std::int64_t bytes = 0;
    };

    void cacheChunks();
    void recordLives(std::uint64_t from);
    void recordDeltas();
    std::int64_t timeBeforeLost(std::uint64_t event) const;
    void foldBlocks();
    std::uint64_t settledEvents() const;
    std::vector<std::uint32_t> aliveIds(std::uint64_t events) const;
    Delta deltaOf(std::uint64_t event, WeightCopies& copies) const;
    Category storedCategoryOf(std::uint32_t id) const;
    template <class Before>
    std::uint64_t partitionEvents(std::uint64_t from, Before&& before) const;

    std::shared_ptr<const Snapshot> m_snapshot;
    // Null where damaged. The snapshot keeps them alive.
    std::vector<const MemoryEventChunk*> m_eventChunks;
    std::vector<const AllocationChunk*> m_allocationChunks;

    std::uint64_t m_events = 0;
    std::vector<Life> m_lives;  // by allocation
    // deltaOf() every event.
    std::vector<std::int64_t> m_deltaBytes;
    std::vector<Category> m_deltaCategories;
    std::vector<AliveList> m_aliveIndex;
    std::vector<std::uint32_t> m_aliveLists;

    // Complete ones only; those from m_finalBlocks on may still change their categories.
    std::vector<Block> m_blocks;
    std::vector<std::int64_t>
        m_blockEnds;  // time of each block's last event, apart for a dense binary search
    std::vector<Block> m_superBlocks;
    std::size_t m_finalBlocks = 0;
};

}  // namespace warpglass
