#include "ui/charts/flame_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace warpglass::ui {

namespace {

/// Wide ones side by side in their order, then what is folded, then the parent's own time.
void layoutChildren(const FlameTree& tree, const FlameBlock& parent, double narrowest,
                    std::vector<FlameBlock>& blocks) {
    const FlameNode& node = tree.nodes[parent.node];
    const double scale = parent.width / static_cast<double>(std::max<std::int64_t>(1, node.value));
    const auto widthOf = [&](std::uint32_t child) {
        return static_cast<double>(tree.nodes[child].value) * scale;
    };
    std::vector<std::uint32_t> folded;
    for (std::uint32_t c = node.firstChild; c < node.firstChild + node.children; ++c) {
        if (widthOf(c) < narrowest)
            folded.push_back(c);
    }
    // "1 more" would say less than the block itself.
    if (folded.size() == 1)
        folded.clear();
    const std::uint32_t row = parent.row + 1;
    double left = parent.left;
    for (std::uint32_t c = node.firstChild; c < node.firstChild + node.children; ++c) {
        if (widthOf(c) < narrowest && !folded.empty())
            continue;
        blocks.push_back({c, row, left, widthOf(c), false});
        left += widthOf(c);
    }
    if (folded.empty())
        return;
    double width = 0;
    for (const std::uint32_t child : folded)
        width += widthOf(child);
    blocks.push_back({folded.front(), row, left, width, false, std::move(folded)});
}

}  // namespace

std::vector<FlameBlock> layoutFlame(const FlameTree& tree, std::uint32_t zoomed, double width,
                                    const FlameWidths& widths) {
    std::vector<FlameBlock> blocks;
    if (tree.empty() || width <= 0)
        return blocks;
    zoomed = zoomed < tree.nodes.size() ? zoomed : 0;
    for (std::uint32_t node = zoomed; node != 0; node = tree.nodes[node].parent)
        blocks.push_back({tree.nodes[node].parent, tree.nodes[node].depth - 1, 0, width, true});
    std::reverse(blocks.begin(), blocks.end());
    blocks.push_back({zoomed, tree.nodes[zoomed].depth, 0, width, false});
    // Breadth first; what is folded or no pixel wide has nothing under it.
    for (std::size_t i = blocks.size() - 1; i < blocks.size(); ++i) {
        const FlameBlock parent = blocks[i];
        if (!parent.merged() && parent.width >= 1)
            layoutChildren(tree, parent, parent.node == zoomed ? widths.ofZoomed : widths.narrowest, blocks);
    }
    return blocks;
}

std::vector<double> flameRowTops(const std::vector<double>& wanted, double height) {
    constexpr double kMostGrowth = 3;
    const double sum = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    const double growth = sum > 0 ? std::clamp(height / sum, 1.0, kMostGrowth) : 1;
    // What is over the height is taken from the highest, down to the same.
    std::vector<double> sorted = wanted;
    std::ranges::sort(sorted);
    double left = height, highest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < sorted.size(); left -= sorted[i++]) {
        if (const double equal = left / static_cast<double>(sorted.size() - i); sorted[i] > equal) {
            highest = equal;
            break;
        }
    }
    std::vector<double> tops{0};
    for (const double each : wanted)
        tops.push_back(tops.back() + std::max(kLowestFlameRow, std::floor(std::min(each, highest) * growth)));
    return tops;
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
