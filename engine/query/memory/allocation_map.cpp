#include "engine/query/memory/allocation_map.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <span>

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
struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct Sized {
    std::int64_t bytes;
    std::uint32_t row;
    bool operator<(const Sized& other) const {  // larger, of equal ones the elder, first
        return bytes != other.bytes ? bytes > other.bytes : row < other.row;
    }
};

/// Sizes in classes, 32 of them a power of two; a larger size is in no lower class.
constexpr std::size_t kSizeClasses = 49 * 32;
std::size_t sizeClass(std::int64_t bytes) {
    const auto size = static_cast<std::uint64_t>(bytes);  // 1 to kMaxSize
    const auto power = static_cast<std::size_t>(std::bit_width(size)) - 1;
    return power * 32 + ((size << 5 >> power) & 31);
}

void addRange(std::vector<Range>& ranges, std::uint64_t address, std::int64_t bytes) {
    if (bytes > 0 && bytes <= kMaxSize && address <= kMaxAddress)
        ranges.push_back({address, address + static_cast<std::uint64_t>(bytes)});
}

/// Sorted, with what overlaps or touches joined.
void join(std::vector<Range>& ranges) {
    std::ranges::sort(ranges, {}, &Range::begin);
    std::size_t kept = 0;
    for (const Range& range : ranges) {
        if (kept > 0 && range.begin <= ranges[kept - 1].end)
            ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
        else
            ranges[kept++] = range;
    }
    ranges.resize(kept);
}

/// As many stretches of so many rows, which together are all of them, as there are threads for.
std::vector<Stretch> stretchesOf(std::size_t rows) {
    const std::size_t parts = threadsFor(rows / kWorthThreads);
    std::vector<Stretch> stretches;
    stretches.reserve(parts);
    for (std::size_t i = 0; i < parts; ++i)
        stretches.push_back({rows * i / parts, rows * (i + 1) / parts});
    return stretches;
}

template <class Fn>
void forEachTogether(const std::vector<Stretch>& stretches, Fn&& fn) {
    std::vector<std::function<void()>> tasks;
    tasks.reserve(stretches.size());
    for (std::size_t i = 0; i < stretches.size(); ++i)
        tasks.push_back([&fn, &stretches, i] { fn(i, stretches[i]); });
    runTogether(tasks);
}

}  // namespace

/// The class of every row, and how many there are of each.
struct AllocationMap::SizeClasses {
    std::vector<std::uint16_t> ofRow;
    std::vector<std::size_t> rows;
};

/// A stretch of ids while its rows are found: they begin at its first id until all stretches are joined.
struct AllocationMap::Taken {
    Stretch ids;
    std::size_t rows = 0;
    std::int64_t latest = 0;  // time of what is in it, left out or not
};

AllocationMap::AllocationMap(const MemoryTimeline& memory, const AllocationConditions& conditions) {
    if (!memory.snapshot())
        return;
    const std::vector<std::uint32_t> freeEvents = takeRows(memory, conditions);
    const auto pieces = [&] {
        if (memory.snapshot()->segmentEventCount() > 0)
            makePieces(*memory.snapshot());
    };
    const auto sums = [&] {
        makeOrderOfEnds(freeEvents, memory.eventCount());
        makeSums();
    };
    if (size() < kWorthThreads) {
        pieces();
        sums();
        makeLevels();
        return;
    }
    runTogether({sums, pieces, [this] { makeLevels(); }});
}

/// Returns which event freed each row.
std::vector<std::uint32_t> AllocationMap::takeRows(const MemoryTimeline& memory,
                                                   const AllocationConditions& conditions) {
    const auto count = static_cast<std::size_t>(memory.snapshot()->allocationCount());
    const AllocationTest test(memory, conditions);
    const std::vector<Stretch> stretches = stretchesOf(count);
    std::vector<std::uint32_t> freeEvents;
    const auto makeRoom = [&] {
        m_begin.resize(count);
        m_end.resize(count);
    };
    const auto makeRoomToo = [&] {
        m_ids.resize(count);
        m_bytes.resize(count);
        m_category.resize(count);
        freeEvents.resize(count);
    };
    if (stretches.size() > 1) {
        runTogether({makeRoom, makeRoomToo});
    } else {
        makeRoom();
        makeRoomToo();
    }
    std::vector<Taken> taken(stretches.size());
    forEachTogether(stretches, [&](std::size_t i, Stretch ids) {
        taken[i].ids = ids;
        takeStretch(memory, test, taken[i], freeEvents);
    });
    joinStretches(taken, freeEvents);
    return freeEvents;
}

