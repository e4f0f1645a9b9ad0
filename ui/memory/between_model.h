// What happens to memory between two moments, as a tree: the total, and under it the groups of each level,
// which open and close. The model sorts within each group itself, so that a group's rows stay under it and
// the total above all. Until somebody opens or closes a group, those that change most stand open.
//
// GUI thread only.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/tables/memory_columns.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

/// One row as shown: without the rows within it.
struct BetweenTableRow : MemoryBetweenRow {
    int depth = 0;
    Expansion expansion = kLeaf;
    /// What tells it apart from all others of the table.
    std::string path;
};
inline const std::string& rowKey(const BetweenTableRow& row) {
    return row.path;
}

class BetweenModel : public DescribedTableModel<BetweenTableRow, NoContext, MemoryBetweenRow> {
    Q_OBJECT
public:
    explicit BetweenModel(QObject* parent = nullptr);

    /// `sameGroups`: by the keys that were shown before, whose open groups stay open.
    void setBetween(MemoryBetween between, bool sameGroups);
    void setExpanded(int row, bool expanded);
    void sort(int column, Qt::SortOrder order) override;

protected:
    QVariant cell(std::size_t row, std::size_t column, int role) const override;

private:
    void openLargest(const std::vector<MemoryBetweenRow>& rows, int depth, const std::string& path);
    void rebuild();
    void sortRows(std::vector<MemoryBetweenRow>& rows) const;
    void flatten(const std::vector<MemoryBetweenRow>& rows, int depth, const std::string& path,
                 std::vector<BetweenTableRow>& into) const;

    MemoryBetween m_between;
    std::set<std::string> m_open;  // by path
    bool m_chosen = false;         // by somebody
    int m_sortColumn;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

}  // namespace warpglass::ui
