#include "ui/timeline/geometry_builder.h"

#include <algorithm>
#include <cmath>

namespace warpglass::ui {

namespace {

/// Attention is what the modules' bands tell apart: "blocks.7.attn" and what is in it.
bool isAttention(std::string_view path) {
    const auto at = path.find("attn");
    return at != std::string_view::npos && (at == 0 || path[at - 1] == '.');
}

}  // namespace

ColorKey colorOf(const Snapshot& snapshot, TrackKind kind, NameId name, PlaceId placeId, DetailId detail,
                 OpFamilyCache& families) {
    switch (kind) {
        case TrackKind::kStep:
            return ColorKey::neutral();
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase:
            return ColorKey::of(snapshot.place(placeId).phase);
        case TrackKind::kModule: {
            const Place place = snapshot.place(placeId);
            const bool attention =
                isAttention(snapshot.name(name)) || isAttention(snapshot.name(place.module));
            return attention ? ColorKey::of(place.phase) : ColorKey::neutral();
        }
        case TrackKind::kApiThread:
        case TrackKind::kGpuSync:
        case TrackKind::kProfiler:
            return ColorKey::neutral();
        case TrackKind::kGpuCopies:
            return ColorKey::of(OpFamily::kCopy);
        case TrackKind::kCpuThread:
            return ColorKey::of(families.familyOf(snapshot, name, placeId));
        case TrackKind::kGpuStream:
            return ColorKey::of(families.familyOf(snapshot, name, placeId, detail));
    }
    return ColorKey::neutral();
}

namespace {

/// How many rows the search for a unit's end looks at together.
constexpr std::uint32_t kGroup = 16;

/// How many of N values are below the limit, in a form that compilers turn into vector instructions (64-bit
/// integers have no vector comparison on the x86-64 baseline, but a sign bit).
template <std::uint32_t N>
std::uint32_t countBelow(const std::int64_t* values, std::int64_t limit) {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < N; ++i)
        count += (static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(limit)) >> 63;
    return static_cast<std::uint32_t>(count);
}

struct Longest {
    std::int64_t duration = -1;
    std::uint32_t row = 0;
};

Longest longestOf(const SpanChunk& chunk, std::uint32_t from, std::uint32_t to) {
    Longest longest;
    for (std::uint32_t r = from; r < to; ++r) {
        const std::int64_t duration = chunk.duration[r];
        longest.row = duration > longest.duration ? r : longest.row;
        longest.duration = std::max(longest.duration, duration);
    }
    return longest;
}

/// Walks one lane from its first visible row to the end of the view and emits rectangles.
class LaneWalk {
public:
    LaneWalk(const Snapshot& snapshot, const SpanLane& lane, TrackKind kind, const ColumnMap& map,
             OpFamilyCache& families, std::vector<TimelineRect>& out)
        : m_snapshot(snapshot),
          m_lane(lane),
          m_kind(kind),
          m_map(map),
          m_families(families),
          m_out(out),
          m_viewBegin(map.range().begin.value),
          m_viewEnd(map.range().end.value),
          // Cells of kRunColumns columns stand still in time while the view pans by whole pixels, so runs
          // keep their colors.
          m_cellPhase(static_cast<int>(std::fmod(
              std::floor(static_cast<double>(m_viewBegin) / map.nanosecondsPerColumn() + 0.5), kRunColumns))),
          m_columnTime(static_cast<std::int64_t>(map.nanosecondsPerColumn())) {}

    /// True when rows follow after the view.
    bool run() {
        std::uint64_t row = m_lane.firstEndingAfter(m_map.range().begin);
        while (row < m_lane.rows() && !m_done)
            row = walkChunk(static_cast<std::size_t>(row / kChunkRows), row);
        flush();
        return m_done;
    }

    void addOpen(const OpenSpan& span, std::int64_t end) {
        end = std::max(end, span.start);
        if (end <= m_viewBegin || span.start >= m_viewEnd)
            return;
        const int x0 = m_map.columnOf(span.start);
        emitRect({.x0 = x0,
                  .x1 = std::max(x0 + 1, m_map.endColumnOf(end)),
                  .count = 1,
                  .firstRow = TimelineRect::kOpenRow,
                  .row = TimelineRect::kOpenRow,
                  .name = span.name,
                  .place = span.place,
                  .begin = span.start,
                  .end = end});
    }

private:
    /// Consecutive narrow spans that leave no column between them free, to be merged into a run.
    struct Unit {
        int x0, x1;
        std::int64_t begin, end;
        std::uint64_t firstRow;
        std::uint32_t count;
        std::int64_t longestDuration;
        std::uint64_t longestRow;
        NameId name;  // the longest one's, unless they must be read from the chunk
        PlaceId place;
        const SpanChunk* chunk;
    };

