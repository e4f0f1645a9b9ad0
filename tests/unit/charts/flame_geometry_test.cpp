#include "ui/charts/flame_geometry.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpglass::ui::flame_geometry_test {

/// A tree by chance, in a FlameTree's order: each node has up to `most` children that take all or most of it.
FlameTree randomTree(std::uint64_t seed, std::uint32_t depth, std::uint32_t most) {
    std::mt19937_64 random(seed);
    FlameTree tree;
    tree.nodes.push_back({});
    tree.nodes[0].value = 1'000'000;
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        tree.nodes[i].firstChild = static_cast<std::uint32_t>(tree.nodes.size());
        tree.depth = std::max(tree.depth, tree.nodes[i].depth);
        if (tree.nodes[i].depth == depth)
            continue;
        std::int64_t left = tree.nodes[i].value, offset = 0;
        const std::uint64_t wanted = random() % (most + 1);
        for (std::uint64_t c = 0; c < wanted && left > 1; ++c) {
            // Many narrow ones, some wide ones.
            const std::int64_t value =
                1 + static_cast<std::int64_t>(
                        random() % static_cast<std::uint64_t>(random() % 3 == 0 ? left : left / 64 + 1));
            FlameNode child{.parent = i, .depth = tree.nodes[i].depth + 1, .value = value, .offset = offset};
            tree.nodes.push_back(child);
            ++tree.nodes[i].children;
            offset += value;
            left -= value;
        }
    }
    return tree;
}

/// What stands for a block in a picture: one node, or the siblings that are folded.
std::vector<std::uint32_t> nodesOf(const FlameBlock& block) {
    return block.merged() ? block.folded : std::vector{block.node};
}

bool isAncestor(const FlameTree& tree, std::uint32_t node, std::uint32_t zoomed) {
    for (std::uint32_t up = zoomed; up != 0; up = tree.nodes[up].parent) {
        if (tree.nodes[up].parent == node)
            return true;
    }
    return false;
}

TEST(FlameGeometry, EveryNodeOfAShownParentIsInOneBlockAsWideAsItsShare) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const FlameTree tree = randomTree(seed, 5, 24);
        std::mt19937_64 random(seed * 77);
        for (const double width : {40.0, 333.0, 1570.5}) {
            const auto zoomed = static_cast<std::uint32_t>(seed % 3 == 0 ? 0 : random() % tree.nodes.size());
            const FlameWidths widths{seed % 2 == 0 ? 14.0 : 1.0, seed % 2 == 0 ? 4.0 : 1.0};
            const double scale = width / static_cast<double>(tree.nodes[zoomed].value);
            const auto widthOf = [&](std::uint32_t node) {
                return static_cast<double>(tree.nodes[node].value) * scale;
            };
            const std::vector<FlameBlock> blocks = layoutFlame(tree, zoomed, width, widths);
            std::vector<int> covered(tree.nodes.size(), 0);
            std::vector<bool> opened(tree.nodes.size(), false);  // shown itself, and a pixel wide
            for (const FlameBlock& block : blocks) {
                EXPECT_EQ(block.row, tree.nodes[block.node].depth);
                double sum = 0;
                for (const std::uint32_t node : nodesOf(block)) {
                    ++covered[node];
                    sum += widthOf(node);
                    EXPECT_EQ(tree.nodes[node].parent, tree.nodes[block.node].parent);
                    const double least =
                        tree.nodes[node].parent == zoomed ? widths.ofZoomed : widths.narrowest;
                    EXPECT_TRUE(!block.merged() || widthOf(node) < least) << "a wide one was folded";
                }
                EXPECT_NE(block.folded.size(), 1U);
                EXPECT_NEAR(block.width, block.ancestor ? width : sum, 1e-6);
                opened[block.node] = !block.merged() && !block.ancestor && block.width >= 1;
            }
            for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
                const bool shown =
                    i == zoomed || isAncestor(tree, i, zoomed) || (i != 0 && opened[tree.nodes[i].parent]);
                EXPECT_EQ(covered[i], shown ? 1 : 0) << i << " of seed " << seed;
            }
        }
    }
}

