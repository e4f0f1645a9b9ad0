// Which rows the timeline has for a snapshot, where they are and what their labels say: the step band, the
// phase band, the module lanes, then one track per CPU thread with a row per depth.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass::ui {

struct TimelineRow {
    LaneId lane;
    TrackId track;
    TrackKind kind = TrackKind::kStep;
    std::uint32_t depth = 0;
    /// Logical pixels from the top of the content.
    int top = 0;
    int height = 0;

    bool operator==(const TimelineRow&) const = default;
};

struct TimelineTrack {
    TrackId track;
    TrackKind kind = TrackKind::kStep;
    /// "CPU thread", and under it "autograd"; the second is empty where there is nothing to add.
    std::string label;
    std::string sublabel;
    int top = 0;
    int height = 0;
    /// rows[firstRow … firstRow + rowCount), by depth.
    std::size_t firstRow = 0;
    std::size_t rowCount = 0;

    bool operator==(const TimelineTrack&) const = default;
};

class TimelineRows {
public:
    TimelineRows() = default;
    explicit TimelineRows(const Snapshot& snapshot);

    const std::vector<TimelineRow>& rows() const { return m_rows; }
    const std::vector<TimelineTrack>& tracks() const { return m_tracks; }
    /// Logical pixels, with the gap after the last track.
    int height() const { return m_height; }
    /// The row at y (logical pixels from the top of the content); none in a gap.
    std::optional<std::size_t> rowAt(int y) const;
    std::optional<std::size_t> rowOf(LaneId lane) const;

    bool operator==(const TimelineRows&) const = default;

private:
    std::vector<TimelineRow> m_rows;
    std::vector<TimelineTrack> m_tracks;
    int m_height = 0;
};

}  // namespace warpglass::ui
