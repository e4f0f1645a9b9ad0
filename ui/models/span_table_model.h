// Ops, kernels or copies as a table, flat or as a tree by module or phase with sums: nsys's columns, what
// launched them, and what is known of their work. The tree is shown as rows with a depth; the model sorts
// within each group itself, so that a group's rows stay under it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/query/statistics/duration_distribution.h"
#include "engine/tables/span_columns.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

/// One row as shown: the node without what is in it.
struct SpanTableRow : StatisticsNode {
    bool expanded = false;
    int depth = 0;
    /// What tells it apart from all others of the table.
    std::string key;
};
inline const std::string& rowKey(const SpanTableRow& row) {
    return row.key;
}

class SpanTableModel : public DescribedTableModel<SpanTableRow, SpansShown, StatisticsNode> {
    Q_OBJECT
public:
    explicit SpanTableModel(QObject* parent = nullptr);

    /// Whether the table shows ops: their time is the CPU's, and the titles say so.
    void setOfCpu(bool ofCpu);
    /// `steps`: how many whole steps they are of, 0 for parts of steps. `found`: they are what a text finds,
    /// which is shown in closed groups too.
    void setStatistics(GroupedStatistics statistics, SpanGrouping grouping, std::int64_t steps = 0,
                       bool found = false);
    const GroupedStatistics& statistics() const { return m_statistics; }
    SpanGrouping grouping() const { return m_grouping; }
    /// Opens or closes a group; nothing for another row.
    void toggle(int row);
    void setExpanded(int row, bool expanded);
    void expandAll(bool expanded);
    /// The group that a row belongs to; −1 for none.
    int parentRow(int row) const;

    void sort(int column, Qt::SortOrder order) override;

    /// Whether there is any row when no text is looked for.
    bool hasStatistics() const { return m_statistics.spansOfFilter > 0; }
    /// Instances of all names in all groups.
    std::int64_t instances() const { return m_instances; }
    Nanoseconds self() const { return m_self; }
    /// The spans behind a row, of those that the filter takes and the text finds; behind a share of a kernel
    /// all of that kernel.
    SpanSet spansOf(int row, TrackKind kind, const SpanFilter& filter, std::string text = {}) const;

protected:
    QVariant cell(std::size_t row, std::size_t column, int role) const override;

private:
    void rebuild();
    void rebuildRows();
    void sortNodes(std::vector<StatisticsNode>& nodes) const;
    void flatten(const std::vector<StatisticsNode>& nodes, int depth, std::vector<SpanTableRow>& rows) const;

    GroupedStatistics m_statistics;
    SpanGrouping m_grouping = SpanGrouping::kFlat;
    bool m_found = false;
    std::int64_t m_steps = 0;  // whole ones, 0 for parts of steps
    std::vector<StatisticsNode> m_tree;
    std::set<std::string> m_expanded;  // by key
    int m_sortColumn;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    std::int64_t m_instances = 0;
    Nanoseconds m_self;
};

}  // namespace warpglass::ui