void AllocationMap::takeStretch(const MemoryTimeline& memory, const AllocationTest& test, Taken& taken,
                                std::vector<std::uint32_t>& freeEvents) {
    const Snapshot& snapshot = *memory.snapshot();
    const std::int64_t runEnd = snapshot.range().end.value + 1;  // the last moment is part of the run
    std::size_t row = taken.ids.begin;
    std::array<AllocationLife, 512> lives;
    const AllocationChunk* chunk = nullptr;
    for (std::size_t i = taken.ids.begin; i < taken.ids.end; ++i) {
        const AllocationId id(static_cast<std::uint32_t>(i));
        const std::size_t at = (i - taken.ids.begin) % lives.size();
        if (at == 0)
            memory.livesFrom(id, std::span(lives).first(std::min(lives.size(), taken.ids.end - i)));
        if (i == taken.ids.begin || i % kChunkRows == 0)
            chunk = snapshot.allocationChunk(i / kChunkRows);
        const AllocationLife& life = lives[at];
        if (!chunk || life.allocateEvent == AllocationLife::kNoEvent)
            continue;
        const std::int64_t bytes = chunk->bytes[i % kChunkRows];
        if (bytes <= 0 || bytes > kMaxSize)
            continue;
        taken.latest = std::max(taken.latest, life.allocated.value);
        if (!test.passesAll() && !test.passes(id, snapshot.allocation(id).value_or(AllocationRow())))
            continue;
        const bool freed = life.freeEvent != AllocationLife::kNoEvent;
        m_ids[row] = id.value;
        m_begin[row] = taken.latest;
        m_end[row] = std::max(taken.latest + 1, freed ? life.freed.value : runEnd);
        m_bytes[row] = bytes;
        m_category[row] = memory.categoryOf(id);
        freeEvents[row] = life.freeEvent;
        ++row;
    }
    taken.rows = row - taken.ids.begin;
}

/// Moves the rows of each stretch to those of the ones before it, and lets time never go back between them.
void AllocationMap::joinStretches(const std::vector<Taken>& taken, std::vector<std::uint32_t>& freeEvents) {
    std::size_t rows = 0;
    std::int64_t latest = 0;
    const auto forEachColumn = [&](auto&& fn) {
        fn(m_ids), fn(m_begin), fn(m_end), fn(m_bytes), fn(m_category), fn(freeEvents);
    };
    for (const Taken& part : taken) {
        const std::size_t first = part.ids.begin, last = first + part.rows;
        for (std::size_t row = first; row < last && m_begin[row] < latest; ++row) {
            m_begin[row] = latest;
            m_end[row] = std::max(latest + 1, m_end[row]);
        }
        latest = std::max(latest, part.latest);
        if (first != rows)
            forEachColumn([&](auto& column) {
                const auto begin = column.begin();
                std::move(begin + static_cast<std::ptrdiff_t>(first),
                          begin + static_cast<std::ptrdiff_t>(last),
                          begin + static_cast<std::ptrdiff_t>(rows));
            });
        rows += part.rows;
    }
    forEachColumn([&](auto& column) { column.resize(rows); });
}

void AllocationMap::makePieces(const Snapshot& snapshot) {
    std::vector<Range> ranges;
    for (std::uint64_t i = 0; i < snapshot.segmentEventCount(); ++i) {
        const auto event = snapshot.segmentEvent(i);
        if (event && (event->action == SegmentAction::kAllocate || event->action == SegmentAction::kMap))
            addRange(ranges, event->address, event->bytes);
    }
    const auto placeInRanges = [&] {
        join(ranges);
        m_pieces.clear();
        m_pieces.reserve(ranges.size());
        std::int64_t place = 0;
        for (const Range& range : ranges) {
            const auto bytes = static_cast<std::int64_t>(range.end - range.begin);
            m_pieces.push_back({range.begin, bytes, place});
            addWrapping(place, bytes);
        }
        return placeRows(snapshot);
    };
    // What lies in a segment adds nothing; what does not, events having been lost, gets a place all the same.
    const std::vector<std::uint32_t> outside = placeInRanges();
    if (outside.empty())
        return;
    for (const std::uint32_t row : outside)
        addRange(ranges, snapshot.allocationChunk(m_ids[row] / kChunkRows)->address[m_ids[row] % kChunkRows],
                 m_bytes[row]);
    placeInRanges();
}

