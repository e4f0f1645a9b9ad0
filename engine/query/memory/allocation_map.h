// Every allocation of a run as a block in time: what lives when, where it lies, and the largest of any
// stretch of time without looking at the others.
//
// Rows are in order of birth. Nested lists of the largest 16,384, 65,536, … rows, each with the latest end of
// every 64 of its rows, make "the N largest that live within this range" cost O(N log n); sums over all that
// live within it come from two sorted columns.
//
// A place is an offset in packed addresses: the pieces of address space that segments and allocations ever
// took, one after another, without the gaps between them. Runs without segments (on the CPU) have none.
//
// Memory: about 60 bytes an allocation, while it is made about 30 more. Immutable once made; any thread. Its
// parts are made on a few threads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/allocation_filter.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

class AllocationMap {
public:
    AllocationMap() = default;
    /// Rows that are damaged or have no bytes are left out. Times never go back: entries out of order in a
    /// file from outside count at the moment before. With conditions, only what passes them is included, at
    /// its place among all allocations.
    explicit AllocationMap(const MemoryTimeline& memory, const AllocationConditions& conditions = {});

    std::size_t size() const { return m_begin.size(); }
    bool hasPlaces() const { return !m_places.empty(); }

    AllocationId id(std::size_t row) const { return AllocationId(m_ids[row]); }
    /// Lives in [begin, end); end is the run's when it was never freed.
    std::int64_t begin(std::size_t row) const { return m_begin[row]; }
    std::int64_t end(std::size_t row) const { return m_end[row]; }
    std::int64_t bytes(std::size_t row) const { return m_bytes[row]; }
    Category category(std::size_t row) const { return m_category[row]; }
    /// Precondition: hasPlaces().
    std::int64_t place(std::size_t row) const { return m_places[row]; }
    std::optional<std::size_t> rowOf(AllocationId id) const;

    /// A stretch of address space that is whole, and where it begins when the gaps are left out.
    struct Piece {
        std::uint64_t address = 0;
        std::int64_t bytes = 0;
        std::int64_t place = 0;
    };
    /// By address.
    const std::vector<Piece>& pieces() const { return m_pieces; }
    /// How high the pieces are together.
    std::int64_t placeEnd() const {
        return m_pieces.empty() ? 0 : m_pieces.back().place + m_pieces.back().bytes;
    }
    std::uint64_t addressAt(std::int64_t place) const;
    /// The inverse; nothing in a gap.
    std::optional<std::int64_t> placeAt(std::uint64_t address) const;

    struct Sum {
        std::int64_t count = 0;
        std::int64_t bytes = 0;
        bool operator==(const Sum&) const = default;
    };
    /// Sum over all allocations that are live at some moment in the range.
    Sum livingWithin(TimeRange range) const;
    /// Live bytes at a moment.
    std::int64_t bytesAt(std::int64_t t) const { return bornBytes(bornUntil(t)) - freedBytes(freedUntil(t)); }
    /// The `most` largest that live within the range (of equal ones the elder), in order of birth.
    std::vector<std::uint32_t> largestWithin(TimeRange range, std::size_t most) const;
    /// Calls fn(row) for every row that lives within the range, in order of birth: O(log n) a row and below.
    template <class Fn>
    void forEachWithin(TimeRange range, Fn&& fn) const {
        if (!m_levels.empty())
            forEachOf(m_levels.back(), range, fn);
    }

private:
    static constexpr std::size_t kFan = 64;
    /// The largest rows, in order of birth, with the latest end of every kFan of them, every kFan² …
    struct Level {
        std::vector<std::uint32_t> rows;
        std::vector<std::vector<std::int64_t>> latestEnd;
    };

    struct Taken;
    struct SizeClasses;

    std::vector<std::uint32_t> takeRows(const MemoryTimeline& memory, const AllocationConditions& conditions);
    void takeStretch(const MemoryTimeline& memory, const AllocationTest& test, Taken& taken,
                     std::vector<std::uint32_t>& freeEvents);
    void joinStretches(const std::vector<Taken>& taken, std::vector<std::uint32_t>& freeEvents);
    void makePieces(const Snapshot& snapshot);
    std::vector<std::uint32_t> placeRows(const Snapshot& snapshot);
    const Piece* pieceAt(std::uint64_t address) const;
    void makeOrderOfEnds(const std::vector<std::uint32_t>& freeEvents, std::uint64_t events);
    void makeSums();
    void makeLevels();
    void takeLargest(const std::vector<std::uint32_t>& from, std::size_t count, const SizeClasses& sizes,
                     std::vector<std::uint32_t>& largest) const;
    void makeLatestEnds(Level& level) const;
    std::size_t bornUntil(std::int64_t t) const;
    std::size_t freedUntil(std::int64_t t) const;
    std::int64_t bornBytes(std::size_t rows) const;
    std::int64_t freedBytes(std::size_t rows) const;

    template <class Fn>
    void forEachOf(const Level& level, TimeRange range, Fn&& fn) const;
    template <class Fn>
    void descend(const Level& level, std::size_t depth, std::size_t from, std::size_t to, std::int64_t after,
                 Fn&& fn) const;
    std::size_t rowsBornBefore(const Level& level, std::int64_t t) const;

    std::vector<std::uint32_t> m_ids;
    std::vector<std::int64_t> m_begin, m_end, m_bytes, m_places;
    std::vector<Category> m_category;
    std::vector<Piece> m_pieces;
    /// Rows in order of their end; bytes of the first kFan · i rows by birth and by end.
    std::vector<std::uint32_t> m_byEnd;
    std::vector<std::int64_t> m_bornSums, m_freedSums;
    std::vector<Level> m_levels;
};

template <class Fn>
void AllocationMap::descend(const Level& level, std::size_t depth, std::size_t from, std::size_t to,
                            std::int64_t after, Fn&& fn) const {
    // Entries [from, to) of `depth`: 0 for rows, d for kFan^d rows each.
    for (std::size_t i = from; i < to; ++i) {
        if (depth == 0) {
            if (m_end[level.rows[i]] > after)
                fn(level.rows[i]);
        } else if (level.latestEnd[depth - 1][i] > after) {
            const std::size_t below = depth == 1 ? level.rows.size() : level.latestEnd[depth - 2].size();
            descend(level, depth - 1, i * kFan, std::min(below, (i + 1) * kFan), after, fn);
        }
    }
}

template <class Fn>
void AllocationMap::forEachOf(const Level& level, TimeRange range, Fn&& fn) const {
    const std::size_t born = rowsBornBefore(level, range.end.value);
    // Whole entries of the highest depth first, then what is left over of each depth below.
    std::size_t done = 0;
    for (std::size_t depth = level.latestEnd.size() + 1; depth-- > 0;) {
        std::size_t rowsEach = 1;
        for (std::size_t i = 0; i < depth; ++i)
            rowsEach *= kFan;
        const std::size_t first = done / rowsEach, last = born / rowsEach;
        descend(level, depth, first, last, range.begin.value, fn);
        done = last * rowsEach;
    }
}

}  // namespace warpglass