    /// Returns the row to go on with.
    std::uint64_t walkChunk(std::size_t c, std::uint64_t row) {
        const std::uint64_t first = static_cast<std::uint64_t>(c) * kChunkRows;
        const std::uint32_t rows = m_lane.rowsInChunk(c);
        const SpanMip& mip = m_lane.mip(c);
        const SpanChunk* chunk = nullptr;  // loaded only when a row must be read
        auto i = static_cast<std::uint32_t>(row - first);
        while (i < rows && !m_done) {
            if (i % kSuperBlockRows == 0 && i + kSuperBlockRows <= rows &&
                takeWhole(mip.superBlocks[i / kSuperBlockRows], first, i)) {
                i += kSuperBlockRows;
                continue;
            }
            if (m_done)
                break;
            if (i % kBlockRows == 0 && i + kBlockRows <= rows &&
                takeWhole(mip.blocks[i / kBlockRows], first, i)) {
                i += kBlockRows;
                continue;
            }
            if (m_done)
                break;
            if (!chunk && !(chunk = m_lane.chunk(c))) {
                flush();  // a run's rows are consecutive
                break;
            }
            const std::uint32_t blockEnd = std::min(rows, (i / kBlockRows + 1) * kBlockRows);
            const SpanSummary* block =
                i / kBlockRows * kBlockRows + kBlockRows <= rows ? &mip.blocks[i / kBlockRows] : nullptr;
            walkRows(*chunk, block, first, i, blockEnd);
            i = blockEnd;
        }
        return first + kChunkRows;
    }

    /// Takes a block of the mip-map as one unit if it lies on two columns. Sets m_done when it begins after
    /// the view.
    bool takeWhole(const SpanSummary& sum, std::uint64_t firstRow, std::uint32_t begin) {
        if (sum.count == 0)
            return false;  // no mip-map for these rows: read them
        if (sum.start >= m_viewEnd) {
            m_done = true;
            return false;
        }
        if (sum.start < m_viewBegin || sum.end > m_viewEnd)
            return false;
        const int x0 = m_map.columnOf(sum.start), x1 = std::max(x0 + 1, m_map.endColumnOf(sum.end));
        // On two columns, both are covered whatever lies inside. On more, all are when the time between the
        // spans adds up to less than a column, and none of the spans is wide enough to stand alone when the
        // longest is no longer than one column.
        const bool onTwo = x1 - x0 <= 2;
        const bool dense = x1 - x0 <= kRunColumns && sum.longestDuration <= m_columnTime &&
                           sum.end - sum.start - sum.busy < m_columnTime;
        // A last span that is empty and lies on a column's edge would belong to the column after it; the
        // summary does not tell.
        if (!(onTwo || dense) || sum.end == m_map.startLimit(x1))
            return false;
        addToRun({x0, x1, sum.start, sum.end, firstRow + begin, sum.count, sum.longestDuration,
                  firstRow + sum.longestRow, sum.longestName, sum.longestPlace, nullptr});
        return true;
    }

    /// Rows [i, last) of one block; `block` is its summary, null when it is not complete.
    void walkRows(const SpanChunk& chunk, const SpanSummary* block, std::uint64_t first, std::uint32_t i,
                  std::uint32_t last) {
        while (i < last) {
            const std::int64_t start = chunk.start[i], end = chunk.end(i);
            if (start >= m_viewEnd) {
                m_done = true;
                return;
            }
            const int x0 = m_map.columnOf(start);
            const int x1 = std::max(x0 + 1, m_map.endColumnOf(end));
            if (x1 - x0 >= kMergeColumns || start < m_viewBegin || end > m_viewEnd) {
                flush();
                emitRect({.x0 = x0,
                          .x1 = x1,
                          .count = 1,
                          .firstRow = first + i,
                          .row = first + i,
                          .name = NameId(chunk.name[i]),
                          .place = PlaceId(chunk.place[i]),
                          .detail = detailOf(chunk, i),
                          .begin = start,
                          .end = end});
                ++i;
                continue;
            }
            const std::uint32_t next = endOfUnit(chunk, i, last, std::max(x1, std::min(x0 + 2, cellEnd(x0))));
            Unit unit{x0, x1, start, end, first + i, next - i, -1, 0, {}, {}, nullptr};
            if (next > i + 1) {
                unit.end = chunk.end(next - 1);
                unit.x1 =
                    std::max({x1, m_map.columnOf(chunk.start[next - 1]) + 1, m_map.endColumnOf(unit.end)});
            }
            // The block's longest row, where it is one of these, saves the search and a cache miss each for
            // name and place.
            if (block && block->count > 0 && block->longestRow >= i && block->longestRow < next) {
                unit.longestDuration = block->longestDuration;
                unit.longestRow = first + block->longestRow;
                unit.name = block->longestName;
                unit.place = block->longestPlace;
                unit.chunk = next == i + 1 ? &chunk : nullptr;
            } else {
                const Longest longest = longestOf(chunk, i, next);
                unit.longestDuration = longest.duration;
                unit.longestRow = first + longest.row;
                unit.chunk = &chunk;
            }
            addToRun(unit);
            i = next;
        }
    }

