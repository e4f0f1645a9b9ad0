#include "ui/models/span_table_model.h"

#include <algorithm>

namespace warpglass::ui {

namespace {

std::string nodeKey(const StatisticsNode& node) {
    const GroupedRow& row = node.row;
    return node.isGroup ? row.group
                        : row.group + '\n' + row.figures.name + '\n' + row.ranIn + '\n' +
                              std::to_string(row.kind) + '\n' + std::to_string(row.work);
}

}  // namespace

SpanTableModel::SpanTableModel(QObject* parent)
    : DescribedTableModel(spansTable(false), parent), m_sortColumn(column("self_ns")) {}

void SpanTableModel::setOfCpu(bool ofCpu) {
    describe(spansTable(ofCpu));
}

void SpanTableModel::setStatistics(GroupedStatistics statistics, SpanGrouping grouping, std::int64_t steps,
                                   bool found) {
    m_statistics = std::move(statistics);
    m_steps = steps;
    m_found = found;
    if (grouping != m_grouping)
        m_expanded.clear();
    m_grouping = grouping;
    rebuild();
}

void SpanTableModel::rebuild() {
    m_tree = statisticsTree(m_statistics, m_grouping);
    m_instances = m_statistics.instances();
    m_self = Nanoseconds();
    for (const StatisticsNode& node : m_tree)
        m_self += node.row.figures.self;
    sortNodes(m_tree);
    rebuildRows();
}

void SpanTableModel::rebuildRows() {
    std::vector<SpanTableRow> rows;
    flatten(m_tree, 0, rows);
    show(std::move(rows), {{.steps = m_steps}, m_grouping, m_statistics.roofs});
}

void SpanTableModel::flatten(const std::vector<StatisticsNode>& nodes, int depth,
                             std::vector<SpanTableRow>& rows) const {
    for (const StatisticsNode& node : nodes) {
        SpanTableRow& row = rows.emplace_back();
        row.row = node.row;
        row.isGroup = node.isGroup;
        row.depth = depth;
        row.key = nodeKey(node);
        row.expanded = node.isGroup && (m_expanded.contains(row.key) || m_found);
        if (row.expanded)
            flatten(node.children, depth + 1, rows);
    }
}

void SpanTableModel::sort(int column, Qt::SortOrder order) {
    m_sortColumn = column;
    m_order = order;
    sortNodes(m_tree);
    rebuildRows();
}

/// What is not known comes last, whichever way; groups before the names beside them.
void SpanTableModel::sortNodes(std::vector<StatisticsNode>& nodes) const {
    const auto& by = described(m_sortColumn);
    const SpansShown shown{{.steps = m_steps}, m_grouping};
    std::vector<std::pair<Cell, std::size_t>> order;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        order.emplace_back((by.sort ? by.sort : by.value)(nodes[i], shown), i);
    const bool up = m_order == Qt::AscendingOrder;
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        if (nodes[a.second].isGroup != nodes[b.second].isGroup)
            return nodes[a.second].isGroup;
        if (isAbsent(a.first) || isAbsent(b.first))
            return !isAbsent(a.first) && isAbsent(b.first);
        return up ? a.first < b.first : b.first < a.first;
    });
    std::vector<StatisticsNode> sorted;
    sorted.reserve(nodes.size());
    for (const auto& [cell, i] : order)
        sorted.push_back(std::move(nodes[i]));
    nodes = std::move(sorted);
    for (StatisticsNode& node : nodes)
        sortNodes(node.children);
}

void SpanTableModel::setExpanded(int row, bool expanded) {
    if (row < 0 || row >= rowCount() || !rowAt(row).isGroup)
        return;
    const std::string key = rowAt(row).key;
    if (expanded ? m_expanded.insert(key).second : m_expanded.erase(key) > 0)
        rebuildRows();
}

void SpanTableModel::toggle(int row) {
    if (row >= 0 && row < rowCount())
        setExpanded(row, !rowAt(row).expanded);
}

void SpanTableModel::expandAll(bool expanded) {
    m_expanded.clear();
    const auto add = [this](const auto& self, const std::vector<StatisticsNode>& nodes) -> void {
        for (const StatisticsNode& node : nodes) {
            if (!node.isGroup)
                continue;
            m_expanded.insert(nodeKey(node));
            self(self, node.children);
        }
    };
    if (expanded)
        add(add, m_tree);
    rebuildRows();
}

int SpanTableModel::parentRow(int row) const {
    // Rows stand in the order of their ordinals: the nearest before it that is less deep.
    int best = -1;
    for (int i = 0; i < rowCount(); ++i) {
        if (rowAt(i).depth == rowAt(row).depth - 1 &&
            ordinal(static_cast<std::size_t>(i)) < ordinal(static_cast<std::size_t>(row)) &&
            (best < 0 || ordinal(static_cast<std::size_t>(i)) > ordinal(static_cast<std::size_t>(best))))
            best = i;
    }
    return best;
}

SpanSet SpanTableModel::spansOf(int row, TrackKind kind, const SpanFilter& filter, std::string text) const {
    const SpanTableRow& r = rowAt(row);
    const bool split = !r.isGroup && r.row.splitOf > 0;
    return {kind,
            filter,
            r.isGroup ? std::string() : r.row.figures.name,
            m_grouping,
            split ? r.row.ranIn : r.row.group,
            r.isGroup,
            std::move(text),
            r.isGroup || kind != TrackKind::kGpuStream ? std::nullopt : std::optional(r.row.work)};
}

QVariant SpanTableModel::cell(std::size_t i, std::size_t c, int role) const {
    if (role == kSortRole)
        return ordinal(i);  // the rows are sorted already; views keep their order
    const bool isName = static_cast<int>(c) == column("name");
    if (role == kDepthRole)
        return isName && m_grouping != SpanGrouping::kFlat ? row(i).depth : -1;
    if (role == kExpansionRole)
        return !isName || !row(i).isGroup ? kLeaf : row(i).expanded ? kExpanded : kCollapsed;
    // As the timeline names it; the name that is recorded is copied, and its tool tip has all of it.
    if (const auto title = isName && !row(i).isGroup ? titleWords(row(i).row) : std::nullopt) {
        const GroupedRow& kernel = row(i).row;
        if (role == Qt::DisplayRole)
            return toQString(*title);
        if (role == Qt::ToolTipRole)
            return toQString(kernel.signature.empty() || kernel.signature == kernel.figures.name
                                 ? kernel.figures.name
                                 : kernel.figures.name + "\n" + kernel.signature);
        // A title is words.
        if (role == kMonoRole)
            return kernel.title == kernel.figures.name;
    }
    return DescribedTableModel::cell(i, c, role);
}

}  // namespace warpglass::ui
