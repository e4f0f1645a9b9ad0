// Adds up the time of a lane's spans by color, column by column: what stacks are made of (column_stacks.h).
// Internal to ui/timeline.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "ui/timeline/color_times.h"
#include "ui/timeline/column_stacks.h"

namespace warpglass::ui {

/// Time by color of each column of a view.
class ColumnSums {
public:
    explicit ColumnSums(const ColumnMap& map) : m_map(map), m_sums(static_cast<std::size_t>(map.width())) {
        setColumn(0);
    }

    /// Whether [begin, end) lies in one column of the view, which then is the current one.
    bool liesInOne(std::int64_t begin, std::int64_t end) {
        if (begin >= m_begin && begin <= end && end <= m_end)
            return true;
        if (begin < m_map.range().begin.value || end > m_map.range().end.value || end < begin)
            return false;
        moveTo(begin);
        return end <= m_end;
    }
    /// Whether it lies in the view in two neighboring columns.
    bool liesInTwo(std::int64_t begin, std::int64_t end) {
        if (begin < m_map.range().begin.value || end > m_map.range().end.value || end <= begin)
            return false;
        moveTo(begin);
        return m_map.endColumnOf(end) <= m_column + 2;
    }
    /// To the current column.
    void add(const std::int64_t* times, std::size_t parts) {
        for (std::size_t part = 0; part < parts; ++part)
            add(part, times[part]);
    }
    void add(std::size_t part, std::int64_t time) {
        std::int64_t& sum = (*m_current)[part];
        sum = wrappingAdd(sum, time);
    }

    /// A span, cut at the columns' edges; `sign`: −1 takes it away.
    void addSpan(std::int64_t begin, std::int64_t end, std::size_t part, std::int64_t sign = 1) {
        if (begin >= m_begin && begin <= end && end <= m_end)
            return add(part, sign * (end - begin));
        forEachPiece(begin, end, [&](std::int64_t time) { add(part, sign * time); });
    }

    /// `busy` ns somewhere in [begin, end).
    void spread(std::int64_t begin, std::int64_t end, std::int64_t busy, std::size_t part) {
        const double density =
            static_cast<double>(busy) / static_cast<double>(std::max<std::int64_t>(1, end - begin));
        forEachPiece(begin, end, [&](std::int64_t time) {
            add(part, std::llround(density * static_cast<double>(time)));
        });
    }

    std::array<float, ColumnStack::kParts> shares(int column) const {
        const auto wide = static_cast<double>(
            std::max<std::int64_t>(1, m_map.startLimit(column + 1) - m_map.startLimit(column)));
        const Sums& sums = m_sums[static_cast<std::size_t>(column)];
        double all = 0;
        for (const std::int64_t sum : sums)
            all += static_cast<double>(std::max<std::int64_t>(0, sum));
        // Several kernels of one stream may run at once, and a damaged file's spans overlap.
        const double unit = std::max(wide, all);
        std::array<float, ColumnStack::kParts> shares{};
        for (std::size_t part = 0; part < sums.size(); ++part)
            shares[part] =
                static_cast<float>(static_cast<double>(std::max<std::int64_t>(0, sums[part])) / unit);
        return shares;
    }

private:
    using Sums = std::array<std::int64_t, ColumnStack::kParts>;

    /// Calls fn(ns) with the current column at each that [begin, end) reaches in the view.
    template <class Fn>
    void forEachPiece(std::int64_t begin, std::int64_t end, Fn&& fn) {
        begin = std::max(begin, m_map.range().begin.value);
        end = std::min(end, m_map.range().end.value);
        if (end <= begin)
            return;
        moveTo(begin);
        for (; end > m_end; begin = m_end, setColumn(m_column + 1))
            fn(m_end - begin);
        fn(end - begin);
    }
    void setColumn(int column) {
        m_column = std::min(column, m_map.width() - 1);
        m_current = &m_sums[static_cast<std::size_t>(m_column)];
        m_begin = m_map.startLimit(m_column);
        // The view's end is the end of its last column, whatever that rounds to.
        m_end = m_column + 1 < m_map.width() ? m_map.startLimit(m_column + 1) : m_map.range().end.value;
    }
    void moveTo(std::int64_t time) {
        if (time < m_begin || time >= m_end)
            setColumn(m_map.columnOf(time));
    }

    const ColumnMap& m_map;
    std::vector<Sums> m_sums;
    int m_column = 0;  // the current one, its sums, and where it begins and ends:
    Sums* m_current = nullptr;
    std::int64_t m_begin = 0, m_end = 0;
};

/// Whether a frame may read all of the lane's rows in view.
bool hasFewInView(const SpanLane& lane, TimeRange view);

/// What all lanes of a sum share.
struct SummedTrack {
    const Snapshot& snapshot;
    TrackKind kind;
    TimeRange view;
    const ColorTimes* times;
    OpFamilyCache& families;
    /// By self time, from the outermost lane in.
    ColorTimes::Of of = ColorTimes::Of::kSpans;
};

/// A span whose self time can't be told column by column: it lies in more than one.
struct Crossing {
    std::int64_t begin, end;
    std::size_t part;
};

/// Adds a lane up. By self time, a crossing span counts with all of its time, of which what lies in it is
/// taken away when the next lane is added.
class LaneSums {
public:
    /// All outlive it. `around`: the crossing spans of the lane above, by self time.
    LaneSums(const SummedTrack& track, const SpanLane& lane, ColumnSums& sums,
             const std::vector<Crossing>& around);

    void run();
    void addOpen(std::int64_t begin, std::int64_t end, NameId name, PlaceId place);
    std::vector<Crossing> takeCrossings() { return std::move(m_crossings); }

private:
    std::uint64_t addChunk(std::size_t c, std::uint64_t row);
    void addBlock(std::size_t c, std::uint32_t i, const SpanSummary& sum, const ColorTimes::Chunk* known);
    /// Where it lies in one column, in one crossing span or none, and what it is made of is known.
    bool addWhole(const SpanSummary& sum, const std::int64_t* times);
    /// Whether a crossing span holds some of it and not all.
    bool isCut(const SpanSummary& sum, const Crossing* outer) const;
    /// A strip has several lanes, whose rows a frame has no time to read: what lies on two columns is spread
    /// over them. False where it does not.
    bool spreadOverTwo(const SpanSummary& sum, const std::int64_t* times);
    /// Rows [i, last) of a chunk. `known`, unless null, has their colors.
    void addRows(const SpanChunk& chunk, std::uint32_t i, std::uint32_t last, const ColorTimes::Chunk* known);
    void addCrossing(std::int64_t begin, std::int64_t end, std::size_t part);
    /// Asked in order of time. Null for none.
    const Crossing* around(std::int64_t time);
    std::size_t partOf(NameId name, PlaceId place, DetailId detail);

    const SummedTrack& m_track;
    const SpanLane& m_lane;
    const ColorRange m_colors;
    const bool m_oneColor;
    ColumnSums& m_sums;
    const std::vector<Crossing>& m_around;
    std::size_t m_next = 0;  // the first of them that does not end before what is added
    std::vector<Crossing> m_crossings;
    const bool m_few;  // chunks in view
    bool m_done = false;
};

}  // namespace warpglass::ui
