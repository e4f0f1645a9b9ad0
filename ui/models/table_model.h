// The base of all tables: heads of columns that state their title, unit, side and width, and rows that keep
// their place while a run grows.
//
// Rows are keyed: replaceRows() removes the ones that are gone, updates the ones that stay and appends the
// new ones, so that the user's selection survives a refresh. The order that a query gave is kept as each
// row's ordinal; views sort.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ui/controls/cell_roles.h"

namespace warpglass::ui {

class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Head {
        QString title;
        /// The title with the unit of the plain numbers: "Total time (ns)".
        QString plainTitle;
        QString toolTip;
        /// kColumnNameRole, kFormerTitleRole.
        QString name, formerTitle;
        bool atRight = true;
        bool longBar = false;  // kLongBarRole
        /// What the first click on the title brings to the top.
        bool mostFirst = true;
        /// Logical pixels; 0 for what is left.
        int width = 0;
    };

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;

protected:
    using QAbstractTableModel::QAbstractTableModel;

    /// Sets the heads; once there are rows, their number must not change.
    void setHeads(std::vector<Head> heads);
    /// What the roles of cell_roles.h, the text and the tool tip of a cell are.
    virtual QVariant cell(std::size_t row, std::size_t column, int role) const = 0;

private:
    std::vector<Head> m_heads;
};

/// What tells rows apart (hashable): rowKey() of the row where there is one, else its name.
template <class Row>
decltype(auto) keyOf(const Row& row) {
    if constexpr (requires { rowKey(row); })
        return rowKey(row);
    else
        return (row.name);
}

/// Row is what a query returns.
template <class Row>
class KeyedTableModel : public TableModel {
public:
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    const Row& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    void clear() { replaceAll({}); }

protected:
    using TableModel::TableModel;
    using Key = std::decay_t<decltype(keyOf(std::declval<const Row&>()))>;

    const Row& row(std::size_t i) const { return m_rows[i]; }
    const std::vector<Row>& rows() const { return m_rows; }
    /// The row's place in what the query returned.
    int ordinal(std::size_t i) const { return m_ordinals[i]; }

    /// Rows keep their place by key; where keys repeat (a damaged file's names) all is replaced instead.
    void replaceRows(std::vector<Row> next) {
        std::unordered_map<Key, std::size_t> places;
        places.reserve(next.size());
        for (std::size_t i = 0; i < next.size(); ++i)
            places.emplace(keyOf(next[i]), i);
        bool anyStays = false;
        std::unordered_map<Key, std::size_t> present;
        for (const Row& r : m_rows) {
            present.emplace(keyOf(r), 0);
            anyStays = anyStays || places.count(keyOf(r)) > 0;
        }
        if (!anyStays || places.size() != next.size() || present.size() != m_rows.size()) {
            replaceAll(std::move(next));
            return;
        }
        removeRowsNotIn(places);
        std::vector<bool> taken(next.size(), false);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const std::size_t from = places.at(keyOf(m_rows[i]));
            taken[from] = true;
            m_rows[i] = std::move(next[from]);
            m_ordinals[i] = static_cast<int>(from);
        }
        emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, columnCount() - 1));
        const std::size_t added = next.size() - m_rows.size();
        if (added == 0)
            return;
        const int first = static_cast<int>(m_rows.size());
        beginInsertRows({}, first, first + static_cast<int>(added) - 1);
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (!taken[i]) {
                m_rows.push_back(std::move(next[i]));
                m_ordinals.push_back(static_cast<int>(i));
            }
        }
        endInsertRows();
    }

private:
    void replaceAll(std::vector<Row> next) {
        if (m_rows.empty() && next.empty())
            return;
        beginResetModel();
        m_rows = std::move(next);
        m_ordinals.resize(m_rows.size());
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_ordinals[i] = static_cast<int>(i);
        endResetModel();
    }

    void removeRowsNotIn(const std::unordered_map<Key, std::size_t>& places) {
        for (std::size_t end = m_rows.size(); end > 0;) {
            if (places.count(keyOf(m_rows[end - 1])) > 0) {
                --end;
                continue;
            }
            std::size_t begin = end - 1;
            while (begin > 0 && places.count(keyOf(m_rows[begin - 1])) == 0)
                --begin;
            beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
            const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
            m_rows.erase(m_rows.begin() + at(begin), m_rows.begin() + at(end));
            m_ordinals.erase(m_ordinals.begin() + at(begin), m_ordinals.begin() + at(end));
            endRemoveRows();
            end = begin;
        }
    }

    std::vector<Row> m_rows;
    std::vector<int> m_ordinals;
};

}  // namespace warpglass::ui
