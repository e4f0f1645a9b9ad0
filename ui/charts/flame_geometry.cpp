#include "ui/charts/flame_geometry.h"

#include <algorithm>
#include <cmath>
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

std::vector<double> flameRowTops(const std::vector<FlameBlock>& blocks, std::uint32_t rows, double height,
                                 const FlameNameWidths& widths) {
    constexpr double kTwoLines = 40, kLeastShare = 0.55;
    constexpr double kHighest = 1.6;  // times the height: more would say no more
    const double lowHeight = std::floor(std::max(kTwoLines, kLeastShare * height));
    std::vector<bool> low(rows, height > lowHeight);
    std::vector<bool> used(rows, false);
    for (const FlameBlock& block : blocks) {
        used[block.row] = true;
        if (block.width >= widths.named && block.width < widths.wide)
            low[block.row] = false;
    }
    std::uint32_t lower = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
        low[row] = low[row] && used[row];
        lower += low[row] ? 1 : 0;
    }
    const double gained = lower == rows ? 0 : lower * (height - lowHeight) / (rows - lower);
    std::vector<double> tops{0};
    for (std::uint32_t row = 0; row < rows; ++row)
        tops.push_back(tops.back() + (lower == rows ? height
                                      : low[row]    ? lowHeight
                                                 : std::floor(std::min(height + gained, kHighest * height))));
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
