#include "ui/charts/flame_geometry.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpglass::ui {
namespace {

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
            FlameNode child;
            child.parent = i;
            child.depth = tree.nodes[i].depth + 1;
            child.value = value;
            child.offset = offset;
            tree.nodes.push_back(child);
            ++tree.nodes[i].children;
            offset += value;
            left -= value;
        }
    }
    return tree;
}

struct Place {
    double left = 0, width = 0;
    bool shown = false;
};

/// Every node's place when `zoomed` takes the whole width, one node after another.
std::vector<Place> placesOf(const FlameTree& tree, std::uint32_t zoomed, double width) {
    std::vector<Place> places(tree.nodes.size());
    places[zoomed] = {0, width, true};
    for (std::uint32_t i = zoomed + 1; i < tree.nodes.size(); ++i) {
        const FlameNode& node = tree.nodes[i];
        const Place& parent = places[node.parent];
        if (!parent.shown)
            continue;
        const double scale = parent.width / static_cast<double>(tree.nodes[node.parent].value);
        places[i] = {parent.left + static_cast<double>(node.offset) * scale,
                     static_cast<double>(node.value) * scale, false};
        places[i].shown = places[i].width >= 1;
    }
    return places;
}

TEST(FlameGeometry, IsThatOfEveryNodeWhereItIsWideEnough) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const FlameTree tree = randomTree(seed, 5, 24);
        std::mt19937_64 random(seed * 77);
        for (const double width : {40.0, 333.0, 1570.5}) {
            const auto zoomed = static_cast<std::uint32_t>(seed % 3 == 0 ? 0 : random() % tree.nodes.size());
            const std::vector<FlameBlock> blocks = layoutFlame(tree, zoomed, width);
            const std::vector<Place> places = placesOf(tree, zoomed, width);
            std::vector<int> covered(tree.nodes.size(), 0);
            for (const FlameBlock& block : blocks) {
                for (std::uint32_t i = block.node; i < block.node + block.count; ++i)
                    ++covered[i];
                EXPECT_EQ(block.row, tree.nodes[block.node].depth);
                if (block.ancestor) {
                    EXPECT_DOUBLE_EQ(block.width, width);
                    continue;
                }
                const Place& first = places[block.node];
                const Place& last = places[block.node + block.count - 1];
                EXPECT_NEAR(block.left, first.left, 1e-6);
                EXPECT_NEAR(block.right(), last.left + last.width, 1e-6);
                if (block.merged()) {
                    for (std::uint32_t i = block.node; i < block.node + block.count; ++i) {
                        EXPECT_FALSE(places[i].shown) << "a wide block was merged";
                        EXPECT_EQ(tree.nodes[i].parent, tree.nodes[block.node].parent);
                    }
                }
            }
            for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
                const bool parentShown = i != 0 && places[tree.nodes[i].parent].shown;
                bool ancestor = false;
                for (std::uint32_t up = zoomed; up != 0; up = tree.nodes[up].parent)
                    ancestor = ancestor || tree.nodes[up].parent == i;
                EXPECT_EQ(covered[i], i == zoomed || parentShown || ancestor ? 1 : 0)
                    << "every child of a block is in exactly one block";
            }
        }
    }
}

TEST(FlameGeometry, ChildrenStandWithinTheirParentsFromLeftToRight) {
    const FlameTree tree = randomTree(99, 6, 30);
    const std::vector<FlameBlock> blocks = layoutFlame(tree, 0, 1200);
    std::map<std::uint32_t, const FlameBlock*> byNode;
    for (const FlameBlock& block : blocks)
        byNode[block.node] = &block;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        const FlameBlock& parent = *byNode.at(tree.nodes[blocks[i].node].parent);
        EXPECT_GE(blocks[i].left, parent.left - 1e-9);
        EXPECT_LE(blocks[i].right(), parent.right() + 1e-9);
        if (blocks[i].row == blocks[i - 1].row) {
            EXPECT_GE(blocks[i].left, blocks[i - 1].right() - 1e-6);
        }
    }
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

TEST(FlameGeometry, OfAMillionNarrowChildrenAPixelsWorthIsDrawn) {
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
    EXPECT_LE(blocks.size(), 1002u);
    std::uint64_t count = 0;
    for (std::size_t i = 1; i < blocks.size(); ++i)
        count += blocks[i].count;
    EXPECT_EQ(count, 1'000'000u);
}

TEST(FlameGeometry, OfNothingIsNothing) {
    EXPECT_TRUE(layoutFlame({}, 0, 100).empty());
    EXPECT_TRUE(layoutFlame(randomTree(1, 2, 3), 0, 0).empty());
    EXPECT_EQ(blockAt({}, 0, 0), -1);
}

}  // namespace
}  // namespace warpglass::ui
