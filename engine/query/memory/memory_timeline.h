// Memory over time: the sum by category after every event, the peak, and what was alive at any moment.
//
// Events are folded into blocks of 64 as they arrive: each block keeps the category sums at its end and at
// its highest point, and each 64 blocks a super-block, so a chart of W pixels costs O(W · 64) at any zoom. A
// list of the live allocations every 4,096 events (more rarely where more than 8,192 are alive, so that the
// lists together stay below 16 bytes an event) makes "alive at t" O(4,096 + alive), never a replay from zero.
// Events whose categories are not settled yet are folded again at each update; they are at most one phase's.
//
// Rows of a damaged chunk count nothing: an event that is lost, or whose allocation's row is lost, changes no
// sum; the free of an allocation whose own event is lost is ignored, so that no sum is ever below zero.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// Bytes by Category, in its order.
using CategoryBytes = std::array<std::int64_t, kCategoryCount>;
constexpr std::int64_t sumOf(const CategoryBytes& bytes) {
    std::int64_t sum = 0;
    for (std::int64_t b : bytes)
        addWrapping(sum, b);
    return sum;
}

/// Calls fn(AllocationId, const AllocationRow&) for each of them whose row can be read.
template <class Fn>
void forEachAllocation(const Snapshot& snapshot, const std::vector<AllocationId>& ids, Fn&& fn) {
    for (const AllocationId id : ids) {
        if (const auto row = snapshot.allocation(id))
            fn(id, *row);
    }
}

struct MemoryPoint {
    Nanoseconds time;
    CategoryBytes bytes{};
};

/// One pixel column of a memory chart.
struct MemoryColumn {
    /// By category at the column's highest total: a stack of these reaches the true maximum.
    CategoryBytes atPeak{};
    std::int64_t minTotal = 0;
    std::int64_t maxTotal = 0;
    Nanoseconds peakTime;
    /// How many events had happened at the highest total.
    std::uint64_t peakEvents = 0;
};

struct AllocationLife {
    static constexpr std::uint32_t kNoEvent = 0xffffffffu;  // a table holds at most 2³⁰ rows

    Nanoseconds allocated, freed;  // of no event: nothing
    /// kNoEvent where it is lost, or where there was none.
    std::uint32_t allocateEvent = kNoEvent, freeEvent = kNoEvent;
};

/// update() is for one thread, while no other reads; all else may be called from several at once.
class MemoryTimeline {
public:
    MemoryTimeline();
    ~MemoryTimeline();
    MemoryTimeline(MemoryTimeline&&) noexcept;
    MemoryTimeline& operator=(MemoryTimeline&&) noexcept;

    /// Folds in what a later snapshot of the same run adds; a snapshot of another run (or an earlier one)
    /// starts over.
    void update(std::shared_ptr<const Snapshot> snapshot);
    const std::shared_ptr<const Snapshot>& snapshot() const;

    std::uint64_t eventCount() const;
    /// Sums after the last event at or before t; zeros before the first.
    CategoryBytes at(Nanoseconds t) const;
    /// Sums after event `index`. Precondition: index < eventCount().
    MemoryPoint afterEvent(std::uint64_t index) const;
    /// The first moment of the highest total within the range (the whole run's by default). What held when
    /// the range began counts, at that moment. Nothing without events or for an empty range.
    std::optional<MemoryPoint> peak() const;
    std::optional<MemoryPoint> peakIn(TimeRange range) const;
    /// `width` columns over the range, each with what held during it (its value at its start counts). A range
    /// of fewer ns than columns repeats values; an empty one gives none.
    std::vector<MemoryColumn> columns(TimeRange range, std::size_t width) const;
    /// `width` columns over the events [first, last), evenly spaced, each with what held after each of its
    /// events; where there are fewer events than columns, one event fills several.
    std::vector<MemoryColumn> columnsOfEvents(std::uint64_t first, std::uint64_t last,
                                              std::size_t width) const;

    /// What an allocation counts as, here and wherever categories are shown: as the run stores it, but for
    /// copies of weights (weight_copies.h). Precondition: id is in the snapshot.
    Category categoryOf(AllocationId id) const;
    /// Allocations alive after the last event at or before t, in order of allocation.
    std::vector<AllocationId> aliveAt(Nanoseconds t) const;
    /// Whether its event is known: not where a damaged chunk held it.
    bool wasAllocated(AllocationId id) const;
    /// The events that made and freed it; nothing when there is none, or it is lost.
    std::optional<std::uint64_t> allocateEvent(AllocationId id) const;
    std::optional<std::uint64_t> freeEvent(AllocationId id) const;
    /// The first event after t; eventCount() when there is none.
    std::uint64_t firstEventAfter(Nanoseconds t) const;
    /// The time of an event. Precondition: index < eventCount().
    Nanoseconds eventTime(std::uint64_t index) const;
    /// When an allocation was made and freed; no end while it lives. 0 where a damaged chunk held its event.
    /// Precondition: id is in the snapshot.
    Nanoseconds allocatedAt(AllocationId id) const;
    std::optional<Nanoseconds> freedAt(AllocationId id) const;
    /// The same for `lives.size()` consecutive allocations; many at once take a third of the time.
    /// Precondition: they are in the snapshot.
    void livesFrom(AllocationId first, std::span<AllocationLife> lives) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpglass
