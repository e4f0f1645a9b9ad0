// The positions of a FlameTree's nodes in a picture: an icicle, with the zoomed node across the whole width
// under its ancestors, and below it its children, each within its parent and as wide as its share.
//
// Children narrower than a pixel are drawn together, as one block that states their number, and their
// contents are not visited: the cost follows what is visible. Pure functions over a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/query/statistics/flame.h"

namespace warpglass::ui {

struct FlameBlock {
    /// The node; of merged ones the first.
    std::uint32_t node = 0;
    /// How many siblings, from `node` on, it represents; 1 for a single node.
    std::uint32_t count = 1;
    /// Row 0 is the root.
    std::uint32_t row = 0;
    double left = 0, width = 0;
    /// An ancestor of the zoomed node: it takes the whole width, independent of its share.
    bool ancestor = false;

    bool merged() const { return count > 1; }
    double right() const { return left + width; }
};

/// Row by row, each from left to right. `width` in pixels; `narrowest` is what a node of its own needs.
/// Empty for an empty tree.
std::vector<FlameBlock> layoutFlame(const FlameTree& tree, std::uint32_t zoomed, double width,
                                    double narrowest = 1);

/// The block at a place, by its row and x; −1 for none. Blocks as layoutFlame() gives them.
int blockAt(const std::vector<FlameBlock>& blocks, std::uint32_t row, double x);

}  // namespace warpglass::ui
