// What opens and closes the rows of a table whose rows are a tree's (kDepthRole, kExpansionRole): a click on
// a chevron, and the keys Right and Left.
#pragma once

#include <QModelIndex>
#include <QObject>

#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class TableTree : public QObject {
    Q_OBJECT
public:
    /// For this table, which owns it; does nothing where its rows are no tree's.
    explicit TableTree(QTableView& table);

signals:
    /// The person opens or closes this row, as it is shown.
    void expansionRequested(int row, bool expanded);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The cell that shows where the row stands in its tree.
    QModelIndex cellOf(int row) const;
    bool takesKey(const QKeyEvent& event);
    bool takesPress(const QMouseEvent& event);

    QTableView& m_table;
};

}  // namespace warpglass::ui
