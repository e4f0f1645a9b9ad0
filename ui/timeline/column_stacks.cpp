#include "ui/timeline/column_stacks.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/read_ahead.h"

namespace warpglass::ui {

namespace {

using Times = FamilyTimes::Times;

/// Time by family of each column of a view.
class ColumnSums {
public:
    explicit ColumnSums(const ColumnMap& map)
        : m_map(map), m_sums(static_cast<std::size_t>(map.width())), m_end(map.startLimit(0)) {}

    /// Whether [begin, end) lies in one column of the view, which then is the current one.
    bool liesInOne(std::int64_t begin, std::int64_t end) {
        if (begin < m_map.range().begin.value || end > m_map.range().end.value || end < begin)
            return false;
        moveTo(begin);
        return end <= m_end;
    }
    /// To the current column.
    void add(const Times& times) {
        for (std::size_t family = 0; family < times.size(); ++family)
            addTo(m_column, family, times[family]);
    }
    void add(std::size_t family, std::int64_t time) { addTo(m_column, family, time); }

    /// A span, cut at the columns' edges.
    void addSpan(std::int64_t begin, std::int64_t end, std::size_t family) {
        begin = std::max(begin, m_map.range().begin.value);
        end = std::min(end, m_map.range().end.value);
        if (end <= begin)
            return;
        moveTo(begin);
        for (; end > m_end; begin = m_end, setColumn(m_column + 1))
            addTo(m_column, family, m_end - begin);
        addTo(m_column, family, end - begin);
    }

    /// `busy` ns somewhere in [begin, end).
    void spread(std::int64_t begin, std::int64_t end, std::int64_t busy, std::size_t family) {
        const double density =
            static_cast<double>(busy) / static_cast<double>(std::max<std::int64_t>(1, end - begin));
        begin = std::max(begin, m_map.range().begin.value);
        end = std::min(end, m_map.range().end.value);
        const auto part = [&](std::int64_t time) {
            return std::llround(density * static_cast<double>(time));
        };
        if (end <= begin)
            return;
        moveTo(begin);
        for (; end > m_end; begin = m_end, setColumn(m_column + 1))
            addTo(m_column, family, part(m_end - begin));
        addTo(m_column, family, part(end - begin));
    }

    std::array<float, ColumnStack::kParts> shares(int column) const {
        const auto wide = static_cast<double>(
            std::max<std::int64_t>(1, m_map.startLimit(column + 1) - m_map.startLimit(column)));
        std::array<float, ColumnStack::kParts> shares{};
        double left = 1;  // a damaged file's spans may overlap
        const Times& times = m_sums[static_cast<std::size_t>(column)];
        for (std::size_t family = 0; family < times.size(); ++family) {
            if (times[family] <= 0)
                continue;
            const double share = std::clamp(static_cast<double>(times[family]) / wide, 0.0, left);
            shares[family] = static_cast<float>(share);
            left -= share;
        }
        return shares;
    }

private:
    void addTo(int column, std::size_t family, std::int64_t time) {
        std::int64_t& sum = m_sums[static_cast<std::size_t>(column)][family];
        sum = wrappingAdd(sum, time);
    }
    void setColumn(int column) {
        m_column = std::min(column, m_map.width() - 1);
        m_begin = m_map.startLimit(m_column);
        // The view's end is the end of its last column, whatever that rounds to.
        m_end = m_column + 1 < m_map.width() ? m_map.startLimit(m_column + 1) : m_map.range().end.value;
    }
    void moveTo(std::int64_t time) {
        if (time < m_begin || time >= m_end)
            setColumn(m_map.columnOf(time));
    }

    const ColumnMap& m_map;
    std::vector<Times> m_sums;
    int m_column = 0;
    std::int64_t m_begin = 0, m_end;  // of the current column
};

/// Adds a lane up.
class LaneSums {
public:
    LaneSums(const Snapshot& snapshot, const SpanLane& lane, TrackKind kind, const ColumnMap& columns,
             const FamilyTimes* times, OpFamilyCache& families)
        : m_snapshot(snapshot),
          m_lane(lane),
          m_copies(kind == TrackKind::kGpuCopies),
          m_kernels(kind == TrackKind::kGpuStream),
          m_times(times),
          m_families(families),
          m_view(columns.range()),
          m_sums(columns) {}

