// The table that every view uses: rows of 27 px, sorted by a click on a column, whole rows selected, copied
// as tab-separated text with plain numbers (Ctrl+C), a sentence where there are no rows.
//
// The model given to setTable() answers the roles of ui/theme/cell_roles.h; sorting and filtering happen in a
// proxy of the table's own.
#pragma once

#include <QTableView>

class QSortFilterProxyModel;

namespace warpglass::ui {

class CellDelegate;

class DataTable : public QTableView {
    Q_OBJECT
public:
    explicit DataTable(QWidget* parent = nullptr);

    /// The table does not own the model. `sortColumn` −1 keeps the model's order.
    void setTable(QAbstractItemModel* model, int sortColumn, Qt::SortOrder order);
    /// Shows only rows whose text in `column` contains this, whatever its case.
    void setFilter(int column, const QString& text);
    QSortFilterProxyModel* proxy() const { return m_proxy; }
    /// Rows that pass the filter.
    int shownRows() const;

    /// Shown in the middle of an empty table.
    void setEmptyText(const QString& sentence);
    /// The selected rows in shown order, or all when none is selected: one line of titles, one line a row.
    QString asTsv() const;

public slots:
    void copy() const;

signals:
    /// Enter or a double click; `row` is the model's.
    void rowActivated(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void setHoveredRow(int row);

    QSortFilterProxyModel* m_proxy;
    CellDelegate* m_delegate;
    QString m_emptyText;
};

}  // namespace warpglass::ui
