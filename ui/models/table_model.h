// The base of all tables: columns that state their title, unit, side and width, and rows that keep their
// place while a run grows.
//
// Rows are keyed: replaceRows() removes the ones that are gone, updates the ones that stay and appends the
// new ones, so that a person's selection survives a refresh. The order that a query gave is kept as each
// row's ordinal; views sort.
//
// GUI thread only.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ui/theme/cell_roles.h"

namespace warpglass::ui {

class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// What the first click on a title brings to the top; the next one turns it over.
    enum class FirstSort : std::uint8_t {
        kByKind,  // the most of a number, a text's first letters
        kMost,
        kLeast  // of a number that says where or when and not how much: a step, a moment, an address
    };
    struct Column {
        QString title;
        /// With the unit of the plain numbers: "Total time (ns)".
        QString plainTitle;
        QString toolTip;
        /// Numbers stand at the right.
        bool number = true;
        /// Logical pixels; 0 for what is left.
        int width = 0;
        FirstSort firstSort = FirstSort::kByKind;
    };

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;

protected:
    TableModel(std::vector<Column> columns, QObject* parent);

    /// What the cell shows.
    virtual QString text(std::size_t row, int column) const = 0;
    /// On hover: the exact value, or the whole name.
    virtual QString exactText(std::size_t row, int column) const { return text(row, column); }
    /// A number (ns, bytes, fraction, count) or a text: for sorting, and for copying.
    virtual QVariant plainValue(std::size_t row, int column) const = 0;
    virtual QVariant sortValue(std::size_t row, int column) const { return plainValue(row, column); }
    virtual QVariant swatch(std::size_t, int) const { return {}; }
    virtual QVariant shareBar(std::size_t, int) const { return {}; }
    /// kTrendRole.
    virtual int trend(std::size_t, int) const { return 0; }
    virtual bool isMono(int) const { return false; }
    virtual bool isStrong(std::size_t) const { return false; }
    /// kDepthRole, kExpansionRole.
    virtual int depth(std::size_t, int) const { return -1; }
    virtual int expansion(std::size_t, int) const { return kLeaf; }

private:
    std::vector<Column> m_columns;
};

/// Row is what a query returns; `KeyOf()(row)` gives what tells rows apart (hashable).
template <class Row, class KeyOf>
class KeyedTableModel : public TableModel {
public:
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    const Row& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    void clear() { replaceAll({}); }

protected:
    using TableModel::TableModel;
    using Key = std::decay_t<decltype(KeyOf()(std::declval<const Row&>()))>;

    const Row& row(std::size_t i) const { return m_rows[i]; }
    /// The row's place in what the query returned.
    int ordinal(std::size_t i) const { return m_ordinals[i]; }

    /// Rows keep their place by key; where keys repeat (a damaged file's names) everything is replaced
    /// instead.
    void replaceRows(std::vector<Row> next) {
        std::unordered_map<Key, std::size_t> places;
        places.reserve(next.size());
        for (std::size_t i = 0; i < next.size(); ++i)
            places.emplace(KeyOf()(next[i]), i);
        bool anyStays = false;
        std::unordered_map<Key, std::size_t> present;
        for (const Row& r : m_rows) {
            present.emplace(KeyOf()(r), 0);
            anyStays = anyStays || places.count(KeyOf()(r)) > 0;
        }
        if (!anyStays || places.size() != next.size() || present.size() != m_rows.size()) {
            replaceAll(std::move(next));
            return;
        }
        removeRowsNotIn(places);
        std::vector<bool> taken(next.size(), false);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const std::size_t from = places.at(KeyOf()(m_rows[i]));
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
            if (places.count(KeyOf()(m_rows[end - 1])) > 0) {
                --end;
                continue;
            }
            std::size_t begin = end - 1;
            while (begin > 0 && places.count(KeyOf()(m_rows[begin - 1])) == 0)
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

/// Text from the engine is UTF-8.
inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
/// Before a number of what is there, where the rest is missing.
inline QString leastMark(bool isLeast) {
    return isLeast ? QStringLiteral("≥ ") : QString();
}

}  // namespace warpglass::ui
