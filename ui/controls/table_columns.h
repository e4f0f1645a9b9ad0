// Which columns a table shows, and how wide: as many as fit, or those that the person chose.
#pragma once

#include <QList>
#include <QObject>
#include <QStringList>
#include <QVariant>

#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class TableColumns : public QObject {
    Q_OBJECT
public:
    /// For this table, which owns it and will show these rows.
    TableColumns(QTableView& table, const QAbstractItemModel& rows);

    /// As of DataTable::setColumnPriority().
    void setPriority(const QList<int>& columns, int wide, int most);
    /// Names (kColumnNameRole); empty while the table chooses.
    QStringList chosen() const { return m_chosen; }
    void setChosen(const QStringList& names);
    /// To the table's width.
    void fit();
    /// Each column on or off, and the table's own choice.
    void fillMenu(QMenu& menu);
    QString titleOf(int column) const;
    /// As they stand in the table.
    QList<int> shown() const;

private:
    QVariant header(int column, int role) const;
    bool isNumber(int column) const;
    void choose(int column, bool shown);
    /// The columns that can be shown or hidden, with the one that always stays first.
    QList<int> offered() const;
    void hideLeftOut();
    QString nameOf(int column) const;
    bool isAmong(const QStringList& names, int column) const;

    QTableView& m_table;
    const QAbstractItemModel& m_rows;
    QList<int> m_priority;
    int m_wide = -1, m_most = 0;
    QStringList m_chosen;
    /// Columns that the person left out, in a table that shows all columns at first.
    QStringList m_leftOut;
};

}  // namespace warpglass::ui
