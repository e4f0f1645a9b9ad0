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
    QObject::connect(table.selectionModel(), &QItemSelectionModel::currentRowChanged, &chart,
                     [&chart, &table, chosen, busy](const QModelIndex& index) {
                         if (*busy || !index.isValid())
                             return;
                         const int row = table.proxy()->mapToSource(index).row();
                         chart.setChosen(row);
                         chosen(row);
                     });
    QObject::connect(&chart, &MarkChart::markActivated, &chart, activated);
    QObject::connect(&table, &DataTable::rowActivated, &chart, activated);
}

}  // namespace warpglass::ui
