// The largest allocations alive at the cursor, or at the run's peak when there is none.
#pragma once

#include <QWidget>

#include "ui/models/allocations_model.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QLineEdit;

namespace warpglass::ui {

class DataTable;
class ElidedLabel;

class AllocationsTable : public QWidget, public Refreshable {
    Q_OBJECT
public:
    AllocationsTable(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    /// Shows only rows with this in any column; "" shows all.
    void setFilterText(const QString& text);
    DataTable& table() const { return *m_table; }
    const AllocationsModel& model() const { return m_model; }

    void refreshNow() override;

    /// More rows than anyone reads; the summary says how many there are in all.
    static constexpr std::size_t kMost = 500;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    DeferredQuery::Job makeJob();
    void updateSummary();
    /// Selects the allocation's life on the time axis.
    void goTo(int row);

    RunDocument& m_document;
    TimeAxis& m_axis;
    QLineEdit* m_filter;
    ElidedLabel* m_moment;
    ElidedLabel* m_summary;
    std::size_t m_alive = 0;
    AllocationsModel m_model;
    DataTable* m_table;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
