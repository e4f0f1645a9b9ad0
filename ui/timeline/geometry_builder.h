// From a snapshot, a visible time range and a width to rectangles: what a timeline row shows, without a
// pixel being drawn, so that tests compare rectangles and another painter could draw them.
//
// Level of detail comes first. A span of three or more pixel columns is a rectangle of its own, and so is one
// that the view's edge cuts (how wide it is can't be seen there). Narrower neighbors that touch are merged
// into runs of about kRunColumns columns; a run knows how many spans it stands for and takes name and color
// from the widest. No column is covered that no span covers, and none is missed.
//
// The walk goes over super-blocks (4,096 spans) and blocks (64) of the lane's mip-map and takes one whole
// when what it covers is certain: when it lies on at most two columns, or on few more with less than a column
// of idle time in it. Else its rows are taken as many at a time as fit on two columns. A lane costs O(columns
// · 64) at worst, once its first visible span is found in O(log n), and an overview of a lazily opened file
// reads no chunk except where a row alone decides.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/query/activity/gpu_busy.h"
#include "engine/query/spans/op_family.h"
#include "engine/trace/snapshot.h"
#include "ui/timeline/timeline_coordinates.h"

namespace warpglass::ui {

/// What a bar's color means; the painter finds it in the theme. A small index, to batch by.
struct ColorKey {
    std::uint8_t value = 0;

    static constexpr ColorKey neutral() { return {0}; }
    static constexpr ColorKey of(Phase phase) {
        return {static_cast<std::uint8_t>(1 + static_cast<std::uint8_t>(phase))};
    }
    static constexpr ColorKey of(OpFamily family) {
        return {static_cast<std::uint8_t>(1 + kPhaseCount + static_cast<std::uint8_t>(family))};
    }
    /// The color key of a Busy lane.
    static constexpr ColorKey of(GpuBusy::Part part) {
        return {
            static_cast<std::uint8_t>(1 + kPhaseCount + kOpFamilyCount + static_cast<std::uint8_t>(part))};
    }
    static constexpr std::size_t kCount = 1 + kPhaseCount + kOpFamilyCount + GpuBusy::kParts;

    /// Nothing for a color of something else.
    constexpr std::optional<OpFamily> family() const {
        constexpr std::size_t kFirst = 1 + kPhaseCount;
        if (value < kFirst || value >= kFirst + kOpFamilyCount)
            return std::nullopt;
        return static_cast<OpFamily>(value - kFirst);
    }

    bool operator==(const ColorKey&) const = default;
};

/// Neighbors among the color keys: all that the spans of a row can have.
struct ColorRange {
    ColorKey first{};
    std::size_t count = 1;

    constexpr ColorKey color(std::size_t part) const {
        return {static_cast<std::uint8_t>(first.value + part)};
    }
    constexpr std::size_t partOf(ColorKey color) const {
        return static_cast<std::size_t>(color.value - first.value);
    }
};
inline constexpr ColorRange kBusyColors{ColorKey::of(GpuBusy::Part{}), GpuBusy::kParts};
constexpr ColorRange colorsOf(TrackKind kind) {
    switch (kind) {
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase:
        case TrackKind::kModule:
            return {ColorKey::neutral(), 1 + kPhaseCount};
        case TrackKind::kCpuThread:
        case TrackKind::kGpuStream:
            return {ColorKey::of(OpFamily{}), kOpFamilyCount};
        case TrackKind::kGpuCopies:
            return {ColorKey::of(OpFamily::kCopy), 1};
        default:
            return {};
    }
}
/// The color of a span: an op's and a kernel's is its family's, a phase's and attention's the phase's.
/// `detail` is asked for of kernels alone.
ColorKey colorOf(const Snapshot& snapshot, TrackKind kind, NameId name, PlaceId place, DetailId detail,
                 OpFamilyCache& families);

struct TimelineRect {
    static constexpr std::uint64_t kOpenRow = std::numeric_limits<std::uint64_t>::max();

    /// Pixel columns [x0, x1) within [0, width]; never empty.
    int x0 = 0;
    int x1 = 0;
    /// Spans that it stands for: 1 for a single one, which may still be narrow when it has no near neighbor.
    std::uint32_t count = 0;
    ColorKey color{};
    /// Whether it is drawn as the stacks of its columns (column_stacks.h).
    bool stacked = false;
    /// Rows [firstRow, firstRow + count) of the lane; kOpenRow for a span that has not ended.
    std::uint64_t firstRow = 0;
    /// The span's, or the row of the widest of a merged run.
    std::uint64_t row = 0;
    /// The span's, or the widest one's.
    NameId name{};
    PlaceId place{};
    /// A kernel's, where its row was read.
    DetailId detail{};
    /// Not clipped to the visible range.
    std::int64_t begin = 0;
    std::int64_t end = 0;

    bool merged() const { return count > 1; }
    bool open() const { return row == kOpenRow; }
    bool operator==(const TimelineRect&) const = default;
};

/// Spans narrower than this (in pixel columns) merge: under it a border would leave nothing to see.
inline constexpr int kMergeColumns = 3;
/// A merged run closes after this many columns, so that a dense lane keeps the texture of its families. Two
/// steps of the walk.
inline constexpr int kRunColumns = 4;

/// Builds lane by lane. Not thread-safe (it caches color families); forget() before another run.
class GeometryBuilder {
public:
    /// Replaces `out` with the rectangles of the lane's spans that overlap the map's range (end > begin and
    /// start < end), in time order; one that shares a column with its predecessor begins after it where it
    /// can. Open spans end at the snapshot's end and are never merged. Rows of damaged chunks are left
    /// out, except from afar where the mip-map alone tells of them. Returns true when completed spans follow
    /// after the range, so that rows appended later can't change it.
    bool buildLane(const Snapshot& snapshot, const SpanLane& lane, TrackKind kind, const ColumnMap& map,
                   std::vector<TimelineRect>& out);
    void forget() { m_families = OpFamilyCache(); }
    OpFamilyCache& families() { return m_families; }

private:
    OpFamilyCache m_families;
};

}  // namespace warpglass::ui
