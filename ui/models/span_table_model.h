// Ops, kernels or copies as a table, flat or as a tree by module or phase with sums: nsys's columns, what
// launched them, and what is known of their work. The tree is shown as rows with a depth; the model sorts
// within each group itself, so that a group's rows stay under it.
//
// GUI thread only.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/query/duration_distribution.h"
#include "engine/query/grouped_statistics.h"
#include "ui/models/table_model.h"

namespace warpglass::ui {

/// One row as shown.
struct SpanTableRow {
    GroupedRow row;
    bool isGroup = false;
    bool expanded = false;
    int depth = 0;
    /// What tells it apart from all others of the table.
    std::string key;
};
struct SpanTableKeyOf {
    const std::string& operator()(const SpanTableRow& row) const { return row.key; }
};

class SpanTableModel : public KeyedTableModel<SpanTableRow, SpanTableKeyOf> {
    Q_OBJECT
public:
    enum Column {
        kName,
        kFamily,
        kSelfShare,
        kSelf,
        kTimeShare,
        kTotal,
        kInstances,
        kPerStep,
        kAverage,
        kMedian,
        kMin,
        kMax,
        kStandardDeviation,
        kLaunchedBy,
        kFlops,
        kBytes,
        kPeakShare,
        kColumnCount
    };

    explicit SpanTableModel(QObject* parent = nullptr);

    /// Of ops: their time is the CPU's, and the titles say so.
    void setOfCpu(bool ofCpu);
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// `steps`: how many whole steps they are of, 0 for parts of steps. `found`: they are what a text finds,
    /// which is shown in closed groups too.
    void setStatistics(GroupedStatistics statistics, SpanGrouping grouping, std::int64_t steps = 0,
                       bool found = false);
    SpanGrouping grouping() const { return m_grouping; }
    /// Opens or closes a group; nothing for another row.
    void toggle(int row);
    void setExpanded(int row, bool expanded);
    void expandAll(bool expanded);
    /// The group that a row stands in; −1 for none.
    int parentRow(int row) const;

    void sort(int column, Qt::SortOrder order) override;

    /// Whether there is any row when no text is looked for.
    bool hasStatistics() const { return m_statistics.spansOfFilter > 0; }
    /// Of all names, in whichever group.
    std::int64_t instances() const { return m_instances; }
    Nanoseconds self() const { return m_self; }
    /// The spans behind a row, of those that the filter takes and the text finds.
    SpanSet spansOf(int row, TrackKind kind, const SpanFilter& filter, std::string text = {}) const;

protected:
    QString text(std::size_t row, int column) const override;
    QString exactText(std::size_t row, int column) const override;
    QVariant plainValue(std::size_t row, int column) const override;
    QVariant sortValue(std::size_t row, int column) const override;
    QVariant swatch(std::size_t row, int column) const override;
    QVariant shareBar(std::size_t row, int column) const override;
    bool isMono(int column) const override;
    int depth(std::size_t row, int column) const override;
    int expansion(std::size_t row, int column) const override;

private:
    /// Of whole steps.
    double perStep(const StatisticsRow& r) const {
        return static_cast<double>(r.instances) / static_cast<double>(m_steps);
    }
    void rebuild();
    void rebuildRows();
    void sortNodes(std::vector<StatisticsNode>& nodes) const;
    void flatten(const std::vector<StatisticsNode>& nodes, int depth, std::vector<SpanTableRow>& rows) const;

    GroupedStatistics m_statistics;
    SpanGrouping m_grouping = SpanGrouping::kFlat;
    bool m_ofCpu = false;
    bool m_found = false;
    std::int64_t m_steps = 0;  // whole ones, 0 for parts of steps
    std::vector<StatisticsNode> m_tree;
    std::set<std::string> m_expanded;  // by key
    int m_sortColumn = kSelf;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    double m_largestSelfShare = 0;
    double m_largestTimeShare = 0;
    std::int64_t m_instances = 0;
    Nanoseconds m_self;
};

}  // namespace warpglass::ui
