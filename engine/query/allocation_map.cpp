#include "engine/query/allocation_map.h"

#include <algorithm>
#include <numeric>

#include "engine/base/parallel.h"

namespace warpglass {

namespace {

/// The smallest list of the largest: about as many blocks as a view draws.
constexpr std::size_t kSmallestLevel = 16384;
constexpr std::uint32_t kNoRow = 0xffffffffu;
/// From so many rows on, a few ms of work, the parts of the index are made beside each other.
constexpr std::size_t kWorthThreads = 50'000;
/// Beyond any real size and address, so that sums of an address and a size do not wrap.
constexpr std::int64_t kMaxSize = std::int64_t{1} << 48;
constexpr std::uint64_t kMaxAddress = std::uint64_t{1} << 62;

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

void addRange(std::vector<Range>& ranges, std::uint64_t address, std::int64_t bytes) {
    if (bytes > 0 && bytes <= kMaxSize && address <= kMaxAddress)
        ranges.push_back({address, address + static_cast<std::uint64_t>(bytes)});
}

/// Sorted, with what overlaps or touches joined.
void join(std::vector<Range>& ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (const Range& range : ranges) {
        if (kept > 0 && range.begin <= ranges[kept - 1].end)
            ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
        else
            ranges[kept++] = range;
    }
    ranges.resize(kept);
}

}  // namespace

AllocationMap::AllocationMap(const MemoryTimeline& memory, const AllocationConditions& conditions) {
    if (!memory.snapshot())
        return;
    const std::vector<std::uint32_t> freedBy = takeRows(memory, conditions);
    const auto pieces = [&] {
        if (memory.snapshot()->segmentEventCount() > 0)
            makePieces(*memory.snapshot());
    };
    const auto sums = [&] {
        makeOrderOfEnds(freedBy);
        makeSums();
    };
    if (size() < kWorthThreads) {
        pieces();
        sums();
        makeLevels();
        return;
    }
    runTogether({pieces, sums, [this] { makeLevels(); }});
}

/// Returns which row each event freed.
std::vector<std::uint32_t> AllocationMap::takeRows(const MemoryTimeline& memory,
                                                   const AllocationConditions& conditions) {
    const Snapshot& snapshot = *memory.snapshot();
    const std::uint64_t count = snapshot.allocationCount();
    const std::int64_t runEnd = snapshot.range().end.value + 1;  // the last moment is part of the run
    std::int64_t latest = 0;
    std::vector<std::uint32_t> freedBy(static_cast<std::size_t>(memory.eventCount()), kNoRow);
    m_ids.reserve(static_cast<std::size_t>(count));
    m_begin.reserve(static_cast<std::size_t>(count));
    m_end.reserve(static_cast<std::size_t>(count));
    m_bytes.reserve(static_cast<std::size_t>(count));
    m_category.reserve(static_cast<std::size_t>(count));
    const AllocationTest test(snapshot, conditions);
    for (std::uint64_t i = 0; i < count; ++i) {
        const AllocationId id(static_cast<std::uint32_t>(i));
        const AllocationChunk* chunk = snapshot.allocationChunk(static_cast<std::size_t>(i / kChunkRows));
        const auto allocated = memory.allocateEvent(id);
        if (!chunk || !allocated)
            continue;
        const std::int64_t bytes = chunk->bytes[i % kChunkRows];
        if (bytes <= 0 || bytes > kMaxSize)
            continue;
        latest = std::max(latest, memory.eventTime(*allocated).value);
        if (!test.passesAll() && !test.passes(id, snapshot.allocation(id).value_or(AllocationRow())))
            continue;
        const auto freed = memory.freeEvent(id);
        if (freed)
            freedBy[static_cast<std::size_t>(*freed)] = static_cast<std::uint32_t>(m_ids.size());
        m_ids.push_back(id.value);
        m_begin.push_back(latest);
        m_end.push_back(std::max(latest + 1, freed ? memory.eventTime(*freed).value : runEnd));
        m_bytes.push_back(bytes);
        m_category.push_back(std::min(snapshot.categoryOf(id), Category::kUnknown));
    }
    return freedBy;
}

void AllocationMap::makePieces(const Snapshot& snapshot) {
    std::vector<Range> ranges;
    for (std::uint64_t i = 0; i < snapshot.segmentEventCount(); ++i) {
        const auto event = snapshot.segmentEvent(i);
        if (event && (event->action == SegmentAction::kAllocate || event->action == SegmentAction::kMap))
            addRange(ranges, event->address, event->bytes);
    }
    join(ranges);
    const auto addressOf = [&](std::size_t row) {
        return snapshot.allocationChunk(m_ids[row] / kChunkRows)->address[m_ids[row] % kChunkRows];
    };
    // What lies in a segment adds nothing; what does not, events having been lost, gets a place all the same.
    const std::vector<Range> segments = ranges;
    const auto segmentOf = [&](std::uint64_t address) {
        return std::upper_bound(segments.begin(), segments.end(), address,
                                [](std::uint64_t a, const Range& range) { return a < range.begin; }) -
               segments.begin() - 1;  // -1 before the first
    };
    std::vector<std::int32_t> within(size(), -1);
    for (std::size_t row = 0; row < size(); ++row) {
        const std::uint64_t address = addressOf(row);
        const auto segment = segmentOf(address);
        if (segment >= 0 && address + static_cast<std::uint64_t>(m_bytes[row]) <=
                                segments[static_cast<std::size_t>(segment)].end)
            within[row] = static_cast<std::int32_t>(segment);
        else
            addRange(ranges, address, m_bytes[row]);
    }
    const bool allWithin = ranges.size() == segments.size();
    join(ranges);
    std::int64_t place = 0;
    m_pieces.reserve(ranges.size());
    for (const Range& range : ranges) {
        const auto bytes = static_cast<std::int64_t>(range.end - range.begin);
        m_pieces.push_back({range.begin, bytes, place});
        place = wrappingAdd(place, bytes);
    }
    const auto pieceOf = [&](std::uint64_t address) {
        return std::upper_bound(m_pieces.begin(), m_pieces.end(), address,
                                [](std::uint64_t a, const Piece& piece) { return a < piece.address; }) -
               m_pieces.begin() - 1;
    };
    m_places.reserve(size());
    for (std::size_t row = 0; row < size(); ++row) {
        const std::uint64_t address = addressOf(row);
        // Where nothing lies outside of them, the segments are the pieces.
        const auto index = allWithin && within[row] >= 0 ? std::ptrdiff_t{within[row]} : pieceOf(address);
        if (index < 0) {
            m_places.push_back(0);
            continue;
        }
        const Piece& piece = m_pieces[static_cast<std::size_t>(index)];
        m_places.push_back(piece.place +
                           static_cast<std::int64_t>(std::min<std::uint64_t>(
                               address - piece.address, static_cast<std::uint64_t>(piece.bytes))));
    }
}

/// Frees are in order of time already, and what was never freed ends with the run: nothing is sorted, unless
/// a file states times out of order.
void AllocationMap::makeOrderOfEnds(const std::vector<std::uint32_t>& freedBy) {
    m_byEnd.reserve(size());
    std::vector<bool> freed(size(), false);
    for (const std::uint32_t row : freedBy) {
        if (row == kNoRow)
            continue;
        m_byEnd.push_back(row);
        freed[row] = true;
    }
    for (std::size_t row = 0; row < size(); ++row) {
        if (!freed[row])
            m_byEnd.push_back(static_cast<std::uint32_t>(row));
    }
    const auto endsBefore = [this](std::uint32_t a, std::uint32_t b) { return m_end[a] < m_end[b]; };
    if (!std::is_sorted(m_byEnd.begin(), m_byEnd.end(), endsBefore))
        std::stable_sort(m_byEnd.begin(), m_byEnd.end(), endsBefore);
}

void AllocationMap::makeSums() {
    std::int64_t born = 0, freed = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        if (i % kFan == 0) {
            m_bornSums.push_back(born);
            m_freedSums.push_back(freed);
        }
        born = wrappingAdd(born, m_bytes[i]);
        freed = wrappingAdd(freed, m_bytes[m_byEnd[i]]);
    }
}

