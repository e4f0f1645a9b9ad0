#include "ui/charts/table_link.h"

#include <QItemSelectionModel>
#include <QSortFilterProxyModel>
#include <memory>

#include "ui/charts/mark_chart.h"
#include "ui/theme/data_table.h"

namespace warpglass::ui {

void linkTable(MarkChart& chart, DataTable& table, const std::function<void(int)>& chosen,
               const std::function<void(int)>& activated) {
    // Either answers the other, once.
    const auto busy = std::make_shared<bool>(false);
    QObject::connect(&chart, &MarkChart::markChosen, &table, [&table, chosen, busy](int mark) {
        *busy = true;
        if (mark < 0) {
            table.clearSelection();
        } else {
            const QModelIndex index =
                table.proxy()->mapFromSource(table.proxy()->sourceModel()->index(mark, 0));
            if (index.isValid()) {
                table.selectRow(index.row());
                table.scrollTo(index);
            }
        }
        *busy = false;
        chosen(mark);
    });
    // What is selected, not what is current: a table that gets the keyboard makes its first row current.
    QObject::connect(table.selectionModel(), &QItemSelectionModel::selectionChanged, &chart,
                     [&chart, &table, chosen, busy](const QItemSelection& selected) {
                         const QModelIndexList rows = table.selectionModel()->selectedRows();
                         if (*busy || selected.isEmpty() || rows.size() != 1)
                             return;
                         const int row = table.proxy()->mapToSource(rows.front()).row();
                         chart.setChosen(row);
                         chosen(row);
                     });
    QObject::connect(&chart, &MarkChart::markActivated, &chart, activated);
    QObject::connect(&table, &DataTable::rowActivated, &chart, activated);
}

}  // namespace warpglass::ui
