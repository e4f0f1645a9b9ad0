// Which rows the timeline has for a snapshot, where they are and what their labels say: the step band, the
// phase band, the module lanes, each GPU's Busy lane and streams, then one track per CPU thread with a row
// per depth; as the user has arranged them. A folded track is one row: a strip, the stacks of all its lanes
// (column_stacks.h), or of modules, whose names matter and of which the outermost hold the rest, those.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/snapshot.h"
#include "ui/timeline/row_arrangement.h"

namespace warpglass::ui {

struct TimelineRow {
    /// The first of a strip's. Not valid for a Busy lane, which no lane of the trace holds.
    LaneId lane;
    TrackId track;
    TrackKind kind = TrackKind::kStep;
    std::uint32_t depth = 0;
    /// Logical pixels from the top of the content.
    int top = 0;
    int height = 0;
    /// The row of a folded track, of all its lanes. It has no rectangles, and stacks of every column.
    bool strip = false;
    /// For a Busy lane, the index of its GPU in gpusOf(); its kind is that of the streams.
    std::optional<std::uint32_t> gpu = {};

    bool operator==(const TimelineRow&) const = default;
};

struct TimelineTrack {
    TrackId track;
    TrackKind kind = TrackKind::kStep;
    /// "Host ops", and under it "autograd 1"; the second is empty where there is nothing to add.
    std::string label;
    std::string sublabel;
    int top = 0;
    int height = 0;
    /// Its rows from this one on, by depth, one where it is folded.
    std::size_t firstRow = 0;
    std::size_t laneCount = 0;
    /// What the arrangement knows it by.
    std::string key;
    bool folded = false;
    bool pinned = false;

    /// For a Busy lane, the same as in its row.
    std::optional<std::uint32_t> gpu = {};
    /// Height of the legend of its colors below its rows; 0 without one.
    int legendHeight = 0;
    int legendTop() const { return top + height - legendHeight; }

    bool foldable() const { return laneCount > 1; }

    bool operator==(const TimelineTrack&) const = default;
};

/// Logical pixels; 0 for no legend.
struct LegendHeights {
    /// Below the first Busy lane.
    int busy = 0;
    /// Below the first stream of a GPU and the first CPU thread: both have the families' colors.
    int families = 0;
};

class TimelineRows {
public:
    TimelineRows() = default;
    explicit TimelineRows(const Snapshot& snapshot, const RowArrangement& arrangement = {},
                          LegendHeights legends = {});

    const std::vector<TimelineRow>& rows() const { return m_rows; }
    const std::vector<TimelineTrack>& tracks() const { return m_tracks; }
    /// Logical pixels, with the gap after the last track.
    int height() const { return m_height; }
    /// The first tracks, which stay at the top; and how high they are.
    std::size_t pinnedTracks() const { return m_pinnedTracks; }
    std::size_t pinnedRows() const { return m_pinnedRows; }
    int pinnedHeight() const { return m_pinnedHeight; }
    /// Every track that has anything to show, hidden ones too, in their natural order.
    const RowArrangement::Keys& keys() const { return m_keys; }
    std::size_t hiddenTracks() const { return m_keys.size() - m_tracks.size(); }
    /// The row at y (logical pixels from the top of the content); none in a gap.
    std::optional<std::size_t> rowAt(int y) const;
    /// That of the folded track where the lane has none of its own.
    std::optional<std::size_t> rowOf(LaneId lane) const;
    /// The Busy lane of one of gpusOf().
    std::optional<std::size_t> busyRow(std::uint32_t gpu) const;
    /// The track whose label is at y, with the gap under it.
    std::optional<std::size_t> trackAt(int y) const;
    std::optional<std::size_t> trackOf(const std::string& key) const;
    std::optional<std::size_t> trackOf(TrackId track) const;
    std::optional<std::size_t> trackOf(const TimelineRow& row) const;

    bool operator==(const TimelineRows&) const = default;

private:
    void add(const Snapshot& snapshot, TrackId id, std::string key, bool folded, bool pinned,
             int legendHeight, int& y);
    void addBusy(std::uint32_t gpu, const std::string& name, std::string key, bool pinned, int legendHeight,
                 int& y);

    std::vector<TimelineRow> m_rows;
    std::vector<TimelineTrack> m_tracks;
    std::vector<std::pair<LaneId, std::size_t>> m_rowOfLane;
    RowArrangement::Keys m_keys;
    std::size_t m_pinnedTracks = 0;
    std::size_t m_pinnedRows = 0;
    int m_pinnedHeight = 0;
    int m_height = 0;
};

/// The keys of the tracks without a span in the range; none if that is so of all.
std::set<std::string> emptyTracks(const TimelineRows& rows, const Snapshot& snapshot, TimeRange range);

}  // namespace warpglass::ui