void AllocationMap::makeLevels() {
    struct Sized {
        std::int64_t bytes;
        std::uint32_t row;
        bool operator<(const Sized& other) const {  // larger, of equal ones the elder, first
            return bytes != other.bytes ? bytes > other.bytes : row < other.row;
        }
    };
    std::vector<std::size_t> counts;
    for (std::size_t rows = kSmallestLevel; rows < size(); rows *= 4)
        counts.push_back(rows);
    counts.push_back(size());
    m_levels.resize(counts.size());

    // From the longest list down, each a part of the one before: none needs to be sorted.
    std::vector<Sized> largest(size());
    for (std::size_t row = 0; row < size(); ++row)
        largest[row] = {m_bytes[row], static_cast<std::uint32_t>(row)};
    for (std::size_t i = counts.size(); i-- > 0;) {
        Level& level = m_levels[i];
        level.rows.reserve(counts[i]);
        if (i + 1 == counts.size()) {
            level.rows.resize(size());
            std::iota(level.rows.begin(), level.rows.end(), 0u);
        } else {
            const auto last = largest.begin() + static_cast<std::ptrdiff_t>(counts[i]) - 1;
            std::nth_element(largest.begin(), last, largest.end());
            const Sized least = *last;
            largest.resize(counts[i]);
            std::copy_if(m_levels[i + 1].rows.begin(), m_levels[i + 1].rows.end(),
                         std::back_inserter(level.rows), [&](std::uint32_t row) {
                             return !(least < Sized{m_bytes[row], row});
                         });
        }
        makeLatestEnds(level);
    }
}

