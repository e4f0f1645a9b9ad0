#include "ui/memory/treemap_cells.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/format.h"
#include "engine/query/spans/module_group.h"
#include "ui/charts/chart_text.h"
#include "ui/memory/treemap_layout.h"
#include "ui/memory/treemap_view.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The height of a group's title of one line, and what it has at its sides.
constexpr double kCellTitle = 18, kTitleMargins = 14;
/// A shorter beginning of a name says nothing.
constexpr int kLeastWord = 3;
/// A cell of less than 8 by 8 pixels is texture: no cell to the eye or the mouse.
constexpr double kSmallestArea = 64;
/// The children of a group within another have so much on average, or some would be slivers.
constexpr double kChildArea = 144;
/// The least size of a group that says its name and has its children under it.
constexpr double kGroupWidth = 60, kGroupHeight = 2.5 * kCellTitle;

Category mostOf(const CategoryBytes& bytes) {
    return static_cast<Category>(std::ranges::max_element(bytes) - bytes.begin());
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
        const auto at = std::ranges::find_if(sized.values, [&](double v) { return v < rest; });
        sized.restAt = static_cast<std::size_t>(at - sized.values.begin());
        sized.values.insert(at, rest);
    }
    return sized;
}

/// Whether children can be told apart under the group's name.
bool hasRoomFor(std::size_t children, const QRectF& area, std::size_t depth) {
    if (children == 0 || area.width() < kGroupWidth || area.height() < kGroupHeight)
        return false;
    // The outermost ones are divided in any case: what is too small in them is one cell.
    const double each = area.width() * (area.height() - kCellTitle) / static_cast<double>(children);
    return depth == 1 || each >= kChildArea;
}

double titleHeight(const TreemapCell& cell, bool outermost) {
    const QFontMetricsF metrics(treemapTitleFont());
    const double room = cell.rect.width() - kTitleMargins;
    const double name = metrics.horizontalAdvance(treemapForms(cell).front());
    const double size = metrics.horizontalAdvance(toQString(formatBytes(cell.bytes)));
    const bool apart = name <= room && size <= room && name + size + 8 > room;
    return apart && !outermost && cell.rect.height() >= 1.5 * kGroupHeight ? kCellTitle + TreemapCell::kLine
                                                                           : kCellTitle;
}

TreemapCell restOf(const std::vector<MemoryTreeNode>& nodes, std::size_t from) {
    TreemapCell cell;
    cell.rest = true;
    for (std::size_t k = from; k < nodes.size(); ++k) {
        cell.bytes += nodes[k].bytes;
        cell.asked += nodes[k].asked;
        cell.allocations += nodes[k].allocations;
    }
    if (from < nodes.size())  // its largest has the color
        cell.category = mostOf(nodes[from].byCategory);
    cell.name = cell.label = TreemapView::tr("%1 smaller").arg(nodes.size() - from);
    return cell;
}

/// The cell of a node and those in it; `shown` is the one that stands for it.
void addNode(const MemoryTreeNode& shown, std::vector<std::size_t> path, const std::string& around,
             const QRectF& area, std::vector<TreemapCell>& cells);

void addChildren(const MemoryTreeNode& node, const std::vector<std::size_t>& path, const QRectF& area,
                 std::vector<TreemapCell>& cells) {
    std::vector<double> values;
    for (const MemoryTreeNode& child : node.children) {
        if (child.bytes.value > 0)
            values.push_back(static_cast<double>(child.bytes.value));
    }
    if (area.isEmpty())
        return;
    const Sized sized = withoutTheSmall(values, 0, area.width() * area.height());
    const std::vector<QRectF> rects = squarify(sized.values, area);
    std::size_t next = 0;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        if (i == sized.restAt) {
            TreemapCell rest = restOf(node.children, sized.own);
            rest.rect = rects[i];
            rest.path = path;
            cells.push_back(std::move(rest));
            continue;
        }
        const MemoryTreeNode* child = &node.children[next++];
        std::vector<std::size_t> childPath = path;
        childPath.push_back(child->key);
        while (const MemoryTreeNode* only = onlyChild(*child, childPath.size())) {
            child = only;
            childPath.push_back(child->key);
        }
        addNode(*child, std::move(childPath), node.name, rects[i], cells);
    }
}

