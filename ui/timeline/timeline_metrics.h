// Sizes of the timeline in logical pixels. Charts on the same time axis use kTrackLabelWidth as their left
// margin, so that one moment is one x in every view; the plot reaches the widget's right edge.
#pragma once

#include <cstdint>

#include "engine/trace/ids.h"

namespace warpglass::ui {

/// Fits "GPU 0 copies" in the text font with 12 px before and 8 px after it.
inline constexpr int kTrackLabelWidth = 96;
inline constexpr int kRulerHeight = 24;
/// A row of bars with readable text in the table font.
inline constexpr int kBandRowHeight = 18;
/// Rows of GPU kernels: as high as the label beside them, so that a stack of families has room.
inline constexpr int kStackRowHeight = 28;
inline constexpr int kBusyRowHeight = 18;
/// Ops and nested modules: many rows, with room for text of 11 pixels.
inline constexpr int kLaneRowHeight = 16;
/// Between a track's rows, and between tracks.
inline constexpr int kBandGap = 2;
inline constexpr int kLaneGap = 1;
inline constexpr int kTrackGap = 8;
/// Two label lines (the track's kind, its name) must fit beside a track of one row.
inline constexpr int kTwoLineLabelHeight = 30;
inline constexpr int kSublabelTop = 15;
inline constexpr int kScrollBarWidth = 8;
/// A row of ops with its gap.
inline constexpr int kScrollStep = kLaneRowHeight + kLaneGap;
/// A track's fold mark, left of its label.
inline constexpr int kChevronLeft = 1;
inline constexpr int kChevronWidth = 11;

constexpr bool isBand(TrackKind kind) {
    return kind == TrackKind::kStep || kind == TrackKind::kPhase || kind == TrackKind::kModule ||
           kind == TrackKind::kGpuPhase || kind == TrackKind::kGpuStream;
}
constexpr int rowHeight(TrackKind kind, std::uint32_t depth) {
    if (kind == TrackKind::kGpuStream && depth == 0)
        return kStackRowHeight;
    return isBand(kind) && depth == 0 ? kBandRowHeight : kLaneRowHeight;
}
constexpr int rowGap(TrackKind kind) {
    return isBand(kind) ? kBandGap : kLaneGap;
}

}  // namespace warpglass::ui
