// The allocation map as rectangles: one block an allocation where it can be told apart, and what cannot be
// merged. No pixels, no widget; pure functions, any thread.
//
// By address: a block lies at its place in packed addresses for its whole lifetime. The largest are drawn
// individually; all others, and those below kSmallest pixels, are merged into cells that are split: each
// category has as many of a cell's strips as its share of it, in its own color, about where its bytes lie.
//
// By allocation time: live allocations are stacked, the oldest lowest, at one moment per column (where the
// column's total is highest), so that the top is the chart of memory over time. The largest are drawn
// individually, neighbors below kSmallest pixels merged; all others lie on top as one band.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/query/memory/allocation_map.h"
#include "ui/memory/place_folds.h"

namespace warpglass::ui {

struct MapRect {
    static constexpr std::uint32_t kMerged = 0xffffffffu;

    /// Pixels of the plot, downwards from its top.
    float left = 0, top = 0, right = 0, bottom = 0;
    /// Row of the AllocationMap; kMerged for several.
    std::uint32_t row = kMerged;
    /// Category of the block, or of most bytes if it stands for several; unknown for kRest.
    Category category = Category::kUnknown;
    /// All that are not among the largest, by birth.
    bool rest = false;

    bool operator==(const MapRect&) const = default;
};

struct MapViewport {
    TimeRange time;
    /// Bytes (places, or heights of the stack) at the lower and the upper edge.
    double low = 0, high = 1;
    /// Pixels.
    double width = 0, height = 0;

    double xOf(std::int64_t t) const {
        return static_cast<double>(t - time.begin.value) * width /
               static_cast<double>(std::max<std::int64_t>(1, time.duration().value));
    }
    double yOf(double bytes) const {
        return (shownBytes(high) - shownBytes(bytes)) * height / (shownBytes(high) - shownBytes(low));
    }
    /// What is at that height: the inverse of yOf().
    double bytesAt(double y) const;

    /// By address, regions that take kFoldHeight pixels each, in order; leaves all open where there is no
    /// room for that, or nothing but them is shown.
    void fold(std::vector<PlaceFold> regions);
    /// Whether it is in a folded region, as far as there is something to fold in that time.
    bool isFolded(double place, double bytes, TimeRange life) const;
    /// The folded region at that height, or null.
    const PlaceFold* foldAt(double y) const;
    /// Bytes below, each folded region as foldBytes.
    double shownBytes(double bytes) const;
    bool operator==(const MapViewport&) const = default;

    /// Set by fold().
    std::vector<PlaceFold> folds{};
    double foldBytes = 0;
};

struct MapGeometry {
    std::vector<MapRect> merged;
    std::vector<MapRect> blocks;
    /// What lives within the time shown (and, by address, between its edges), and of it what is large enough
    /// to be drawn one by one. By birth what lies beyond the edges counts too.
    AllocationMap::Sum all, drawn;
};

/// More than a screen of blocks can be told apart.
inline constexpr std::size_t kMostBlocks = 20'000;
inline constexpr double kSmallest = 1.5;
/// Width of a cell, its strips and their height, in pixels; in a stack, the least height of merged blocks.
inline constexpr double kCell = 2, kStrip = 2;
inline constexpr std::size_t kStrips = 4;
inline constexpr double kCellHeight = kStrip * kStrips;

/// Precondition: map.hasPlaces().
MapGeometry addressGeometry(const AllocationMap& map, const MapViewport& viewport,
                            std::size_t most = kMostBlocks);
/// `moments`: one per column, ascending.
MapGeometry stackGeometry(const AllocationMap& map, const MapViewport& viewport,
                          const std::vector<std::int64_t>& moments, std::size_t most = kMostBlocks);

}  // namespace warpglass::ui