TEST(FlameGeometry, ChildrenStandWithinTheirParentsFromLeftToRight) {
    const FlameTree tree = randomTree(99, 6, 30);
    const std::vector<FlameBlock> blocks = layoutFlame(tree, 0, 1200, {14, 4});
    std::map<std::uint32_t, const FlameBlock*> byNode;
    for (const FlameBlock& block : blocks) {
        if (!block.merged())
            byNode[block.node] = &block;
    }
    int folded = 0;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        const FlameBlock& parent = *byNode.at(tree.nodes[blocks[i].node].parent);
        EXPECT_GE(blocks[i].left, parent.left - 1e-9);
        EXPECT_LE(blocks[i].right(), parent.right() + 1e-6);
        if (blocks[i].row == blocks[i - 1].row) {
            EXPECT_GE(blocks[i].left, blocks[i - 1].right() - 1e-6);
        }
        folded += blocks[i].merged() ? 1 : 0;
        // It is the last of its siblings.
        if (blocks[i].merged() && i + 1 < blocks.size()) {
            EXPECT_NE(tree.nodes[blocks[i + 1].node].parent, tree.nodes[blocks[i].node].parent);
        }
    }
    EXPECT_GT(folded, 5);
}

TEST(FlameGeometry, OneNarrowSiblingStandsForItself) {
    FlameTree tree;
    tree.nodes.resize(4);
    tree.nodes[0].value = 100;
    tree.nodes[0].firstChild = 1;
    tree.nodes[0].children = 3;
    tree.depth = 1;
    const std::int64_t values[] = {3, 60, 37};
    for (std::uint32_t i = 0; i < 3; ++i) {
        tree.nodes[i + 1].value = values[i];
        tree.nodes[i + 1].depth = 1;
    }
    const auto nodes = [&](const FlameWidths& widths) {
        std::vector<std::vector<std::uint32_t>> found;
        for (const FlameBlock& block : layoutFlame(tree, 0, 1000, widths))
            found.push_back(nodesOf(block));
        return found;
    };
    using Nodes = std::vector<std::vector<std::uint32_t>>;
    EXPECT_EQ(nodes({50, 50}), (Nodes{{0}, {1}, {2}, {3}})) << "in its own place";
    EXPECT_EQ(nodes({400, 400}), (Nodes{{0}, {2}, {1, 3}}));
    EXPECT_EQ(nodes({400, 4}), (Nodes{{0}, {1}, {2}, {3}})) << "no zoom leads nearer to them";
}

TEST(FlameGeometry, ABlockIsFoundAtEveryPlaceOfIt) {
    const FlameTree tree = randomTree(5, 5, 20);
    const std::vector<FlameBlock> blocks = layoutFlame(tree, 0, 800);
    std::mt19937_64 random(8);
    for (int i = 0; i < 5000; ++i) {
        const auto row = static_cast<std::uint32_t>(random() % 7);
        const double x = static_cast<double>(random() % 810'000) / 1000;
        int expected = -1;
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            if (blocks[b].row == row && x >= blocks[b].left && x < blocks[b].right())
                expected = static_cast<int>(b);
        }
        EXPECT_EQ(blockAt(blocks, row, x), expected) << row << " " << x;
    }
}

TEST(FlameGeometry, AMillionNarrowChildrenAreOneBlock) {
    FlameTree tree;
    tree.nodes.resize(1'000'001);
    tree.nodes[0].value = 1'000'000;
    tree.nodes[0].firstChild = 1;
    tree.nodes[0].children = 1'000'000;
    tree.depth = 1;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
        tree.nodes[i].value = 1;
        tree.nodes[i].offset = i - 1;
        tree.nodes[i].depth = 1;
    }
    const std::vector<FlameBlock> blocks = layoutFlame(tree, 0, 1000);
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[1].folded.size(), 1'000'000u);
    EXPECT_NEAR(blocks[1].width, 1000, 1e-6);
}

TEST(FlameGeometry, RowsAreAsHighAsTheyNeedAndShareWhatIsLeftOrLacking) {
    using Tops = std::vector<double>;
    EXPECT_EQ(flameRowTops({24, 40, 100}, 164), (Tops{0, 24, 64, 164}));
    EXPECT_EQ(flameRowTops({24, 40, 100}, 246), (Tops{0, 36, 96, 246})) << "half as much again for each";
    EXPECT_EQ(flameRowTops({24, 40, 100}, 2000), (Tops{0, 72, 192, 492})) << "no more than three times";
    EXPECT_EQ(flameRowTops({100, 24, 90, 40}, 204), (Tops{0, 70, 94, 164, 204})) << "the high ones are equal";
    EXPECT_EQ(flameRowTops({100, 24}, 10), (Tops{0, 20, 40})) << "each can be seen";
    EXPECT_EQ(flameRowTops({}, 100), (Tops{0}));
}

TEST(FlameGeometry, OfNothingIsNothing) {
    EXPECT_TRUE(layoutFlame({}, 0, 100).empty());
    EXPECT_TRUE(layoutFlame(randomTree(1, 2, 3), 0, 0).empty());
    EXPECT_EQ(blockAt({}, 0, 0), -1);
}

}  // namespace warpglass::ui::flame_geometry_test