    DetailId detailOf(const SpanChunk& chunk, std::uint32_t i) const {
        return m_kind == TrackKind::kGpuStream ? DetailId(chunk.detail[i]) : DetailId();
    }

    /// The first row after i that covers `column` or one after it. Starts and ends are sorted.
    std::uint32_t endOfUnit(const SpanChunk& chunk, std::uint32_t i, std::uint32_t last, int column) const {
        // Only the starts are searched: of the rows that start before the column, all but the last end before
        // that one starts.
        const std::int64_t startLimit = m_map.startLimit(column);
        // Sixteen at a time and counted without a branch: that is faster over at most 64 rows than a binary
        // search, whose every probe is a mispredicted branch and a cache miss that waits for the one before.
        std::uint32_t low = i + 1;
        for (; last - low >= kGroup; low += kGroup) {
            const std::uint32_t found = countBelow<kGroup>(&chunk.start[low], startLimit);
            if (found < kGroup)
                return endOfUnitAt(chunk, i, low + found, column);
        }
        while (low < last && chunk.start[low] < startLimit)
            ++low;
        return endOfUnitAt(chunk, i, low, column);
    }

    std::uint32_t endOfUnitAt(const SpanChunk& chunk, std::uint32_t i, std::uint32_t low, int column) const {
        return low > i + 1 && chunk.end(low - 1) > m_map.endLimit(column) ? low - 1 : low;
    }

    int cellOf(int column) const { return (column + m_cellPhase) / kRunColumns; }
    int cellEnd(int column) const { return (cellOf(column) + 1) * kRunColumns - m_cellPhase; }

    void addToRun(const Unit& unit) {
        if (m_run.count > 0 && (unit.x0 > m_run.x1 || cellOf(unit.x0) != m_runCell))
            flush();
        if (m_run.count == 0) {
            m_run.x0 = unit.x0;
            m_run.begin = unit.begin;
            m_run.firstRow = unit.firstRow;
            m_runCell = cellOf(unit.x0);
            m_runLongest = -1;
        }
        m_run.x1 = std::max(m_run.x1, unit.x1);
        m_run.end = unit.end;
        m_run.count += unit.count;
        if (unit.longestDuration > m_runLongest) {
            m_runLongest = unit.longestDuration;
            m_run.row = unit.longestRow;
            m_run.name = unit.name;
            m_run.place = unit.place;
            m_runChunk = unit.chunk;
        }
    }

    void flush() {
        if (m_run.count > 0) {
            // Once a run and not once a unit.
            if (m_runChunk) {
                const auto row = static_cast<std::uint32_t>(m_run.row % kChunkRows);
                m_run.name = NameId(m_runChunk->name[row]);
                m_run.place = PlaceId(m_runChunk->place[row]);
                m_run.detail = detailOf(*m_runChunk, row);
            }
            emitRect(m_run);
        }
        m_run = TimelineRect();
    }

    void emitRect(TimelineRect rect) {
        if (rect.x1 > m_lastX1)
            rect.x0 = std::max(rect.x0, m_lastX1);
        m_lastX1 = std::max(m_lastX1, rect.x1);
        rect.color = colorOf(m_snapshot, m_kind, rect.name, rect.place, rect.detail, m_families);
        m_out.push_back(rect);
    }

    const Snapshot& m_snapshot;
    const SpanLane& m_lane;
    const TrackKind m_kind;
    const ColumnMap& m_map;
    OpFamilyCache& m_families;
    std::vector<TimelineRect>& m_out;
    const std::int64_t m_viewBegin;
    const std::int64_t m_viewEnd;
    const int m_cellPhase;
    const std::int64_t m_columnTime;  // rounded down
    bool m_done = false;
    TimelineRect m_run;  // open while count > 0
    int m_runCell = 0;
    std::int64_t m_runLongest = -1;
    const SpanChunk* m_runChunk = nullptr;
    int m_lastX1 = 0;
};

}  // namespace

bool GeometryBuilder::buildLane(const Snapshot& snapshot, const SpanLane& lane, TrackKind kind,
                                const ColumnMap& map, std::vector<TimelineRect>& out) {
    out.clear();
    LaneWalk walk(snapshot, lane, kind, map, m_families, out);
    const bool sealed = walk.run();
    for (const OpenSpan& span : snapshot.openSpans()) {
        if (span.lane == lane.id())
            walk.addOpen(span, snapshot.range().end.value);
    }
    return sealed;
}

}  // namespace warpglass::ui