void AllocationMap::makeLatestEnds(Level& level) const {
    std::vector<std::int64_t> latest((level.rows.size() + kFan - 1) / kFan, INT64_MIN);
    for (std::size_t i = 0; i < level.rows.size(); ++i)
        latest[i / kFan] = std::max(latest[i / kFan], m_end[level.rows[i]]);
    for (std::size_t below = level.rows.size(); below > kFan;) {
        level.latestEnd.push_back(latest);
        below = latest.size();
        std::vector<std::int64_t> next((below + kFan - 1) / kFan, INT64_MIN);
        for (std::size_t i = 0; i < below; ++i)
            next[i / kFan] = std::max(next[i / kFan], latest[i]);
        latest = std::move(next);
    }
}

std::optional<std::size_t> AllocationMap::rowOf(AllocationId id) const {
    const auto found = std::lower_bound(m_ids.begin(), m_ids.end(), id.value);
    if (found == m_ids.end() || *found != id.value)
        return std::nullopt;
    return static_cast<std::size_t>(found - m_ids.begin());
}

std::uint64_t AllocationMap::addressAt(std::int64_t place) const {
    const auto after = std::upper_bound(m_pieces.begin(), m_pieces.end(), place,
                                        [](std::int64_t p, const Piece& piece) { return p < piece.place; });
    if (after == m_pieces.begin())
        return 0;
    return (after - 1)->address + static_cast<std::uint64_t>(place - (after - 1)->place);
}

/// How many were born at or before t.
std::size_t AllocationMap::bornUntil(std::int64_t t) const {
    return static_cast<std::size_t>(std::upper_bound(m_begin.begin(), m_begin.end(), t) - m_begin.begin());
}

/// How many had ended at t.
std::size_t AllocationMap::freedUntil(std::int64_t t) const {
    const auto after = std::partition_point(m_byEnd.begin(), m_byEnd.end(),
                                            [&](std::uint32_t row) { return m_end[row] <= t; });
    return static_cast<std::size_t>(after - m_byEnd.begin());
}

std::int64_t AllocationMap::bornBytes(std::size_t rows) const {
    if (rows == 0)
        return 0;
    std::int64_t sum = m_bornSums[(rows - 1) / kFan];
    for (std::size_t i = (rows - 1) / kFan * kFan; i < rows; ++i)
        sum = wrappingAdd(sum, m_bytes[i]);
    return sum;
}

std::int64_t AllocationMap::freedBytes(std::size_t rows) const {
    if (rows == 0)
        return 0;
    std::int64_t sum = m_freedSums[(rows - 1) / kFan];
    for (std::size_t i = (rows - 1) / kFan * kFan; i < rows; ++i)
        sum = wrappingAdd(sum, m_bytes[m_byEnd[i]]);
    return sum;
}

AllocationMap::Sum AllocationMap::livingWithin(TimeRange range) const {
    if (range.begin >= range.end)
        return {};
    const std::size_t born = bornUntil(range.end.value - 1), freed = freedUntil(range.begin.value);
    return {static_cast<std::int64_t>(born) - static_cast<std::int64_t>(freed),
            wrappingAdd(bornBytes(born), -freedBytes(freed))};
}

std::size_t AllocationMap::rowsBornBefore(const Level& level, std::int64_t t) const {
    const auto after = std::partition_point(level.rows.begin(), level.rows.end(),
                                            [&](std::uint32_t row) { return m_begin[row] < t; });
    return static_cast<std::size_t>(after - level.rows.begin());
}

std::vector<std::uint32_t> AllocationMap::largestWithin(TimeRange range, std::size_t most) const {
    std::vector<std::uint32_t> rows;
    if (range.begin >= range.end)
        return rows;
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        const bool last = i + 1 == m_levels.size();
        if (!last && m_levels[i].rows.size() < most)
            continue;
        rows.clear();
        forEachOf(m_levels[i], range, [&](std::uint32_t row) { rows.push_back(row); });
        if (rows.size() >= most)
            break;  // what is in no list so far is smaller than all of these
    }
    if (rows.size() > most) {
        const auto nth = rows.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(rows.begin(), nth, rows.end(), [this](std::uint32_t a, std::uint32_t b) {
            return m_bytes[a] != m_bytes[b] ? m_bytes[a] > m_bytes[b] : a < b;
        });
        rows.resize(most);
        std::sort(rows.begin(), rows.end());
    }
    return rows;
}

}  // namespace warpglass