/// Returns the rows that do not lie within one piece.
std::vector<std::uint32_t> AllocationMap::placeRows(const Snapshot& snapshot) {
    m_places.resize(size());
    const std::vector<Stretch> stretches = stretchesOf(size());
    std::vector<std::vector<std::uint32_t>> outside(stretches.size());
    forEachTogether(stretches, [&](std::size_t part, Stretch rows) {
        // That of the row before: most lie in the same.
        const Piece* piece = nullptr;
        const AllocationChunk* chunk = nullptr;
        std::size_t ofChunk = 0;
        for (std::size_t row = rows.begin; row < rows.end; ++row) {
            if (!chunk || m_ids[row] / kChunkRows != ofChunk) {
                ofChunk = m_ids[row] / kChunkRows;
                chunk = snapshot.allocationChunk(ofChunk);
            }
            const std::uint64_t address = chunk->address[m_ids[row] % kChunkRows];
            if (!piece || address < piece->address ||
                address - piece->address >= static_cast<std::uint64_t>(piece->bytes))
                piece = pieceAt(address);
            if (!piece) {
                m_places[row] = 0;
                outside[part].push_back(static_cast<std::uint32_t>(row));
                continue;
            }
            const std::uint64_t offset = address - piece->address;
            const auto bytes = static_cast<std::uint64_t>(piece->bytes);
            m_places[row] = piece->place + static_cast<std::int64_t>(std::min(offset, bytes));
            if (offset > bytes || bytes - offset < static_cast<std::uint64_t>(m_bytes[row]))
                outside[part].push_back(static_cast<std::uint32_t>(row));
        }
    });
    std::vector<std::uint32_t> all;
    for (const std::vector<std::uint32_t>& rows : outside)
        all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

/// The last piece that begins at or below an address; null below the first.
const AllocationMap::Piece* AllocationMap::pieceAt(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(m_pieces, address, {}, &Piece::address);
    return after == m_pieces.begin() ? nullptr : &*(after - 1);
}

/// Frees are in order of time already, and what was never freed ends with the run: nothing is sorted, unless
/// a file states times out of order.
void AllocationMap::makeOrderOfEnds(const std::vector<std::uint32_t>& freeEvents, std::uint64_t events) {
    m_byEnd.reserve(size());
    std::vector<std::uint32_t> freedBy(static_cast<std::size_t>(events), kNoRow);
    for (std::size_t row = 0; row < size(); ++row) {
        if (freeEvents[row] != AllocationLife::kNoEvent)
            freedBy[freeEvents[row]] = static_cast<std::uint32_t>(row);
    }
    for (const std::uint32_t row : freedBy) {
        if (row != kNoRow)
            m_byEnd.push_back(row);
    }
    for (std::size_t row = 0; row < size(); ++row) {
        if (freeEvents[row] == AllocationLife::kNoEvent)
            m_byEnd.push_back(static_cast<std::uint32_t>(row));
    }
    const auto endsBefore = [this](std::uint32_t a, std::uint32_t b) { return m_end[a] < m_end[b]; };
    if (!std::ranges::is_sorted(m_byEnd, endsBefore))
        std::ranges::stable_sort(m_byEnd, endsBefore);
}

void AllocationMap::makeSums() {
    std::int64_t born = 0, freed = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        if (i % kFan == 0) {
            m_bornSums.push_back(born);
            m_freedSums.push_back(freed);
        }
        addWrapping(born, m_bytes[i]);
        addWrapping(freed, m_bytes[m_byEnd[i]]);
    }
}

