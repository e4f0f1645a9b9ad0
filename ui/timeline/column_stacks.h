// What a row's narrow spans come to, one logical pixel column at a time: how much of the column's time each
// color takes, so that a bar of that height can be divided among them and idle time stays empty.
//
// A column is a logical pixel on every screen, so that the picture is the same at every pixel ratio. A span
// of at least kMergeColumns columns is a rectangle of its own (geometry_builder.h); every narrower one is
// drawn as its share of its columns, and so is the part of a wide one in a column that it shares with narrow
// ones.
//
// Shares are exact to the nanosecond: spans are cut at the column's edges. Blocks of the mip-map that lie in
// one column are added whole, with their time by color from ColorTimes; others are read row by row. Where
// ColorTimes is not there yet and more of the lane is in view than frames may read, a block counts for the
// color of its longest span, spread evenly over its columns. O(columns · 64 + spans / 64) a lane.
//
// A folded track is a strip: the stacks of all its lanes together, where spans nest by their self time. So a
// thread's strip is as high as the thread is busy, and says what with. There 64 spans that lie on two columns
// are spread over them, so that a frame need not read the rows of all lanes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/query/activity/gpu_busy.h"
#include "ui/timeline/color_times.h"
#include "ui/timeline/geometry_builder.h"

namespace warpglass::ui {

/// The stack of one column, from the bottom up.
struct ColumnStack {
    static constexpr std::size_t kParts = std::max({1 + kPhaseCount, kOpFamilyCount, GpuBusy::kParts});

    /// Pixel columns [x0, x1), as in TimelineRect.
    int x0 = 0;
    int x1 = 0;
    /// The rectangle that it is drawn for, an index; a Busy lane and a strip have none.
    std::uint32_t rect = 0;
    /// By part of colorsOf() or kBusyColors; 0…1, together at most 1.
    std::array<float, kParts> share{};

    bool operator==(const ColumnStack&) const = default;
};

/// The stacks of a lane whose rectangles GeometryBuilder::buildLane has made over these `columns`; marks
/// those that are drawn as stacks, and takes columns that they share from wide ones. `times` may be null.
void stackLane(const Snapshot& snapshot, const SpanLane& lane, TrackKind kind, const ColumnMap& columns,
               const ColorTimes* times, OpFamilyCache& families, std::vector<TimelineRect>& rects,
               std::vector<ColumnStack>& stacks);

/// The strip of a track's lanes: every column in which any of them has a span. Open spans end at the
/// snapshot's end. `times` may be null.
void stackStrip(const Snapshot& snapshot, const std::vector<SpanLane>& lanes, TrackKind kind,
                const ColumnMap& columns, const ColorTimes* times, OpFamilyCache& families,
                std::vector<ColumnStack>& stacks);

/// The stacks of a GPU's Busy lane: every column that any step or any work reaches.
void stackBusy(const GpuBusy& busy, const ColumnMap& columns, std::vector<ColumnStack>& stacks);

/// What a moment of a Busy lane lies in, as a rectangle that is no row's; nothing outside the steps where the
/// GPU is idle.
std::optional<TimelineRect> busyRect(const GpuBusy& busy, Nanoseconds moment, const ColumnMap& map);

/// Converts logical columns to those of `device`, `scale` of them per logical column: wide rectangles get
/// edges as exact as the screen shows, unless they share a column.
void toDevice(const ColumnMap& device, double scale, std::vector<TimelineRect>& rects,
              std::vector<ColumnStack>& stacks);

}  // namespace warpglass::ui
