#include "ui/charts/flame_geometry.h"

#include <algorithm>

namespace warpglass::ui {

namespace {

void layoutChildren(const FlameTree& tree, const FlameBlock& parent, double narrowest,
                    std::vector<FlameBlock>& blocks) {
    const FlameNode& node = tree.nodes[parent.node];
    const double scale = parent.width / static_cast<double>(std::max<std::int64_t>(1, node.value));
    for (std::uint32_t c = node.firstChild; c < node.firstChild + node.children; ++c) {
        const FlameNode& child = tree.nodes[c];
        const double left = parent.left + static_cast<double>(child.offset) * scale;
        const double width = static_cast<double>(child.value) * scale;
        if (width >= narrowest) {
            blocks.push_back({c, 1, parent.row + 1, left, width, false});
            continue;
        }
        // A run of narrow ones grows until it is wide enough to be seen, and then a new one begins.
        FlameBlock& last = blocks.back();
        const bool joins = last.row == parent.row + 1 && last.node + last.count == c &&
                           c != node.firstChild && last.width < narrowest;
        if (joins) {
            ++last.count;
            last.width = left + width - last.left;
        } else {
            blocks.push_back({c, 1, parent.row + 1, left, width, false});
        }
    }
}

}  // namespace

std::vector<FlameBlock> layoutFlame(const FlameTree& tree, std::uint32_t zoomed, double width,
                                    double narrowest) {
    std::vector<FlameBlock> blocks;
    if (tree.empty() || width <= 0)
        return blocks;
    zoomed = zoomed < tree.nodes.size() ? zoomed : 0;
    for (std::uint32_t node = zoomed; node != 0; node = tree.nodes[node].parent)
        blocks.push_back({tree.nodes[node].parent, 1, tree.nodes[node].depth - 1, 0, width, true});
    std::reverse(blocks.begin(), blocks.end());
    blocks.push_back({zoomed, 1, tree.nodes[zoomed].depth, 0, width, false});
    // Breadth first; what is merged or too narrow to show has nothing under it.
    for (std::size_t i = blocks.size() - 1; i < blocks.size(); ++i) {
        const FlameBlock parent = blocks[i];
        if (!parent.merged() && parent.width >= narrowest)
            layoutChildren(tree, parent, narrowest, blocks);
    }
    return blocks;
}

int blockAt(const std::vector<FlameBlock>& blocks, std::uint32_t row, double x) {
    const auto found = std::partition_point(blocks.begin(), blocks.end(), [&](const FlameBlock& block) {
        return block.row < row || (block.row == row && block.right() <= x);
    });
    if (found == blocks.end() || found->row != row || x < found->left)
        return -1;
    return static_cast<int>(found - blocks.begin());
}

}  // namespace warpglass::ui
