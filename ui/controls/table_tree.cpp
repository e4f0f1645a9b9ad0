#include "ui/controls/table_tree.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTableView>

#include "ui/controls/cell_delegate.h"
#include "ui/controls/cell_roles.h"

namespace warpglass::ui {

TableTree::TableTree(QTableView& table) : QObject(&table), m_table(table) {
    table.installEventFilter(this);
    table.viewport()->installEventFilter(this);
}

bool TableTree::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_table && event->type() == QEvent::KeyPress)
        return takesKey(*static_cast<QKeyEvent*>(event));
    if (watched == m_table.viewport() && event->type() == QEvent::MouseButtonPress)
        return takesPress(*static_cast<QMouseEvent*>(event));
    return false;
}

/// Not valid in a table that is no tree.
QModelIndex TableTree::cellOf(int row) const {
    const QHeaderView& header = *m_table.horizontalHeader();
    for (int visual = 0; visual < header.count(); ++visual) {
        if (m_table.isColumnHidden(header.logicalIndex(visual)))
            continue;
        const QModelIndex cell = m_table.model()->index(row, header.logicalIndex(visual));
        if (const QVariant depth = cell.data(kDepthRole); depth.isValid() && depth.toInt() >= 0)
            return cell;
    }
    return {};
}

/// Right opens, Left closes, and goes to the group around where there is nothing to close.
bool TableTree::takesKey(const QKeyEvent& event) {
    if ((event.key() != Qt::Key_Right && event.key() != Qt::Key_Left) || event.modifiers() != Qt::NoModifier)
        return false;
    const QModelIndex cell =
        m_table.currentIndex().isValid() ? cellOf(m_table.currentIndex().row()) : QModelIndex();
    if (!cell.isValid())
        return false;
    const int expansion = cell.data(kExpansionRole).toInt();
    if (event.key() == Qt::Key_Right && expansion == kCollapsed) {
        emit expansionRequested(cell.row(), true);
    } else if (event.key() == Qt::Key_Left && expansion == kExpanded) {
        emit expansionRequested(cell.row(), false);
    } else if (event.key() == Qt::Key_Left) {
        const int depth = cell.data(kDepthRole).toInt();
        for (int row = cell.row() - 1; row >= 0; --row) {
            if (cellOf(row).data(kDepthRole).toInt() < depth) {
                m_table.setCurrentIndex(m_table.model()->index(row, m_table.currentIndex().column()));
                break;
            }
        }
    }
    return true;
}

bool TableTree::takesPress(const QMouseEvent& event) {
    const QModelIndex cell = m_table.indexAt(event.position().toPoint());
    if (event.button() != Qt::LeftButton || !cell.isValid() || cell != cellOf(cell.row()))
        return false;
    const int expansion = cell.data(kExpansionRole).toInt();
    const QRect chevron = CellDelegate::chevronBox(m_table.visualRect(cell), cell.data(kDepthRole).toInt());
    if (expansion == kLeaf || event.position().x() > chevron.right())
        return false;
    emit expansionRequested(cell.row(), expansion == kCollapsed);
    return true;
}

}  // namespace warpglass::ui
