#include "ui/memory/treemap_cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/format.h"
#include "ui/memory/treemap_layout.h"
#include "ui/memory/treemap_view.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr double kTitle = 18;
/// A cell of less is no cell to the eye or the mouse.
constexpr double kSmallestArea = 16;

Category mostOf(const CategoryBytes& bytes) {
    return static_cast<Category>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

/// Values with what is too small, and `beyond` that is smaller still, taken together at `restAt` (nowhere,
/// when there is nothing).
struct Sized {
    std::vector<double> values;
    std::size_t own = 0;  // that stand for themselves
    std::size_t restAt = 0;
};
Sized withoutTheSmall(const std::vector<double>& values, double beyond, double area) {
    const double all = std::accumulate(values.begin(), values.end(), beyond);
    Sized sized;
    while (sized.own < values.size() && all > 0 && values[sized.own] / all * area >= kSmallestArea)
        ++sized.own;
    if (beyond <= 0 && sized.own + 1 == values.size())
        sized.own = values.size();  // one small cell needs no other name
    const auto firstSmall = values.begin() + static_cast<std::ptrdiff_t>(sized.own);
    sized.values.assign(values.begin(), firstSmall);
    sized.restAt = values.size() + 1;
    if (const double rest = std::accumulate(firstSmall, values.end(), beyond); rest > 0) {
        const auto at =
            std::find_if(sized.values.begin(), sized.values.end(), [&](double v) { return v < rest; });
        sized.restAt = static_cast<std::size_t>(at - sized.values.begin());
        sized.values.insert(at, rest);
    }
    return sized;
}

/// Cells of the nodes in the area, and of all that are too small one.
std::vector<TreemapCell> layOutNodes(const std::vector<MemoryTreeNode>& nodes, const QRectF& area) {
    std::vector<double> values;
    for (const MemoryTreeNode& node : nodes) {
        if (node.bytes.value > 0)
            values.push_back(static_cast<double>(node.bytes.value));
    }
    std::vector<TreemapCell> cells;
    if (area.isEmpty())
        return cells;
    const Sized sized = withoutTheSmall(values, 0, area.width() * area.height());
    const std::vector<QRectF> rects = squarify(sized.values, area);
    std::size_t node = 0;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        TreemapCell cell;
        cell.rect = rects[i];
        if (i == sized.restAt) {
            cell.rest = true;
            for (std::size_t k = sized.own; k < nodes.size(); ++k) {
                cell.bytes += nodes[k].bytes;
                cell.allocations += nodes[k].allocations;
            }
            if (sized.own < nodes.size())  // its largest has the colour
                cell.category = mostOf(nodes[sized.own].byCategory);
            cell.name = TreemapView::tr("%1 smaller").arg(nodes.size() - sized.own);
        } else {
            const MemoryTreeNode& from = nodes[node++];
            cell.name = toQString(from.name);
            cell.bytes = from.bytes;
            cell.allocations = from.allocations;
            cell.category = mostOf(from.byCategory);
            cell.outer = from.key;
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

}  // namespace

std::vector<TreemapCell> layOutChildren(const MemoryTreeNode& group, const QRectF& area) {
    std::vector<TreemapCell> cells = layOutNodes(group.children, area);
    for (TreemapCell& cell : cells) {
        cell.inner = cell.outer;
        cell.outer = group.key;
    }
    return cells;
}

std::vector<TreemapCell> layOutGroups(const MemoryTreeNode& root, const QRectF& area) {
    std::vector<TreemapCell> cells;
    std::size_t next = 0;
    for (TreemapCell& group : layOutNodes(root.children, area)) {
        if (group.rest) {
            cells.push_back(group);
            continue;
        }
        const MemoryTreeNode& node = root.children[next++];
        group.group = true;
        const bool titled = group.rect.height() >= 2.5 * kTitle && group.rect.width() >= 60;
        group.title = titled ? kTitle : 0;
        cells.push_back(group);
        // A hairline of the group around its children.
        const QRectF inside = group.rect.adjusted(2, titled ? kTitle : 2, -2, -2);
        if (inside.width() < 6 || inside.height() < 6)
            continue;
        for (TreemapCell& child : layOutChildren(node, inside))
            cells.push_back(std::move(child));
    }
    return cells;
}

std::vector<TreemapCell> layOutAllocations(const TreemapAllocations& allocations, std::size_t outer,
                                           std::size_t inner, const QRectF& area) {
    std::vector<double> values;
    values.reserve(allocations.largest.size());
    for (const AllocationDetail& detail : allocations.largest)
        values.push_back(static_cast<double>(detail.row.bytes));
    const Sized sized = withoutTheSmall(values, static_cast<double>(allocations.restBytes.value),
                                        area.width() * area.height());
    Bytes rest = allocations.restBytes;
    for (std::size_t i = sized.own; i < allocations.largest.size(); ++i)
        rest += Bytes(allocations.largest[i].row.bytes);
    const std::vector<QRectF> rects = squarify(sized.values, area);
    std::vector<TreemapCell> cells;
    cells.reserve(rects.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        TreemapCell cell;
        cell.rect = rects[i];
        cell.outer = outer;
        cell.inner = inner;
        if (i == sized.restAt) {
            cell.rest = true;
            cell.bytes = rest;
            cell.category = std::min(allocations.largest.back().row.category, Category::kUnknown);
            cell.allocations =
                allocations.restCount + static_cast<std::int64_t>(allocations.largest.size() - sized.own);
            cell.name = TreemapView::tr("%1 smaller").arg(toQString(formatGrouped(cell.allocations)));
        } else {
            const AllocationDetail& detail = allocations.largest[next++];
            cell.allocation = detail.id;
            cell.bytes = Bytes(detail.row.bytes);
            cell.allocations = 1;
            cell.category = std::min(detail.row.category, Category::kUnknown);
            cell.name = toQString(detail.op.empty() ? detail.module : detail.op);
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

std::optional<std::size_t> cellTowards(const std::vector<TreemapCell>& cells, std::optional<std::size_t> from,
                                       Qt::Key key) {
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    std::optional<std::size_t> best;
    double bestDistance = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool holds =
            cells[i].group && i + 1 < cells.size() && !cells[i + 1].group && !cells[i + 1].rest;
        if (holds || from == i)
            continue;
        double distance = cells[i].rect.left() + cells[i].rect.top();
        if (from) {
            const QPointF d = cells[i].rect.center() - cells[*from].rect.center();
            const double ahead = sign * (across ? d.x() : d.y());
            if (ahead <= 0.5)
                continue;
            distance = ahead + 2 * std::abs(across ? d.y() : d.x());
        }
        if (!best || distance < bestDistance) {
            best = i;
            bestDistance = distance;
        }
    }
    return best;
}

}  // namespace warpglass::ui
