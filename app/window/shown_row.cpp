#include "app/window/shown_row.h"

#include <QWidget>

#include "ui/controls/data_table.h"

namespace warpglass::app {

namespace {

/// Not valid where there is none.
QModelIndex rowWith(const QAbstractItemModel& model, const QString& text) {
    for (const int role : {Qt::DisplayRole, Qt::ToolTipRole}) {
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < model.columnCount(); ++column) {
                const QModelIndex index = model.index(row, column);
                if (index.data(role).toString().contains(text, Qt::CaseInsensitive))
                    return index;
            }
        }
    }
    return {};
}

}  // namespace

std::optional<ShownRow> shownRow(const QWidget& view, const QString& text) {
    for (ui::DataTable* table : view.findChildren<ui::DataTable*>()) {
        const QModelIndex index =
            table->isVisible() && table->model() ? rowWith(*table->model(), text) : QModelIndex();
        if (index.isValid())
            return ShownRow{table, index};
    }
    return std::nullopt;
}

}  // namespace warpglass::app