    const ColumnSums& run() {
        std::uint64_t row = m_lane.firstEndingAfter(m_view.begin);
        const std::uint64_t last = m_lane.firstStartingAt(m_view.end);
        m_few = last <= row || last / kChunkRows - row / kChunkRows < ReadAhead::kMostInView;
        while (row < m_lane.rows() && !m_done)
            row = addChunk(static_cast<std::size_t>(row / kChunkRows), row);
        return m_sums;
    }

private:
    std::uint64_t addChunk(std::size_t c, std::uint64_t row) {
        const std::uint64_t first = static_cast<std::uint64_t>(c) * kChunkRows;
        const std::uint32_t rows = m_lane.rowsInChunk(c);
        const SpanMip& mip = m_lane.mip(c);
        const FamilyTimes::Chunk* const times = m_times ? m_times->chunk(m_lane.id(), c) : nullptr;
        const std::uint32_t summed = times ? times->rows : 0;
        for (auto i = static_cast<std::uint32_t>(row - first); i < rows && !m_done;) {
            if (i % kSuperBlockRows == 0 && i + kSuperBlockRows <= rows) {
                const std::uint32_t at = i / kSuperBlockRows;
                const bool known = i + kSuperBlockRows <= summed;
                if (addWhole(mip.superBlocks[at], known ? &times->superBlocks[at] : nullptr)) {
                    i += kSuperBlockRows;
                    continue;
                }
            }
            const std::uint32_t at = i / kBlockRows, end = std::min(rows, (at + 1) * kBlockRows);
            const bool whole = i % kBlockRows == 0 && i + kBlockRows <= rows;
            const bool known = (at + 1) * kBlockRows <= summed;
            if (!m_done && !(whole && addWhole(mip.blocks[at], known ? &times->blocks[at] : nullptr)) &&
                !m_done)
                addRows(c, i, end, whole && !known ? &mip.blocks[at] : nullptr);
            i = end;
        }
        return first + kChunkRows;
    }

    /// Where it lies in one column and what it is made of is known.
    bool addWhole(const SpanSummary& sum, const Times* times) {
        if (sum.count == 0)
            return false;
        if (sum.start >= m_view.end.value) {
            m_done = true;
            return false;
        }
        if (!(times || m_copies) || !m_sums.liesInOne(sum.start, sum.end))
            return false;
        if (m_copies)
            m_sums.add(static_cast<std::size_t>(OpFamily::kCopy), sum.busy);
        else
            m_sums.add(*times);
        return true;
    }

    /// Rows [i, last) of a chunk. `guess`: their block, for want of the rows.
    void addRows(std::size_t c, std::uint32_t i, std::uint32_t last, const SpanSummary* guess) {
        if (guess && guess->count > 0 && !m_few) {
            m_sums.spread(guess->start, guess->end, guess->busy,
                          familyOf(guess->longestName, guess->longestPlace));
            return;
        }
        const SpanChunk* const chunk = m_lane.chunk(c);
        if (!chunk)
            return;
        for (; i < last; ++i) {
            if (chunk->start[i] >= m_view.end.value) {
                m_done = true;
                return;
            }
            m_sums.addSpan(chunk->start[i], wrappingAdd(chunk->start[i], chunk->duration[i]),
                           familyOf(NameId(chunk->name[i]), PlaceId(chunk->place[i]),
                                    m_kernels ? DetailId(chunk->detail[i]) : DetailId()));
        }
    }

    std::size_t familyOf(NameId name, PlaceId place, DetailId detail = {}) {
        return static_cast<std::size_t>(m_copies ? OpFamily::kCopy
                                                 : m_families.familyOf(m_snapshot, name, place, detail));
    }

