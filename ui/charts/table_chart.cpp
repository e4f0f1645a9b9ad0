#include "ui/charts/table_chart.h"

#include <QItemSelectionModel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QVBoxLayout>
#include <memory>

#include "ui/controls/canvas.h"
#include "ui/controls/data_table.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

TableChart::TableChart(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent)
    : ChartView(document, axis, filter, parent), m_table(new DataTable(this)) {}

void TableChart::arrange(QWidget* chart, QWidget* below, const QList<int>& heights,
                         const QList<int>& stretch) {
    auto* splitter = divided(new QSplitter(Qt::Vertical, this));
    splitter->addWidget(chart);
    splitter->addWidget(below);
    splitter->setSizes(heights);
    for (int part = 0; part < static_cast<int>(stretch.size()); ++part)
        splitter->setStretchFactor(part, stretch[part]);
    body().addWidget(splitter);
}

void TableChart::link(Canvas& chart) {
    // Either answers the other, once.
    const auto busy = std::make_shared<bool>(false);
    connect(&chart, &Canvas::markChosen, this, [this, busy](int mark) {
        *busy = true;
        if (mark < 0) {
            m_table->clearSelection();
        } else {
            const QModelIndex index =
                m_table->proxy()->mapFromSource(m_table->proxy()->sourceModel()->index(mark, 0));
            if (index.isValid()) {
                m_table->selectRow(index.row());
                m_table->scrollTo(index);
            }
        }
        *busy = false;
        goTo(mark, false);
    });
    // What is selected, not what is current: a table that gets the keyboard makes its first row current.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this, &chart, busy](const QItemSelection& selected) {
                const QModelIndexList rows = m_table->selectionModel()->selectedRows();
                if (*busy || selected.isEmpty() || rows.size() != 1)
                    return;
                const int row = m_table->proxy()->mapToSource(rows.front()).row();
                chart.setChosen(row);
                goTo(row, false);
            });
    connect(&chart, &Canvas::markActivated, this, [this](int mark) { goTo(mark, true); });
    connect(m_table, &DataTable::rowActivated, this, [this](int row) { goTo(row, true); });
}

}  // namespace warpglass::ui
