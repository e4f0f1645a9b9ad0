// How long each phase of a step takes over the measured steps: mean ± standard deviation, and the rest.
#pragma once

#include <QWidget>

#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/statistics_model.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QLabel;

namespace warpglass::ui {

class DataTable;

class PhasesTable : public QWidget, public Refreshable {
    Q_OBJECT
public:
    PhasesTable(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    DataTable& table() const { return *m_table; }
    const StatisticsModel& model() const { return m_model; }

    void refreshNow() override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    DeferredQuery::Job makeJob();
    /// Shows the longest span of the phase on the time axis.
    void goTo(int row);

    RunDocument& m_document;
    TimeAxis& m_axis;
    QLabel* m_summary;
    StatisticsModel m_model;
    DataTable* m_table;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