void addNode(const MemoryTreeNode& shown, std::vector<std::size_t> path, const std::string& around,
             const QRectF& area, std::vector<TreemapCell>& cells) {
    TreemapCell cell;
    cell.rect = area;
    cell.name = toQString(shown.name);
    cell.label = treemapLabel(shown.name, around);
    if (shown.children.size() > 1 && shown.name.find('*') != std::string::npos)
        cell.modules = shown.children.size();
    cell.bytes = shown.bytes;
    cell.asked = shown.asked;
    cell.allocations = shown.allocations;
    cell.category = mostOf(shown.byCategory);
    cell.group = hasRoomFor(shown.children.size(), area, path.size());
    cell.title = cell.group ? titleHeight(cell, path.size() == 1) : 0;
    cell.path = path;
    const double title = cell.title;
    cells.push_back(std::move(cell));
    if (!cells.back().group)
        return;
    // The outermost have a hairline around their children; within those the gap between cells is enough.
    const double edge = path.size() == 1 ? 2 : 0;
    addChildren(shown, path, area.adjusted(edge, title, -edge, -edge), cells);
}

}  // namespace

QFont treemapTitleFont() {
    QFont font = chartFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

const MemoryTreeNode* onlyChild(const MemoryTreeNode& node, std::size_t depth) {
    if (node.children.size() != 1 || (depth == 1 && node.children.front().name != node.name))
        return nullptr;
    return &node.children.front();
}

QString treemapLabel(const std::string& name, const std::string& around) {
    constexpr std::string_view kAllBlocks = "blocks.*.";
    if (name == kAllBlocks.substr(0, kAllBlocks.size() - 1))
        return QStringLiteral("blocks");
    if (const auto block = blockNumber(name); block && moduleGroup(name) == around)
        return TreemapView::tr("block %1").arg(*block);
    return toQString(name.starts_with(kAllBlocks) ? name.substr(kAllBlocks.size()) : name);
}

QStringList treemapForms(const TreemapCell& cell) {
    QStringList forms{cell.label};
    if (cell.modules > 0)
        forms.prepend(QStringLiteral("%1 × %2").arg(cell.label).arg(cell.modules));
    const bool isBlock = cell.label != cell.name && !cell.name.contains(QLatin1Char('*'));
    if (isBlock || cell.allocation || cell.rest)
        return forms;
    if (cell.name == toQString(categoryName(Category::kWeightCopies)))
        forms.append(cell.name.section(QLatin1Char(' '), -1));
    const QString last = cell.label.section(QLatin1Char('.'), -1);
    const QString word = last.section(QLatin1Char('_'), 0, 0);
    if (last != cell.label)
        forms.append(last);
    if (word != last && word.size() >= kLeastWord)
        forms.append(word);
    return forms;
}

std::vector<TreemapCell> layOutTree(const MemoryTreeNode& node, const std::vector<std::size_t>& path,
                                    const QRectF& area) {
    std::vector<TreemapCell> cells;
    addChildren(node, path, area, cells);
    return cells;
}

std::vector<TreemapCell> layOutAllocations(const TreemapAllocations& allocations,
                                           const std::vector<std::size_t>& path, const QRectF& area) {
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
        cell.path = path;
        if (i == sized.restAt) {
            cell.rest = true;
            cell.bytes = rest;
            cell.category = allocations.largest.back().row.category;
            cell.allocations =
                allocations.restCount + static_cast<std::int64_t>(allocations.largest.size() - sized.own);
            cell.name = TreemapView::tr("%1 smaller").arg(toQString(formatGrouped(cell.allocations)));
        } else {
            const AllocationDetail& detail = allocations.largest[next++];
            cell.allocation = detail.id;
            cell.bytes = Bytes(detail.row.bytes);
            cell.allocations = 1;
            cell.category = detail.row.category;
            cell.name = toQString(detail.op.empty() ? detail.module : detail.op);
        }
        cell.label = cell.name;
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
        if (cells[i].group || from == i)
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
