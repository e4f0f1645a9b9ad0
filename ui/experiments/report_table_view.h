// A table that is data (engine/tables/report_table.h) in the window's own table.
#pragma once

#include <memory>

#include "engine/tables/report_table.h"
#include "ui/controls/data_table.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

class ReportTableView : public DataTable {
    Q_OBJECT
public:
    explicit ReportTableView(QWidget* parent = nullptr);
    ~ReportTableView() override;

    /// In the order of its rows, until the user sorts it.
    void setReport(ReportTable report);
    const ReportTable& report() const { return m_report; }

private:
    struct Row {
        std::size_t index;
        std::vector<Cell> cells;
    };
    friend std::size_t rowKey(const Row& row) { return row.index; }

    void fitToContent();

    ReportTable m_report;
    std::unique_ptr<DescribedTableModel<Row>> m_model;
};

}  // namespace warpglass::ui
