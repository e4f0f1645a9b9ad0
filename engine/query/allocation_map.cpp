#include "engine/query/allocation_map.h"

#include <algorithm>
#include <numeric>

namespace warpglass {

namespace {

/// The smallest list of the largest: about as many blocks as a view draws.
constexpr std::size_t kSmallestLevel = 16384;
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

AllocationMap::AllocationMap(const MemoryTimeline& memory) {
    if (!memory.snapshot())
        return;
    takeRows(memory);
    if (memory.snapshot()->segmentEventCount() > 0)
        makePieces(*memory.snapshot());
    makeSums();
    makeLevels();
}

void AllocationMap::takeRows(const MemoryTimeline& memory) {
    const Snapshot& snapshot = *memory.snapshot();
    const std::uint64_t count = snapshot.allocationCount();
    const std::int64_t runEnd = snapshot.range().end.value + 1;  // the last moment is part of the run
    std::int64_t latest = 0;
    m_ids.reserve(static_cast<std::size_t>(count));
    m_begin.reserve(static_cast<std::size_t>(count));
    m_end.reserve(static_cast<std::size_t>(count));
    m_bytes.reserve(static_cast<std::size_t>(count));
    m_category.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        const AllocationId id(static_cast<std::uint32_t>(i));
        const AllocationChunk* chunk = snapshot.allocationChunk(static_cast<std::size_t>(i / kChunkRows));
        if (!chunk || !memory.wasAllocated(id))
            continue;
        const std::int64_t bytes = chunk->bytes[i % kChunkRows];
        if (bytes <= 0 || bytes > kMaxSize)
            continue;
        latest = std::max(latest, memory.allocatedAt(id).value);
        const auto freed = memory.freedAt(id);
        m_ids.push_back(id.value);
        m_begin.push_back(latest);
        m_end.push_back(std::max(latest + 1, freed ? freed->value : runEnd));
        m_bytes.push_back(bytes);
        m_category.push_back(std::min(snapshot.categoryOf(id), Category::kUnknown));
    }
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
    for (std::size_t row = 0; row < size(); ++row) {
        const std::uint64_t address = addressOf(row);
        const auto after =
            std::upper_bound(segments.begin(), segments.end(), address,
                             [](std::uint64_t a, const Range& range) { return a < range.begin; });
        if (after == segments.begin() ||
            address + static_cast<std::uint64_t>(m_bytes[row]) > (after - 1)->end)
            addRange(ranges, address, m_bytes[row]);
    }
    join(ranges);
    std::int64_t place = 0;
    for (const Range& range : ranges) {
        const auto bytes = static_cast<std::int64_t>(range.end - range.begin);
        m_pieces.push_back({range.begin, bytes, place});
        place = wrappingAdd(place, bytes);
    }
    m_places.reserve(size());
    for (std::size_t row = 0; row < size(); ++row) {
        const std::uint64_t address = addressOf(row);
        const auto after =
            std::upper_bound(m_pieces.begin(), m_pieces.end(), address,
                             [](std::uint64_t a, const Piece& piece) { return a < piece.address; });
        m_places.push_back(after == m_pieces.begin()
                               ? 0
                               : (after - 1)->place + static_cast<std::int64_t>(std::min<std::uint64_t>(
                                                          address - (after - 1)->address,
                                                          static_cast<std::uint64_t>((after - 1)->bytes))));
    }
}

void AllocationMap::makeSums() {
    m_byEnd.resize(size());
    std::iota(m_byEnd.begin(), m_byEnd.end(), 0u);
    std::sort(m_byEnd.begin(), m_byEnd.end(), [this](std::uint32_t a, std::uint32_t b) {
        return m_end[a] != m_end[b] ? m_end[a] < m_end[b] : a < b;
    });
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
    std::vector<std::uint32_t> bySize(size());
    std::iota(bySize.begin(), bySize.end(), 0u);
    std::sort(bySize.begin(), bySize.end(), [this](std::uint32_t a, std::uint32_t b) {
        return m_bytes[a] != m_bytes[b] ? m_bytes[a] > m_bytes[b] : a < b;
    });
    for (std::size_t rows = kSmallestLevel;; rows *= 4) {
        Level level;
        rows = std::min(rows, size());
        level.rows.assign(bySize.begin(), bySize.begin() + static_cast<std::ptrdiff_t>(rows));
        std::sort(level.rows.begin(), level.rows.end());
        std::vector<std::int64_t> ends;
        for (const std::uint32_t row : level.rows)
            ends.push_back(m_end[row]);
        while (ends.size() > kFan) {
            std::vector<std::int64_t> latest((ends.size() + kFan - 1) / kFan, INT64_MIN);
            for (std::size_t i = 0; i < ends.size(); ++i)
                latest[i / kFan] = std::max(latest[i / kFan], ends[i]);
            level.latestEnd.push_back(latest);
            ends = std::move(latest);
        }
        m_levels.push_back(std::move(level));
        if (rows == size())
            return;
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