    const Snapshot& m_snapshot;
    const SpanLane& m_lane;
    const bool m_copies, m_kernels;
    const FamilyTimes* m_times;
    OpFamilyCache& m_families;
    const TimeRange m_view;
    ColumnSums m_sums;
    bool m_few = false;  // chunks in view
    bool m_done = false;
};

}  // namespace

void stackLane(const Snapshot& snapshot, const SpanLane& lane, TrackKind kind, const ColumnMap& columns,
               const FamilyTimes* times, OpFamilyCache& families, std::vector<TimelineRect>& rects,
               std::vector<ColumnStack>& stacks) {
    stacks.clear();
    const auto isNarrow = [](const TimelineRect& rect) {
        return rect.merged() || (!rect.open() && rect.x1 - rect.x0 < kMergeColumns);
    };
    if (std::none_of(rects.begin(), rects.end(), isNarrow))
        return;
    LaneSums lanes(snapshot, lane, kind, columns, times, families);
    const ColumnSums& sums = lanes.run();
    int next = 0;  // the first column without a stack
    for (std::size_t i = 0; i < rects.size(); ++i) {
        TimelineRect& rect = rects[i];
        // By what it was before it made room for its predecessor.
        const int begin = columns.columnOf(rect.begin);
        const bool wide = !rect.merged() && columns.endColumnOf(rect.end) - begin >= kMergeColumns;
        if (wide || !isNarrow(rect))
            continue;
        if (i > 0 && !rects[i - 1].stacked && begin < rects[i - 1].x1) {
            rects[i - 1].x1 = std::max(rects[i - 1].x0 + 1, begin);
            rect.x0 = std::min(rect.x0, rects[i - 1].x1);
        }
        rect.stacked = true;
        for (int column = std::max(rect.x0, next); column < rect.x1; ++column) {
            stacks.push_back({column, column + 1, static_cast<std::uint32_t>(i), sums.shares(column)});
            next = column + 1;
        }
    }
}

namespace {

/// How the time of each column was spent; columns that are narrower than the clock's unit share one.
std::vector<GpuBusy::Times> busyTimes(const GpuBusy& busy, const ColumnMap& columns) {
    constexpr double kSurelyApart = 2;  // ns
    const auto width = static_cast<std::size_t>(columns.width());
    std::vector<GpuBusy::Times> times(width);
    std::vector<std::int64_t> edges(width + 1);
    for (std::size_t column = 0; column <= width; ++column)
        edges[column] = columns.startLimit(static_cast<int>(column));
    if (columns.nanosecondsPerColumn() >= kSurelyApart) {
        busy.timesBetween(edges, times);
        return times;
    }
    for (std::size_t column = 0; column < width; ++column)
        times[column] = busy.timesIn(edges[column], std::max(edges[column] + 1, edges[column + 1]));
    return times;
}

}  // namespace

void stackBusy(const GpuBusy& busy, const ColumnMap& columns, std::vector<ColumnStack>& stacks) {
    stacks.clear();
    const std::vector<GpuBusy::Times> all = busyTimes(busy, columns);
    for (int column = 0; column < columns.width(); ++column) {
        const std::int64_t begin = columns.startLimit(column);
        const std::int64_t end = std::max(begin + 1, columns.startLimit(column + 1));
        const GpuBusy::Times& times = all[static_cast<std::size_t>(column)];
        ColumnStack stack{column, column + 1, 0, {}};
        bool any = false;
        for (std::size_t part = 0; part < times.size(); ++part) {
            if (times[part] == 0 || part == static_cast<std::size_t>(GpuBusy::Part::kOutside))
                continue;
            stack.share[part] =
                static_cast<float>(static_cast<double>(times[part]) / static_cast<double>(end - begin));
            any = any || times[part] > 0;
        }
        if (any)
            stacks.push_back(stack);
    }
}

std::optional<TimelineRect> busyRect(const GpuBusy& busy, Nanoseconds moment, const ColumnMap& map) {
    const auto stretch = busy.at(moment.value);
    if (!stretch || stretch->part == GpuBusy::Part::kOutside)
        return std::nullopt;
    const int x0 = map.columnOf(stretch->begin);
    return TimelineRect{.x0 = x0,
                        .x1 = std::max(x0 + 1, map.endColumnOf(stretch->end)),
                        .count = 1,
                        .color = ColorKey::of(stretch->part),
                        .firstRow = TimelineRect::kOpenRow,
                        .row = TimelineRect::kOpenRow,
                        .name = stretch->next,
                        .begin = stretch->begin,
                        .end = stretch->end};
}

void toDevice(const ColumnMap& device, double scale, std::vector<TimelineRect>& rects,
              std::vector<ColumnStack>& stacks) {
    const auto scaled = [&](int column) {
        return std::clamp(static_cast<int>(std::lround(column * scale)), 0, device.width());
    };
    int lastX1 = 0;
    bool lastStacked = false;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        TimelineRect& rect = rects[i];
        const int x0 = scaled(rect.x0), x1 = std::max(x0 + 1, scaled(rect.x1));
        const bool sharesEnd = i + 1 < rects.size() && rects[i + 1].stacked && rects[i + 1].x0 <= rect.x1;
        const bool sharesBegin = lastStacked && lastX1 >= x0;
        rect.x0 = rect.stacked || sharesBegin ? x0 : std::clamp(device.columnOf(rect.begin), x0, x1 - 1);
        rect.x1 = rect.stacked || sharesEnd
                      ? x1
                      : std::clamp(device.endColumnOf(rect.end), rect.x0 + 1, std::max(x1, rect.x0 + 1));
        // Two wide ones that meet within a pixel.
        if (rect.x0 < lastX1 && lastX1 < rect.x1)
            rect.x0 = lastX1;
        lastX1 = std::max(lastX1, rect.x1);
        lastStacked = rect.stacked;
    }
    for (ColumnStack& stack : stacks) {
        stack.x0 = scaled(stack.x0);
        stack.x1 = std::max(stack.x0 + 1, scaled(stack.x1));
    }
}

}  // namespace warpglass::ui
