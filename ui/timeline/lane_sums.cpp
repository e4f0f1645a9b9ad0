#include "ui/timeline/lane_sums.h"

#include "ui/timeline/read_ahead.h"

namespace warpglass::ui {

namespace {

using Of = ColorTimes::Of;

/// A damaged file's times may be anything.
std::int64_t less(std::int64_t from, std::int64_t time) {
    return (Nanoseconds(from) - Nanoseconds(time)).value;
}

/// Asks for a block of rows ahead of time: reading them is mostly waiting for memory.
void prefetch(const SpanChunk& chunk, std::uint32_t block, bool self) {
    constexpr std::uint32_t kRowsOfLine = 64 / sizeof(std::int64_t);
    const std::uint32_t end = std::min(block + kBlockRows, kChunkRows);
    for (std::uint32_t i = block; i < end; i += kRowsOfLine) {
        __builtin_prefetch(&chunk.start[i]);
        __builtin_prefetch(self ? &chunk.self[i] : &chunk.duration[i]);
    }
}

}  // namespace

bool hasFewInView(const SpanLane& lane, TimeRange view) {
    const std::uint64_t first = lane.firstEndingAfter(view.begin), last = lane.firstStartingAt(view.end);
    return last <= first || last / kChunkRows - first / kChunkRows < ReadAhead::kMostInView;
}

LaneSums::LaneSums(const SummedTrack& track, const SpanLane& lane, ColumnSums& sums,
                   const std::vector<Crossing>& around)
    : m_track(track),
      m_lane(lane),
      m_colors(colorsOf(track.kind)),
      m_oneColor(m_colors.count == 1 && track.of == Of::kSpans),
      m_sums(sums),
      m_around(around),
      m_few(hasFewInView(lane, track.view)) {}

void LaneSums::run() {
    std::uint64_t row = m_lane.firstEndingAfter(m_track.view.begin);
    while (row < m_lane.rows() && !m_done)
        row = addChunk(static_cast<std::size_t>(row / kChunkRows), row);
}

std::uint64_t LaneSums::addChunk(std::size_t c, std::uint64_t row) {
    const std::uint64_t first = static_cast<std::uint64_t>(c) * kChunkRows;
    const std::uint32_t rows = m_lane.rowsInChunk(c);
    const SpanMip& mip = m_lane.mip(c);
    const ColorTimes::Chunk* const times = m_track.times ? m_track.times->chunk(m_lane.id(), c) : nullptr;
    const std::uint32_t summed = times ? times->rows() : 0;
    for (auto i = static_cast<std::uint32_t>(row - first); i < rows && !m_done;) {
        if (i % kSuperBlockRows == 0 && i + kSuperBlockRows <= rows) {
            const std::uint32_t at = i / kSuperBlockRows;
            const bool known = i + kSuperBlockRows <= summed;
            if (addWhole(mip.superBlocks[at], known ? times->superBlock(at, m_track.of) : nullptr)) {
                i += kSuperBlockRows;
                continue;
            }
        }
        const std::uint32_t at = i / kBlockRows, end = std::min(rows, (at + 1) * kBlockRows);
        const bool known = (at + 1) * kBlockRows <= summed;
        if (i % kBlockRows == 0 && i + kBlockRows <= rows) {
            addBlock(c, i, mip.blocks[at], known ? times : nullptr);
        } else if (const SpanChunk* const chunk = m_lane.chunk(c)) {
            addRows(*chunk, i, end, known ? times : nullptr);
        }
        i = end;
    }
    return first + kChunkRows;
}

void LaneSums::addBlock(std::size_t c, std::uint32_t i, const SpanSummary& sum,
                        const ColorTimes::Chunk* known) {
    const std::int64_t* const times = known ? known->block(i / kBlockRows, m_track.of) : nullptr;
    if (addWhole(sum, times) || m_done || (known && m_track.of == Of::kSelf && spreadOverTwo(sum, times)))
        return;
    if (!known && sum.count > 0 && !m_few && m_track.of == Of::kSpans) {
        m_sums.spread(sum.start, sum.end, sum.busy, partOf(sum.longestName, sum.longestPlace, {}));
        return;
    }
    if (const SpanChunk* const chunk = m_lane.chunk(c)) {
        prefetch(*chunk, i + kBlockRows, m_track.of == Of::kSelf);
        addRows(*chunk, i, i + kBlockRows, known);
    }
}

bool LaneSums::addWhole(const SpanSummary& sum, const std::int64_t* times) {
    if (sum.count == 0)
        return false;
    if (sum.start >= m_track.view.end.value) {
        m_done = true;
        return false;
    }
    if (!(times || m_oneColor) || !m_sums.liesInOne(sum.start, sum.end))
        return false;
    const Crossing* const outer = around(sum.start);
    if (isCut(sum, outer))
        return false;
    if (m_oneColor)
        m_sums.add(0, sum.busy);
    else
        m_sums.add(times, m_colors.count);
    if (outer)
        m_sums.add(outer->part, less(0, sum.busy));
    return true;
}

bool LaneSums::isCut(const SpanSummary& sum, const Crossing* outer) const {
    return outer ? outer->end < sum.end : m_next < m_around.size() && m_around[m_next].begin < sum.end;
}

bool LaneSums::spreadOverTwo(const SpanSummary& sum, const std::int64_t* times) {
    const Crossing* const outer = around(sum.start);
    if (sum.count == 0 || isCut(sum, outer) || !m_sums.liesInTwo(sum.start, sum.end))
        return false;
    for (std::size_t part = 0; part < m_colors.count; ++part) {
        if (times[part] != 0)
            m_sums.spread(sum.start, sum.end, times[part], part);
    }
    if (outer)
        m_sums.spread(sum.start, sum.end, less(0, sum.busy), outer->part);
    return true;
}

void LaneSums::addRows(const SpanChunk& chunk, std::uint32_t i, std::uint32_t last,
                       const ColorTimes::Chunk* known) {
    for (; i < last; ++i) {
        const std::int64_t begin = chunk.start[i];
        if (begin >= m_track.view.end.value) {
            m_done = true;
            return;
        }
        const std::size_t part =
            known ? known->part(i)
                  : partOf(NameId(chunk.name[i]), PlaceId(chunk.place[i]), DetailId(chunk.detail[i]));
        const auto end = [&] { return wrappingAdd(begin, chunk.duration[i]); };
        if (m_track.of == Of::kSpans) {
            m_sums.addSpan(begin, end(), part);
            continue;
        }
        // Durations are read where the next span's start leaves it open in which column this one ends.
        if ((i + 1 < last && m_sums.liesInOne(begin, chunk.start[i + 1])) || m_sums.liesInOne(begin, end()))
            m_sums.add(part, chunk.self[i]);
        else
            addCrossing(begin, end(), part);
        if (const Crossing* const outer = around(begin))
            m_sums.addSpan(begin, end(), outer->part, -1);
    }
}

void LaneSums::addOpen(std::int64_t begin, std::int64_t end, NameId name, PlaceId place) {
    addCrossing(begin, end, partOf(name, place, {}));
    if (const Crossing* const outer = around(begin))
        m_sums.addSpan(begin, end, outer->part, -1);
}

void LaneSums::addCrossing(std::int64_t begin, std::int64_t end, std::size_t part) {
    m_sums.addSpan(begin, end, part);
    m_crossings.push_back({begin, end, part});
}

const Crossing* LaneSums::around(std::int64_t time) {
    while (m_next < m_around.size() && m_around[m_next].end <= time)
        ++m_next;
    return m_next < m_around.size() && m_around[m_next].begin <= time ? &m_around[m_next] : nullptr;
}

std::size_t LaneSums::partOf(NameId name, PlaceId place, DetailId detail) {
    return m_oneColor ? 0
                      : m_colors.partOf(
                            colorOf(m_track.snapshot, m_track.kind, name, place, detail, m_track.families));
}

}  // namespace warpglass::ui
