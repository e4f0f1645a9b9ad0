#include "ui/timeline/column_stacks.h"

#include <cmath>
#include <utility>

#include "ui/timeline/lane_sums.h"

namespace warpglass::ui {

void stackLane(const Snapshot& snapshot, const SpanLane& lane, TrackKind kind, const ColumnMap& columns,
               const ColorTimes* times, OpFamilyCache& families, std::vector<TimelineRect>& rects,
               std::vector<ColumnStack>& stacks) {
    stacks.clear();
    const auto isNarrow = [](const TimelineRect& rect) {
        return rect.merged() || (!rect.open() && rect.x1 - rect.x0 < kMergeColumns);
    };
    if (std::none_of(rects.begin(), rects.end(), isNarrow))
        return;
    ColumnSums sums(columns);
    const SummedTrack track{snapshot, kind, columns.range(), times, families};
    LaneSums(track, lane, sums, {}).run();
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

void stackStrip(const Snapshot& snapshot, const std::vector<SpanLane>& lanes, TrackKind kind,
                const ColumnMap& columns, const ColorTimes* times, OpFamilyCache& families,
                std::vector<ColumnStack>& stacks) {
    stacks.clear();
    ColumnSums sums(columns);
    SummedTrack track{snapshot, kind, columns.range(), times, families};
    // From afar, before blocks' self time is known: by the outermost spans alone, which hold all others.
    const bool isOutline = nests(kind) && !times && !hasFewInView(lanes.front(), track.view);
    if (nests(kind) && !isOutline)
        track.of = ColorTimes::Of::kSelf;
    std::vector<Crossing> around;
    for (const SpanLane& lane : lanes) {
        LaneSums walk(track, lane, sums, around);
        walk.run();
        for (const OpenSpan& span : snapshot.openSpans()) {
            if (span.lane == lane.id())
                walk.addOpen(span.start, snapshot.range().end.value, span.name, span.place);
        }
        std::vector<Crossing> crossings = walk.takeCrossings();
        if (isOutline)
            break;
        if (nests(kind))
            around = std::move(crossings);
    }
    for (int column = 0; column < columns.width(); ++column) {
        const ColumnStack stack{column, column + 1, 0, sums.shares(column)};
        if (std::any_of(stack.share.begin(), stack.share.end(), [](float share) { return share > 0; }))
            stacks.push_back(stack);
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