void AllocationMap::makeLevels() {
    std::vector<std::size_t> counts;
    for (std::size_t rows = kSmallestLevel; rows * 2 < size(); rows *= 4)
        counts.push_back(rows);  // one of most rows would save nothing
    counts.push_back(size());
    m_levels.resize(counts.size());
    m_levels.back().rows.resize(size());
    std::iota(m_levels.back().rows.begin(), m_levels.back().rows.end(), 0u);

    SizeClasses sizes{std::vector<std::uint16_t>(size()), std::vector<std::size_t>(kSizeClasses)};
    for (std::size_t row = 0; row < size(); ++row) {
        sizes.ofRow[row] = static_cast<std::uint16_t>(sizeClass(m_bytes[row]));
        ++sizes.rows[sizes.ofRow[row]];
    }
    // From the longest list down, each a part of the one before.
    for (std::size_t i = counts.size() - 1; i-- > 0;) {
        takeLargest(m_levels[i + 1].rows, counts[i], sizes, m_levels[i].rows);
    }
    for (Level& level : m_levels)
        makeLatestEnds(level);
}

/// The `count` largest, in order; `from` has them among others, and how many rows there are of each class is
/// known: none is sorted but those of the class in which the last of them lies.
void AllocationMap::takeLargest(const std::vector<std::uint32_t>& from, std::size_t count,
                                const SizeClasses& sizes, std::vector<std::uint32_t>& largest) const {
    std::size_t last = kSizeClasses, above = 0;
    while (above + sizes.rows[last - 1] < count)
        above += sizes.rows[--last];
    --last;
    largest.reserve(above + sizes.rows[last]);
    std::vector<Sized> ofLast;
    ofLast.reserve(sizes.rows[last]);
    for (const std::uint32_t row : from) {
        if (sizes.ofRow[row] < last)
            continue;
        largest.push_back(row);
        if (sizes.ofRow[row] == last)
            ofLast.push_back({m_bytes[row], row});
    }
    const auto least = ofLast.begin() + static_cast<std::ptrdiff_t>(count - above) - 1;
    std::nth_element(ofLast.begin(), least, ofLast.end());
    std::erase_if(largest, [&](std::uint32_t row) {
        return sizes.ofRow[row] == last && *least < Sized{m_bytes[row], row};
    });
    if (largest.capacity() > 2 * count)
        largest.shrink_to_fit();  // many of one size
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
    const auto after = std::ranges::upper_bound(m_pieces, place, {}, &Piece::place);
    if (after == m_pieces.begin())
        return 0;
    return (after - 1)->address + static_cast<std::uint64_t>(place - (after - 1)->place);
}

std::optional<std::int64_t> AllocationMap::placeAt(std::uint64_t address) const {
    const Piece* piece = pieceAt(address);
    if (!piece || address - piece->address >= static_cast<std::uint64_t>(piece->bytes))
        return std::nullopt;
    return piece->place + static_cast<std::int64_t>(address - piece->address);
}

/// How many were born at or before t.
std::size_t AllocationMap::bornUntil(std::int64_t t) const {
    return static_cast<std::size_t>(std::upper_bound(m_begin.begin(), m_begin.end(), t) - m_begin.begin());
}

/// How many had ended at t.
std::size_t AllocationMap::freedUntil(std::int64_t t) const {
    const auto after =
        std::ranges::partition_point(m_byEnd, [&](std::uint32_t row) { return m_end[row] <= t; });
    return static_cast<std::size_t>(after - m_byEnd.begin());
}

std::int64_t AllocationMap::bornBytes(std::size_t rows) const {
    if (rows == 0)
        return 0;
    std::int64_t sum = m_bornSums[(rows - 1) / kFan];
    for (std::size_t i = (rows - 1) / kFan * kFan; i < rows; ++i)
        addWrapping(sum, m_bytes[i]);
    return sum;
}

std::int64_t AllocationMap::freedBytes(std::size_t rows) const {
    if (rows == 0)
        return 0;
    std::int64_t sum = m_freedSums[(rows - 1) / kFan];
    for (std::size_t i = (rows - 1) / kFan * kFan; i < rows; ++i)
        addWrapping(sum, m_bytes[m_byEnd[i]]);
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
    const auto after =
        std::ranges::partition_point(level.rows, [&](std::uint32_t row) { return m_begin[row] < t; });
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
        std::ranges::sort(rows);
    }
    return rows;
}

}  // namespace warpglass
