#include "ui/experiments/report_table_view.h"

#include <QHeaderView>
#include <algorithm>
#include <utility>

#include "engine/tables/column.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The width of a column, in logical pixels: a longer text is cut, and its tool tip has it.
constexpr int kNarrowest = 56, kWidest = 340;

}  // namespace

ReportTableView::ReportTableView(QWidget* parent) : DataTable(parent) {
    setEmptyText(tr("The table has no rows"));
}

ReportTableView::~ReportTableView() = default;

void ReportTableView::setReport(ReportTable report) {
    m_report = std::move(report);
    TableDescription<Row> description{m_report.key, {}};
    for (std::size_t i = 0; i < m_report.columns.size(); ++i) {
        const ReportColumn& column = m_report.columns[i];
        description.columns.push_back(
            Column<Row>(column.key, column.title, column.unit, plainTitleOf(column.title, column.unit),
                        [i](const Row& row) { return i < row.cells.size() ? row.cells[i] : Cell(); }));
    }
    auto model = std::make_unique<DescribedTableModel<Row>>(description);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < m_report.rows.size(); ++i)
        rows.push_back({i, m_report.rows[i]});
    setChosenColumns({});
    setTable(model.get(), -1, Qt::AscendingOrder);
    model->show(std::move(rows));
    m_model = std::move(model);
    setAccessibleName(toQString(m_report.title));
    fitToContent();
}

void ReportTableView::fitToContent() {
    horizontalHeader()->setStretchLastSection(false);
    resizeColumnsToContents();
    for (int column = 0; column < m_model->columnCount(); ++column)
        setColumnWidth(column, std::clamp(columnWidth(column), kNarrowest, kWidest));
}

}  // namespace warpglass::ui
