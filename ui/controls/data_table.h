// The table that every view uses: rows of 27 px, sorted by a click on a column, whole rows selected, copied
// as tab-separated text with plain numbers (Ctrl+C) or as Markdown as they are read (Ctrl+Shift+C), columns
// chosen in the header's menu, a sentence where there are no rows.
//
// The model given to setTable() answers the roles of ui/controls/cell_roles.h, and of its header
// Qt::InitialSortOrderRole: how a first click sorts. Sorting and filtering happen in a proxy of the table's
// own. Rows of a tree (kDepthRole, kExpansionRole) open and close by a click on their
// chevron and by Right and Left.
#pragma once

#include <QList>
#include <QStringList>
#include <QTableView>
#include <optional>

#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class CellDelegate;
class TableColumns;

class DataTable : public QTableView {
    Q_OBJECT
public:
    explicit DataTable(QWidget* parent = nullptr);

    /// kByModel: the model's sort() puts its rows in order and its kSortRole says where each stands.
    enum class Sorting { kByTable, kByModel };
    /// The table does not own the model. `sortColumn` −1 keeps the model's order.
    void setTable(QAbstractItemModel* model, int sortColumn, Qt::SortOrder order,
                  Sorting sorting = Sorting::kByTable);
    /// Shows only rows whose text in `column` contains this, ignoring case.
    void setFilter(int column, const QString& text);
    QSortFilterProxyModel* proxy() const { return m_proxy; }
    /// Rows that pass the filter.
    int shownRows() const;

    /// Columns by importance: as many of the first ones as fit are shown, until the user chooses. The first
    /// of them always stays and comes first; it, or `wide` if that is shown, takes the remaining width, as
    /// far as names need it. After the first `most` they are shown only where the user chooses them.
    void setColumnPriority(const QList<int>& columns, int wide = -1, int most = 100);
    /// Names (kColumnNameRole) of the columns that the user chose; empty while the table chooses.
    QStringList chosenColumns() const;
    /// Columns by name or title; those that the table does not have are ignored. A column that the view
    /// leaves out at the moment stays chosen.
    void setChosenColumns(const QStringList& names);
    /// After the view has shown or hidden columns itself: the user's choice holds among them.
    void refitColumns();
    /// What the context menu offers, of the row `at`: the view's actions, copying, sorting, columns.
    void fillMenu(QMenu& menu, const QModelIndex& at);
    /// Sorts as by a click on the column's title.
    void sortBy(int column);
    /// The header's menu: each column on or off, and the table's own choice.
    void fillColumnMenu(QMenu& menu);

    /// As of TableHeader: what its rows say in one sentence (ui/controls/heading.h), beside the first
    /// column's title, and what the parts of its bars are.
    void setFinding(const QStringList& wordings);
    void setBarWords(const QStringList& darkAndPale);
    QString finding() const;
    /// Shown in the middle of an empty table.
    void setEmptyText(const QString& sentence);
    QString emptyText() const { return m_emptyText; }
    /// The selected rows in shown order, else all: one line of titles, then one line per row.
    QString asTsv() const;
    QString asMarkdown() const;
    /// The model's rows that are selected.
    QList<int> selectedRows() const;
    /// Where the user is in the table, to be put back when the same rows are shown again.
    struct Place {
        QString row;  // the plain text of all of the current row; empty for none
        int top = 0;  // pixels scrolled to
    };
    Place place() const;
    /// Now, or where the table is empty when it has been filled.
    void restorePlace(const Place& place);

public slots:
    void copy() const;
    void copyMarkdown() const;

signals:
    /// Enter or a double click; `row` is the model's.
    void rowActivated(int row);
    /// The row that the keyboard is on has changed; −1 for none.
    void currentRowChanged(int row);
    /// The user opens or closes a row of a tree.
    void expansionRequested(int row, bool expanded);
    /// The context menu is about to be shown: for more actions, before those of copying. −1: on no row.
    void menuRequested(QMenu* menu, int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void setHoveredRow(int row);
    QString textOf(int row) const;
    void goToWantedPlace();
    void paintRowEnds(QPainter& painter) const;
    void openMenuAtRow();
    void openMenu(const QModelIndex& at, QPoint globalPos);
    QList<int> rowsToCopy() const;
    int sourceRow(const QModelIndex& index) const;

    QSortFilterProxyModel* m_proxy;
    CellDelegate* m_delegate;
    TableColumns* m_columns;
    QString m_emptyText;
    std::optional<Place> m_wanted;  // once there are rows
};

}  // namespace warpglass::ui
