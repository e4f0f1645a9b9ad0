// The cells of a treemap: a tree of what is alive, or a group's allocations, laid out in an area; what is too
// small to be seen is one cell that says so. And which cell an arrow key leads to.
//
// Pure; GUI thread, whose fonts it measures.
#pragma once

#include <QFont>
#include <QRectF>
#include <QStringList>
#include <Qt>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_tree.h"

namespace warpglass::ui {

/// One rectangle of a treemap. Groups hold their children, which follow them.
struct TreemapCell {
    QRectF rect;
    QString name;
    /// The name as it stands in the cell: without what the group around it says.
    QString label;
    /// How many modules of blocks are in it, where they are several; else 0.
    std::size_t modules = 0;
    Bytes bytes;
    /// What was asked for: the allocator's rounding makes equal tensors differ.
    Bytes asked;
    std::int64_t allocations = 0;
    Category category = Category::kUnknown;
    /// Height of the strip with a group's name, of a second line if its size has no room beside that; 0 for
    /// what holds nothing.
    double title = 0;
    static constexpr double kLine = 13;
    /// Its children are laid out in it.
    bool group = false;
    /// The keys of the node, from the outermost level; of the group around it for an allocation, and for what
    /// is too small.
    std::vector<std::size_t> path;
    std::optional<AllocationId> allocation;
    /// Several that are too small.
    bool rest = false;
};

/// The child that stands for a node at that depth (1 for the outermost) as its only one; null for others. The
/// outermost stands for itself, unless the child is called the same.
const MemoryTreeNode* onlyChild(const MemoryTreeNode& node, std::size_t depth);

/// "ffn.w1" of "blocks.*.ffn.w1", "blocks" of "blocks.*", "block 7" of "blocks.7.ffn.w1" within those; other
/// names as they are.
QString treemapLabel(const std::string& name, const std::string& around);

/// What may stand in a cell, the longest first: "attn.output_proj × 48", "attn.output_proj", "output_proj",
/// "output". A block is "block 7" or nothing: the beginnings of many alike would be texture.
QStringList treemapForms(const TreemapCell& cell);

/// The font of a group's name and size.
QFont treemapTitleFont();

/// What is in the node at `path`, with as many levels in one another as have room.
std::vector<TreemapCell> layOutTree(const MemoryTreeNode& node, const std::vector<std::size_t>& path,
                                    const QRectF& area);

/// The largest of a group, and the rest together.
struct TreemapAllocations {
    std::vector<AllocationDetail> largest;
    Bytes restBytes;
    std::int64_t restCount = 0;
};
std::vector<TreemapCell> layOutAllocations(const TreemapAllocations& allocations,
                                           const std::vector<std::size_t>& path, const QRectF& area);

/// The nearest cell to `from` in the direction of an arrow key, among the cells that hold no others; measured
/// between centers, with sideways distance counting double. The first such cell if `from` is empty.
std::optional<std::size_t> cellTowards(const std::vector<TreemapCell>& cells, std::optional<std::size_t> from,
                                       Qt::Key key);

}  // namespace warpglass::ui
