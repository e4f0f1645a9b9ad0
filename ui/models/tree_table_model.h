// A table whose rows are a tree's: nodes that hold nodes of their own kind, which open and close. The model
// sorts within each node itself, so that what is in a node stays under it and sums stay above all.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ui/models/described_table_model.h"

namespace warpglass::ui {

/// A node as shown: without the nodes within it.
template <class Node>
struct TreeTableRow : Node {
    int depth = 0;
    Expansion expansion = kLeaf;
    /// What tells it apart from all others of the table.
    std::string path;
};
template <class Node>
const std::string& rowKey(const TreeTableRow<Node>& row) {
    return row.path;
}

/// Node has `children`, and what tells it apart beside others is its treeKey() or else its name.
template <class Node, class Of = NoContext>
class TreeTableModel : public DescribedTableModel<TreeTableRow<Node>, Of, Node> {
    using Row = TreeTableRow<Node>;

public:
    /// `name`: the column that shows where a row stands in the tree; `sorted`: the one it is sorted by at
    /// first, largest first. Until somebody opens or closes a row, those of `openLevels` levels stand open
    /// that are at least a tenth of the largest by that column.
    TreeTableModel(const TableDescription<Node, Of>& table, std::string_view name, std::string_view sorted,
                   int openLevels)
        : DescribedTableModel<Row, Of, Node>(table),
          m_name(this->column(name)),
          m_sortColumn(this->column(sorted)),
          m_openLevels(openLevels),
          m_sized(m_sortColumn) {}

    /// `sameGroups`: by what they were shown by before, so that the open ones stay open.
    void setNodes(std::vector<Node> nodes, bool sameGroups, Of of = {}) {
        m_nodes = std::move(nodes);
        if (!sameGroups) {
            m_chosen = false;
            this->clear();  // "step" the op and "step" the module are not the same row
        }
        m_isTree = std::ranges::any_of(m_nodes, [](const Node& node) { return !node.children.empty(); });
        if (!m_chosen) {
            m_open.clear();
            openLargest(m_nodes, 0, {}, of);
        }
        sortNodes(m_nodes, of);
        rebuild(std::move(of));
    }

    void setExpanded(int row, bool expanded) {
        if (row < 0 || row >= this->rowCount() || this->rowAt(row).expansion == kLeaf)
            return;
        const std::string path = this->rowAt(row).path;
        m_chosen = true;
        if (expanded ? m_open.insert(path).second : m_open.erase(path) > 0)
            rebuild(this->of());
    }
    /// Opens or closes a row that has others in it; whether it has.
    bool toggle(int row) {
        const int expansion = this->rowAt(row).expansion;
        setExpanded(row, expansion == kCollapsed);
        return expansion != kLeaf;
    }
    /// Opens what is around the first one without others in it that `is`; its row, −1 if there is none.
    template <class Is>
    int reveal(const Is& is) {
        const std::size_t open = m_open.size();
        if (!openAround(m_nodes, {}, is))
            return -1;
        if (m_open.size() != open) {
            m_chosen = true;
            rebuild(this->of());
        }
        return rowOf(is);
    }
    /// The same among the rows that are shown.
    template <class Is>
    int rowOf(const Is& is) const {
        for (int row = 0; row < this->rowCount(); ++row) {
            if (this->rowAt(row).expansion == kLeaf && is(this->rowAt(row)))
                return row;
        }
        return -1;
    }

    void sort(int column, Qt::SortOrder order) override {
        m_sortColumn = column;
        m_order = order;
        sortNodes(m_nodes, this->of());
        rebuild(this->of());
    }

protected:
    QVariant cell(std::size_t i, std::size_t c, int role) const override {
        const bool isName = static_cast<int>(c) == m_name;
        if (role == kSortRole)
            return this->ordinal(i);  // the rows are sorted already; views keep their order
        if (role == kDepthRole)
            return isName && m_isTree ? this->row(i).depth : -1;
        if (role == kExpansionRole)
            return isName ? this->row(i).expansion : kLeaf;
        return DescribedTableModel<Row, Of, Node>::cell(i, c, role);
    }

private:
    std::string pathOf(const std::string& parent, const Node& node) const {
        if (this->isSum(node))
            return {};
        if constexpr (requires { treeKey(node); })
            return parent + '\n' + treeKey(node);
        else
            return parent + '\n' + node.name;
    }

    double sizeOf(const Node& node, const Of& of) const {
        return this->isSum(node) ? 0 : std::abs(this->numberIn(sortCell(m_sized, node, of)).value_or(0));
    }
    Cell sortCell(int column, const Node& node, const Of& of) const {
        const auto& by = this->described(column);
        return (by.sort ? by.sort : by.value)(node, of);
    }

    void openLargest(const std::vector<Node>& nodes, int depth, const std::string& path, const Of& of) {
        constexpr double kWorthOpening = 0.1;
        double largest = 0;
        for (const Node& node : m_nodes)
            largest = std::max(largest, sizeOf(node, of));
        for (const Node& node : nodes) {
            if (depth >= m_openLevels || node.children.empty() || sizeOf(node, of) < kWorthOpening * largest)
                continue;
            m_open.insert(pathOf(path, node));
            openLargest(node.children, depth + 1, pathOf(path, node), of);
        }
    }

    template <class Is>
    bool openAround(const std::vector<Node>& nodes, const std::string& path, const Is& is) {
        for (const Node& node : nodes) {
            if (node.children.empty() && is(node))
                return true;
            if (openAround(node.children, pathOf(path, node), is)) {
                m_open.insert(pathOf(path, node));
                return true;
            }
        }
        return false;
    }

    void rebuild(Of of) {
        std::vector<Row> rows;
        flatten(m_nodes, 0, {}, rows);
        this->show(std::move(rows), std::move(of));
    }

    void flatten(std::vector<Node>& nodes, int depth, const std::string& path, std::vector<Row>& into) {
        for (Node& node : nodes) {
            auto children = std::exchange(node.children, {});  // which the row does not copy
            Row& shown = into.emplace_back();
            static_cast<Node&>(shown) = node;
            shown.depth = depth;
            shown.path = pathOf(path, node);
            const bool open = m_open.contains(shown.path);
            shown.expansion = children.empty() ? kLeaf : open ? kExpanded : kCollapsed;
            if (open)
                flatten(children, depth + 1, pathOf(path, node), into);
            node.children = std::move(children);
        }
    }

    void sortNodes(std::vector<Node>& nodes, const Of& of) const {
        const bool up = m_order == Qt::AscendingOrder;
        std::ranges::stable_sort(nodes, [&](const Node& a, const Node& b) {
            if (this->isSum(a) != this->isSum(b))
                return this->isSum(a);
            const Cell ofA = sortCell(m_sortColumn, a, of), ofB = sortCell(m_sortColumn, b, of);
            return up ? ofA < ofB : ofB < ofA;
        });
        for (Node& node : nodes)
            sortNodes(node.children, of);
    }

    std::vector<Node> m_nodes;
    std::set<std::string> m_open;  // by path
    bool m_chosen = false;         // by somebody
    bool m_isTree = false;
    int m_name, m_sortColumn, m_openLevels;
    int m_sized;  // the column by which the largest stand open
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

}  // namespace warpglass::ui
