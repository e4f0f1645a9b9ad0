// The positions of a FlameTree's nodes in a picture: an icicle, with the zoomed node across the whole width
// under its ancestors, and below it its children, each within its parent and as wide as its share.
//
// Children too narrow to be read are folded: one block at the end of their siblings stands for all of them,
// and their contents are not visited: the cost follows what is visible. Pure functions over a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/query/statistics/flame.h"

namespace warpglass::ui {

struct FlameBlock {
    /// The node; of folded ones the first.
    std::uint32_t node = 0;
    /// Row 0 is the root.
    std::uint32_t row = 0;
    double left = 0, width = 0;
    /// An ancestor of the zoomed node: it takes the whole width, independent of its share.
    bool ancestor = false;
    /// The siblings that it stands for, two or more; none for a single node.
    std::vector<std::uint32_t> folded = {};

    bool merged() const { return !folded.empty(); }
    double right() const { return left + width; }
};

/// The least widths of a node of its own: of any, and of the zoomed node's children, to which no zoom leads.
struct FlameWidths {
    double narrowest = 1, ofZoomed = 1;
};

/// Row by row, each from left to right. `width` in pixels. Empty for an empty tree.
std::vector<FlameBlock> layoutFlame(const FlameTree& tree, std::uint32_t zoomed, double width,
                                    const FlameWidths& widths = {});

/// No row is lower.
inline constexpr double kLowestFlameRow = 20;
/// Where rows begin, and where the last one ends: as high as they are `wanted`, or in more height than all
/// need as many times that, up to three, and in less the highest lower.
std::vector<double> flameRowTops(const std::vector<double>& wanted, double height);

/// The block at a place, by its row and x; −1 for none. Blocks as layoutFlame() gives them.
int blockAt(const std::vector<FlameBlock>& blocks, std::uint32_t row, double x);

}  // namespace warpglass::ui
