// The cells of a treemap: a tree of what is alive, or a group's allocations, laid out in an area; what is too
// small to be seen is one cell that says so. And which cell an arrow key leads to.
//
// Pure; any thread.
#pragma once

#include <QRectF>
#include <QString>
#include <Qt>
#include <optional>
#include <vector>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_tree.h"

namespace warpglass::ui {

/// One rectangle of a treemap. Groups hold their children, which follow them.
struct TreemapCell {
    QRectF rect;
    QString name;
    Bytes bytes;
    std::int64_t allocations = 0;
    Category category = Category::kUnknown;
    /// Height of the strip with a group's name; 0 for none, and for what holds nothing.
    double title = 0;
    bool group = false;
    std::size_t outer = 0;
    std::optional<std::size_t> inner;
    std::optional<AllocationId> allocation;
    /// Several that are too small.
    bool rest = false;
};

/// A level of the tree laid out: groups with their children in them, or children alone.
std::vector<TreemapCell> layOutGroups(const MemoryTreeNode& root, const QRectF& area);
std::vector<TreemapCell> layOutChildren(const MemoryTreeNode& group, const QRectF& area);

/// The largest of a group, and the rest together.
struct TreemapAllocations {
    std::vector<AllocationDetail> largest;
    Bytes restBytes;
    std::int64_t restCount = 0;
};
std::vector<TreemapCell> layOutAllocations(const TreemapAllocations& allocations, std::size_t outer,
                                           std::size_t inner, const QRectF& area);

/// The nearest cell to `from` in the direction of an arrow key, among the cells that hold no others; measured
/// between centres, with sideways distance counting double. The first such cell if `from` is empty.
std::optional<std::size_t> cellTowards(const std::vector<TreemapCell>& cells, std::optional<std::size_t> from,
                                       Qt::Key key);

}  // namespace warpglass::ui
